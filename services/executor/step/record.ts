// What is kept of work that ends, for those who read later: of a turn, and of what a feature did about a question, a timer or a letter.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { AnswerEvent, ExpiredEvent, LetterEvent, TimerEvent } from '#shared/chat/event.ts'
import { toSafeName } from '#shared/chat/people.ts'
import { toTainted, type Taint } from '#shared/model/taint.ts'
import type { Usage } from '#shared/model/model-port.ts'
import type { OutRow } from '#shared/run/out-row.ts'
import {
  mostRecordBytes,
  type Recorded,
  type PromptPart,
  type TurnRecord,
  type WorkRecord,
} from '#shared/run/record.ts'
import { headAndTail } from '#services/executor/state/fit-items.ts'
import type { TurnFacts } from '#services/executor/context/turn-facts.ts'
import { isInGroup } from '#services/executor/context/in-group.ts'
import { workOf } from '#services/executor/context/marks.ts'
import { messageIdsOf, type OpenTurn } from '#services/executor/run/open-turn.ts'
import type { ConversationState } from '#services/executor/state/state.ts'

const mostTools = 50
const mostParts = 20
const mostReasonChars = 100
const mostMarkChars = 200
const mostOwn = 20
/** Of tools and of parts of the prompt each, where a record is too long: texts of people have the rest. In bytes of JSON. */
const mostListBytes = 2000

type EndedTurn = {
  readonly facts: Pick<TurnFacts, 'turn' | 'events' | 'language' | 'about' | 'taint'>
  readonly ending: TurnRecord['ending']
  readonly held?: readonly PromptPart[] | undefined
  readonly endedAt: number
  /** What stands before the answer, if anything. */
  readonly mark?: string | undefined
  readonly asked: string
  readonly answer: string
}

/** `state` is that of the turn as it ran. */
export function recordTurn(
  state: Pick<ConversationState, 'session' | 'context' | 'prefix' | 'people'>,
  { facts, ending, held, endedAt, mark, asked, answer }: EndedTurn,
): Recorded {
  const { session, context = [], prefix = [] } = state
  const { turn, events, language, about, taint } = facts
  const { start, entries } = turn
  const { last } = start
  const repliesTo = events.flatMap((event) =>
    event.kind === 'message' && event.replyTo?.fromBot ? [event.replyTo.messageId] : [],
  )[0]
  const shown = events.findLast((event) => event.principal === start.principal && event.name !== undefined)?.name
  const own = [...new Set([...(start.about ?? []), ...messageIdsOf(events)])]
  const answers = entries.filter((entry) => entry.t === 'llm:fin')
  const model = answers.at(-1)?.model
  const record: TurnRecord = {
    v: 1,
    turn: start.turn,
    session: session.id,
    principal: start.principal,
    ...(start.asker ? { asker: start.asker } : {}),
    ...(start.for ? { for: start.for } : {}),
    begunAt: start.at,
    endedAt,
    ...(shown === undefined ? {} : { name: toSafeName(shown) }),
    ...(isInGroup(state, events, start) ? { group: true } : {}),
    language,
    class: start.class,
    ...(last ? { last } : {}),
    ending,
    ...(repliesTo === undefined ? {} : { repliesTo }),
    ...(mark ? { mark: mark.slice(0, mostMarkChars).toWellFormed() } : {}),
    tools: toTools(turn),
    context: [...prefix, ...context]
      .slice(0, mostParts)
      .map(({ name, reason }) => ({ name, reason: reason.slice(0, mostReasonChars).toWellFormed() })),
    ...(held ? { held: [...held] } : {}),
    ...toTainted(taint),
    ...(own.length > 0 && own.length <= mostOwn && own.length < about.length ? { own } : {}),
    ...(model === undefined ? {} : { model }),
    tokens: {
      ...toCached(answers),
      prompt: answers.reduce((sum, { usage }) => sum + usage.promptTokens, 0),
      completion: answers.reduce((sum, { usage }) => sum + usage.completionTokens, 0),
    },
    asked: '',
    answer: '',
  }
  return { kind: 'turn', about, record: withTexts(record, asked, answer) }
}

function toCached(answers: readonly { readonly usage: Usage }[]): { cached?: number } {
  const cached = answers.reduce((sum, { usage }) => sum + (usage.cachedTokens ?? 0), 0)
  return cached > 0 ? { cached } : {}
}

/** A call without a result was not made, or nobody knows. */
function toTools(turn: OpenTurn): TurnRecord['tools'] {
  return workOf(turn)
    .tools.slice(0, mostTools)
    .map(({ name, ok }) => ({ name: name.slice(0, 64), ok }))
}

export type Ended = AnswerEvent | ExpiredEvent | TimerEvent | LetterEvent

export function recordWork(
  event: Ended,
  done: {
    readonly work: string
    readonly feature: string
    readonly principal: PrincipalId
    readonly about: readonly string[]
    readonly taint: Taint
    readonly atMs: number
    readonly rows: readonly OutRow[]
  },
): Recorded {
  const { work, feature, principal, about, taint, atMs, rows } = done
  const said = rows.flatMap(({ body }) => (body.kind === 'send' ? [body.text] : [])).join('\n\n')
  const record: WorkRecord = {
    v: 1,
    work,
    feature,
    principal,
    begunAt: event.at,
    endedAt: atMs,
    ended: event.kind,
    what: toWhat(event),
    ...(event.kind === 'answer' ? { choice: event.choice } : {}),
    answer: '',
    ...toTainted(taint),
  }
  return { kind: 'work', about, record: withTexts(record, '', said) }
}

function toWhat(event: Ended): string {
  if (event.kind === 'timer') return event.timer
  return event.kind === 'letter' ? event.letter : (event.about ?? '')
}

/** The texts of people in what room the rest of the record leaves: the answer may take what the question does not need. */
function withTexts<R extends TurnRecord | WorkRecord>(record: R, asked: string, answer: string): R {
  const whole = { ...record, answer: answer.toWellFormed(), ...('asked' in record && { asked: asked.toWellFormed() }) }
  return Buffer.byteLength(JSON.stringify(whole)) <= mostRecordBytes
    ? whole
    : shortened(withLists(record), asked, answer)
}

/** The first ones that fit. */
function withLists<R extends TurnRecord | WorkRecord>(record: R): R {
  if (!('tools' in record)) return record
  return { ...record, tools: firstOf(record.tools), context: firstOf(record.context) }
}

function firstOf<T>(items: readonly T[]): T[] {
  let left = mostListBytes
  return items.filter((item) => (left -= Buffer.byteLength(JSON.stringify(item)) + 1) >= 0)
}

function shortened<R extends TurnRecord | WorkRecord>(record: R, asked: string, answer: string): R {
  const room = mostRecordBytes - Buffer.byteLength(JSON.stringify(record)) - 16
  const shortAsked = fit(asked, Math.max(room / 3, room - toBytes(answer)))
  const texts = { answer: fit(answer, room - toBytes(shortAsked)) }
  return 'asked' in record ? { ...record, asked: shortAsked, ...texts } : { ...record, ...texts }
}

const fit = (text: string, bytes: number): string =>
  toBytes(text) <= bytes ? text.toWellFormed() : headAndTail(text, bytes, toBytes)

/** As JSON. */
const toBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2
