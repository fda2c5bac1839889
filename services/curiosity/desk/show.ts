// What people read on a card that asks them, in both languages.
import type { Language, Localised } from '#shared/chat/message.ts'
import { endCard, renderCard, type Matter } from '#shared/feature/card.ts'
import { toInertLine } from '#shared/feature/inert.ts'
import type { Asks } from '#shared/memory/asks.ts'
import type { MemoryRecord } from '#shared/memory/record.ts'
import type { Choice } from '#shared/run/question.ts'
import type { OnCard } from './on-card.ts'
import type { Waiting } from './waiting.ts'

export const words = {
  yes: { zh: '是', en: 'Yes' },
  no: { zh: '不是', en: 'No' },
  type: { zh: '自己写', en: 'Type an answer' },
  skip: { zh: '跳过', en: 'Skip' },
  later: { zh: '改天再问', en: 'Not now' },
  never: { zh: '别再问这个', en: 'Never about this' },
  chat: { zh: '也给那个群用', en: 'Also for that group' },
  undo: { zh: '撤销', en: 'Undo' },
  reply: { zh: '请回复这条消息，写下你的回答。', en: 'Reply to this message with your answer.' },
  changes: { zh: '会改变什么：', en: 'What changes: ' },
  nothing: {
    zh: '没有读到文字。请回复卡片，写下回答。',
    en: 'I found no words in that. Reply to the card with your answer.',
  },
  tooLong: { zh: '回答太长，记不下。请写短一些。', en: 'The answer is too long to keep. Please make it shorter.' },
  full: {
    zh: '已经记满了。用 `/forget` 忘掉几条再回答。',
    en: 'There is no room for more. Forget some with `/forget`, then answer.',
  },
  answered: { zh: '你回答了。', en: 'You answered.' },
  undone: { zh: '已撤销，这张卡片的回答都没有记下。', en: 'Undone: nothing of this card is kept.' },
} as const satisfies Record<string, Localised>

export function toText({ text, asks }: Waiting, { of, left, language, typing }: OnCard): string {
  const nth = of - left.length + 1
  const count = of > 1 ? `**${nth} / ${of}**\n\n` : ''
  const card = {
    ...toMatter(text, asks),
    urgency: 'low',
    why: [asks.why, `${words.changes[language]}${asks.changes}`].join(language === 'zh' ? '。' : '. '),
    otherwise: asks.assumed,
    ...(typing ? { how: words.reply[language] } : {}),
  } as const
  return `${count}${renderCard(card, language)}`
}

function toMatter(question: string, { kind, options }: Asks): Matter {
  if (kind === 'choice') return { kind, question, options: options.map((label) => ({ label })) }
  if (kind === 'action') return { kind, step: question, byReply: true }
  return { kind: 'knowledge', task: '', question }
}

const toOption = (id: 'yes' | 'no' | 'type' | 'skip' | 'later' | 'never', language: Language): Choice => ({
  id,
  label: words[id][language],
})

export function toButtons(
  { kind, options, group }: Asks,
  { language, forChat }: OnCard,
): readonly (readonly Choice[])[] {
  const of = (...ids: Parameters<typeof toOption>[0][]) => ids.map((id) => toOption(id, language))
  const chat = { id: 'chat', label: `${forChat ? '✓ ' : ''}${words.chat[language]}` }
  return [
    ...(kind === 'choice' ? options.map((label, at) => [{ id: `a${at}`, label }]) : []),
    ...(kind === 'yes-no' ? [of('yes', 'no')] : []),
    of('type', 'skip'),
    of('later', 'never'),
    ...(group ? [[chat]] : []),
  ]
}

/** In the place of a question that was answered in words. */
export const toEnded = ({ text, asks }: Waiting, language: Language): string =>
  endCard(toMatter(text, asks).kind, { asked: text, end: words.answered[language] }, language)

export const undoOption = (language: Language): Choice => ({ id: 'undo', label: words.undo[language] })

const mostShown = 300

/** What was kept, each once, and how many were skipped. */
export function toReceipt(records: readonly MemoryRecord[], { language, skipped, saved, missed }: OnCard): string {
  const own = records.filter(({ scope }) => scope.startsWith('user:'))
  const lines = own.map(({ text }) => `- ${toInertLine(text, mostShown)}`)
  const isForChat = saved.some(({ scope }) => scope.startsWith('chat:'))
  const zh = [
    ...(lines.length > 0 ? [`谢谢，记下了：\n${lines.join('\n')}`] : ['好的，什么也没记。']),
    ...(isForChat ? ['有的回答那个群也能用。'] : []),
    ...(missed ? ['有的回答没能给那个群用：那里我现在什么都记不了，只给你记着。'] : []),
    ...(skipped > 0 ? [`跳过 ${skipped} 个。`] : []),
  ]
  const en = [
    ...(lines.length > 0 ? [`Thank you. Kept:\n${lines.join('\n')}`] : ['All right, nothing is kept.']),
    ...(isForChat ? ['What you chose is known in that group, too.'] : []),
    ...(missed ? ['One was not kept for that group: I can keep nothing there now. It is kept for you alone.'] : []),
    ...(skipped > 0 ? [`Skipped: ${skipped}.`] : []),
  ]
  return (language === 'zh' ? zh : en).join('\n\n')
}
