// What the demo model reads off a prompt: the person's words not yet answered, what joined while it waited, the clock.
import type { PromptMessage } from '#shared/model/model-port.ts'
import { texts } from '#services/executor/ending/texts.ts'

export type DemoLanguage = 'zh' | 'en'

export type DemoTurn = {
  readonly language: DemoLanguage
  /** The person's messages to answer now: after the last tool result, or all of this turn. */
  readonly asked: readonly string[]
  /** Results of the tools called in this turn, in order. */
  readonly toolResults: readonly string[]
  /** The person's message before this turn, and the bot's last reply. */
  readonly previousAsked: string | undefined
  readonly previousReply: string | undefined
  /** From the prompt's clock line, as it stands there. */
  readonly clock: string | undefined
  readonly replies: number
}

const clockLine = /\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?[^\n]{0,40}/

/** A turn is what stands after the last reply, which is an assistant message that calls no tool. */
export function readTurn(messages: readonly PromptMessage[]): DemoTurn {
  const talk = messages.filter((message) => message.role !== 'system')
  const isReply = (message: PromptMessage): boolean => message.role === 'assistant' && !message.toolCalls?.length
  const lastReply = talk.findLastIndex(isReply)
  const turn = talk.slice(lastReply + 1)
  const lastResult = turn.findLastIndex((message) => message.role === 'tool')
  const users = talk.filter((message) => message.role === 'user')
  const asked = turn.slice(lastResult + 1).filter((message) => message.role === 'user')
  const before = talk.slice(0, lastReply).findLast((message) => message.role === 'user')
  const systemText = messages.findLast((message) => message.role === 'system' && clockLine.test(message.content))
  return {
    language: findLanguage((asked.length > 0 ? asked : users.slice(-1)).map(toOwnWords)),
    asked: asked.map(toOwnWords),
    toolResults: turn.filter((message) => message.role === 'tool').map((message) => message.content),
    previousAsked: before && toOwnWords(before),
    previousReply: talk[lastReply]?.content,
    clock: systemText?.content.match(clockLine)?.[0].trim(),
    replies: talk.filter(isReply).length,
  }
}

const quotation = /(?<!>[^\n]{0,99})⟦(?:reply to|forwarded from)[^⟦⟧]*⟧\n(?:>[^\n]*\n)*⟦end of quote⟧\n?/g
const otherMark = /⟦[^⟦⟧]*⟧ ?/g
/** What stands before words that came while the turn ran. */
const orderMarks = [texts.joined, texts.corrected].flatMap(({ zh, en }) => [`${zh} `, `${en} `])

/**
 * What the person wrote, without the marks and quotations that a prompt puts around it: they are for a model, not for people. A reply
 * that only mentions the bot asks about what it quotes.
 */
function toOwnWords({ content }: PromptMessage): string {
  const said = content.replaceAll(quotation, '').replaceAll(otherMark, '')
  const mark = orderMarks.find((known) => said.startsWith(known)) ?? ''
  const own = said.slice(mark.length).trim()
  return own || content.replaceAll(otherMark, '').replaceAll(/^> /gm, '').trim()
}

function findLanguage(words: readonly string[]): DemoLanguage {
  return /\p{Script=Han}/u.test(words.join(' ')) ? 'zh' : 'en'
}
