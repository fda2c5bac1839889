// What is open to whoever asks, the urgent first, with the time that is left; what waits behind it; and what waits to be asked.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Language } from '#shared/chat/message.ts'
import type { CommandContext } from '#shared/feature/feature.ts'
import { urgencyNames } from '#shared/feature/card-words.ts'
import type { Waiting } from '#shared/desk/source.ts'
import { toLeft } from '#shared/feature/deadline-line.ts'
import { toInertLine } from '#shared/feature/inert.ts'
import type { OpenQuestion } from '#shared/feature/open-question.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import { say } from '#shared/feature/say.ts'

const mostLines = 20

type ToAsk = Pick<Waiting, 'text' | 'from'>

type Where = Pick<CommandContext, 'principal' | 'language' | 'conversation'> & {
  readonly state: Pick<CommandContext['state'], 'questions'>
}

export function listQuestions(
  { now }: { now(): number },
  { principal, state, language, conversation }: Where,
  waiting: readonly ToAsk[] = [],
): readonly StepEffect<never>[] {
  const mine = state.questions().filter(({ to, text }) => (to === principal || to === '*') && text !== '')
  const places = toElsewhere(conversation, language)
  const none = {
    zh: `这个聊天里没有等你回答的问题。${places}`,
    en: `No question in this chat waits for your answer. ${places}`,
  }[language]
  if (mine.length === 0 && waiting.length === 0) return say(language, none, none)
  const nowMs = now()
  const toLine = ({ text, urgency, dueMs }: OpenQuestion, at: number): string => {
    const comma = language === 'zh' ? '，' : ', '
    const how = urgencyNames[urgency][language]
    const until =
      dueMs === undefined
        ? { zh: '排在后面', en: 'waits its turn' }[language]
        : { zh: `还剩 ${toLeft(dueMs - nowMs, 'zh')}`, en: `${toLeft(dueMs - nowMs, 'en')} left` }[language]
    return `${at + 1}. ${toInertLine(text, 120)} — ${how === '' ? '' : `${how}${comma}`}${until}`
  }
  const lines = mine.slice(0, mostLines).map(toLine).join('\n')
  const more = mine.length > mostLines ? `\n… (+${mine.length - mostLines})` : ''
  const about = [...new Set(mine.flatMap((one) => one.about))].slice(-200)
  const head = { zh: '这个聊天里等你回答的：', en: 'What waits for your answer in this chat:' }[language]
  const how = { zh: '请点卡片上的按钮，或回复卡片。', en: 'Press a button on the card, or reply to it. ' }[language]
  const open = mine.length === 0 ? none : `${head}\n\n${lines}${more}\n\n${how}${places}`
  const text = [open, ...toWaiting(waiting, language)].join('\n\n')
  return [{ kind: 'send', text, about, ...(waiting.length > 0 ? { cameOf: waiting.flatMap(({ from }) => from) } : {}) }]
}

/** What is asked some day, for whom it is about alone. */
function toWaiting(waiting: readonly ToAsk[], language: Language): readonly string[] {
  if (waiting.length === 0) return []
  const lines = waiting.slice(0, mostLines).map(({ text }) => `- ${toInertLine(text, 120)}`)
  const head = { zh: '我以后想问你的：', en: 'What I would like to know from you some day:' }[language]
  const how = {
    zh: '`/questions now` 现在就问。',
    en: '`/questions now` asks it at once.',
  }[language]
  return [`${head}\n\n${lines.join('\n')}\n\n${how}`]
}

/** A conversation knows nothing of others; the page looks at all of them. */
function toElsewhere(conversation: ConversationId, language: Language): string {
  if (conversation.startsWith('web:'))
    return { zh: '铃铛列出你所有会话里的。', en: 'The bell shows those of all your conversations.' }[language]
  return {
    zh: '别的聊天里的，请在那里用 /questions 查看。',
    en: 'What waits in another chat is listed by /questions there.',
  }[language]
}
