// What the demo model reads off a prompt: the person's words not yet answered, what joined while it waited, the clock.
import type { PromptMessage } from '#shared/model/model-port.ts'
import { texts } from '#services/executor/run/texts.ts'

export type DemoLanguage = 'zh' | 'en'

export type DemoCall = { readonly name: string; readonly result: string }

export type DemoTurn = {
  readonly language: DemoLanguage
  /** The person's messages to answer now: after the last tool result, or all of this turn. */
  readonly asked: readonly string[]
  /** The tools called in this turn and what came of them, in order. */
  readonly calls: readonly DemoCall[]
  /** What the model had asked, where the turn begins with a person's answer to it. */
  readonly answersTo: string | undefined
  /** How often each tool was called in all that the prompt shows. */
  called(name: string): number
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
  const calls = talk.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []))
  const names = new Map(calls.map(({ id, name }) => [id, name]))
  const systemText = messages.findLast((message) => message.role === 'system' && clockLine.test(message.content))
  return {
    language: findLanguage((asked.length > 0 ? asked : users.slice(-1)).map(toOwnWords)),
    asked: asked.map(toOwnWords),
    calls: turn.flatMap((message) =>
      message.role === 'tool' ? [{ name: names.get(message.callId) ?? '', result: message.content }] : [],
    ),
    answersTo: ownQuotation.exec(turn.find((message) => message.role === 'user')?.content ?? '')?.[1],
    called: (wanted) => calls.filter(({ name }) => name === wanted).length,
    previousAsked: before && toOwnWords(before),
    previousReply: talk[lastReply]?.content,
    clock: systemText?.content.match(clockLine)?.[0].trim(),
    replies: talk.filter(isReply).length,
  }
}

const quotation = /(?<!>[^\n]{0,99})⟦(?:reply to|forwarded from)[^⟦⟧]*⟧\n(?:>[^\n]*\n)*⟦end of quote⟧\n?/g
/** What the bot itself had said or asked, to which a message is the answer. */
const ownQuotation = /^⟦reply to you⟧\n((?:>[^\n]*\n)*)⟦end of quote⟧/
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
