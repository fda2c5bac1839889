// What people read on a card that asks them, in both languages.
import type { Language, Localised } from '#shared/chat/message.ts'
import type { Shown } from '#shared/desk/source.ts'
import { toInertLine } from '#shared/feature/inert.ts'
import type { MemoryRecord } from '#shared/memory/record.ts'
import type { Choice } from '#shared/run/question.ts'
import type { OnCard } from './on-card.ts'

export const words = {
  yes: { zh: '是', en: 'Yes' },
  no: { zh: '不是', en: 'No' },
  type: { zh: '自己写', en: 'Type an answer' },
  skip: { zh: '跳过', en: 'Skip' },
  later: { zh: '改天再问', en: 'Not now' },
  never: { zh: '别再问这个', en: 'Never about this' },
  chat: { zh: '也给那个群用', en: 'Also for that group' },
  undo: { zh: '撤销', en: 'Undo' },
  reply: {
    zh: '请在下一条消息里写下你的回答，或回复这条消息。',
    en: 'Write your answer in your next message, or reply to this one with it.',
  },
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
  undone: { zh: '已撤销，这张卡片的回答都没有记下。', en: 'Undone: nothing of this card is kept.' },
  reopened: {
    zh: '跳过的和不再问的，以后也可能再问。',
    en: 'What you skipped, or never wanted to be asked about, I may ask again.',
  },
} as const satisfies Record<string, Localised>

/** `1 / 3`, where there are several. */
export function toText({ text }: Shown, { of, left }: OnCard): string {
  const nth = of - left.length + 1
  return of > 1 ? `**${nth} / ${of}**\n\n${text}` : text
}

export function toButtons(
  { answers, type, never, chat }: Shown,
  { language, forChat, typing }: OnCard,
): readonly (readonly Choice[])[] {
  const of = (id: 'skip' | 'later' | 'never'): Choice => ({ id, label: words[id][language] })
  const forThem = { id: 'chat', label: `${forChat ? '✓ ' : ''}${words.chat[language]}` }
  return [
    ...answers,
    // Pressed once it has said all that it can.
    [...(typing ? [] : [type]), of('skip')],
    never ? [of('later'), of('never')] : [of('later')],
    ...(chat ? [[forThem]] : []),
  ]
}

export const undoOption = (language: Language): Choice => ({ id: 'undo', label: words.undo[language] })

const mostShown = 300
const mostAnswerChars = 120

/** In the place of a question that was answered in words. */
export const toAnswered = (answer: string, language: Language): string => {
  const said = toInertLine(answer, mostAnswerChars)
  return language === 'zh' ? `你回答：“${said}”` : `You answered: “${said}”`
}

/** What was kept, each once, and how many were turned down, skipped, closed for ever, or put off. */
export function toReceipt(
  records: readonly MemoryRecord[],
  { language, skipped, never, declined, saved, missed }: OnCard,
  putOff: number,
): string {
  const own = records.filter(({ scope }) => scope.startsWith('user:'))
  const lines = own.map(({ text }) => `- ${toInertLine(text, mostShown)}`)
  const isForChat = saved.some(({ scope }) => scope.startsWith('chat:'))
  const isTouched = lines.length > 0 || skipped + never + declined > 0
  const zh = [
    ...(lines.length > 0
      ? [`谢谢，记下了：\n${lines.join('\n')}`]
      : [isTouched || putOff === 0 ? '好的，什么也没记。' : '好的，改天再问。']),
    ...(isForChat ? ['有的回答那个群也能用。'] : []),
    ...(declined > 0 ? [`没记：${declined} 条。`] : []),
    ...(missed ? ['有的回答没能给那个群用：那里我现在什么都记不了，只给你记着。'] : []),
    ...(skipped > 0 ? [`跳过 ${skipped} 个。`] : []),
    ...(never > 0 ? [`不再问：${never} 个。`] : []),
    ...(isTouched && putOff > 0 ? [`改天再问：${putOff} 个。`] : []),
  ]
  const en = [
    ...(lines.length > 0
      ? [`Thank you. Kept:\n${lines.join('\n')}`]
      : [isTouched || putOff === 0 ? 'All right, nothing is kept.' : 'All right, I ask another day.']),
    ...(isForChat ? ['What you chose is known in that group, too.'] : []),
    ...(declined > 0 ? [`Not kept: ${declined}.`] : []),
    ...(missed ? ['One was not kept for that group: I can keep nothing there now. It is kept for you alone.'] : []),
    ...(skipped > 0 ? [`Skipped: ${skipped}.`] : []),
    ...(never > 0 ? [`Never again: ${never}.`] : []),
    ...(isTouched && putOff > 0 ? [`For another day: ${putOff}.`] : []),
  ]
  return (language === 'zh' ? zh : en).join('\n\n')
}
