// What is said of a turn that ends, and what is remembered of it: whatever was written is kept, with a mark that says how it ended.
import type { ChatEvent } from '#shared/chat/event.ts'
import type { Language } from '#shared/chat/message.ts'
import { toInertLine } from '#shared/feature/inert.ts'
import type { TakenOver } from '#shared/feature/plan-taker.ts'
import { isMendable, type TurnFailure } from '#shared/model/model-port.ts'
import type { TurnEnding } from '#shared/run/journal.ts'
import { callsEnded, callsLeft, waitsOf, type OpenTurn } from '#services/executor/run/open-turn.ts'
import { besidePlan } from '#services/executor/planning/progress.ts'
import type { HistoryItem } from '#services/executor/state/history-item.ts'
import { closeFence } from '#services/executor/context/fence.ts'
import { endingText, texts } from '#services/executor/run/texts.ts'

export type EndedTurn = {
  /** With the entries of its last step. */
  readonly turn: OpenTurn
  /** `set-aside`: its worker was lost with it every time. */
  readonly ending: TurnEnding | 'set-aside'
  /** What was written of an answer that did not come to its end. */
  readonly written: string
  /** A message was too long and is known to the model in part. */
  readonly cut: boolean
  readonly failure?: TurnFailure | undefined
  /** The command by which an owner raises the budget that is used up. */
  readonly raise?: string | undefined
  /** Calls wait for a person’s approval. */
  readonly isAwaiting?: boolean
  /** What it waits for is asked after another question. */
  readonly isBehind?: boolean
  /** The words of a feature that takes the work over. */
  readonly handed?: Pick<TakenOver, 'says'> | undefined
  /** Calls wait, and nobody could be asked. */
  readonly isUnasked?: boolean
}

export type EndingText = {
  readonly text: string
  /** The turn's items as they enter the history. */
  readonly items: readonly HistoryItem[]
  /** A limit or a failure ended it; going on may help. */
  readonly unfinished: boolean
  /** The model said something. */
  readonly hasReply: boolean
}

/** `meant`: a question that is still open and that what was said may be meant for. */
type About = {
  readonly events: readonly ChatEvent[]
  readonly language: Language
  readonly meant?: string | undefined
}

/** `items` are those of the whole turn. */
export function describeEnding(ended: EndedTurn, items: readonly HistoryItem[], about: About): EndingText {
  const { turn, ending, failure } = ended
  const { language } = about
  if (ended.handed) {
    const text = [ended.handed.says, ...toNotes(ended, about)].join('\n\n')
    // There is no answer to say better, longer or once more.
    return { text, items: withMark(items, ended.handed.says), unfinished: false, hasReply: false }
  }
  const isWorked =
    turn.start.response !== undefined ||
    turn.entries.some((entry) => entry.t === 'llm:fin' && entry.toolCalls.length > 0)
  // How it goes on is asked by a card; to ask the same once more would begin anew.
  const isMidway = ending === 'model-failed' && isWorked && isMendable(failure)
  const last = turn.entries.findLast((entry) => entry.t === 'llm:fin')
  const said = last?.text.trim() ?? ''
  // The history keeps what the model wrote; a plan that stands in a row of its own is not said twice.
  const shown = besidePlan(turn, ending === 'answered' ? said : ended.written.trim() || said).trim()
  const kept = ending === 'answered' ? shown || said : shown
  const mark = toMark(ended, { language, broke: last?.broke, hasText: kept !== '', isMidway })
  const waits = ending === 'suspended' ? waitsOf(turn) : []
  const answer = kept === '' ? [mark || texts.noAnswer[language]] : [closeFence(kept), ...inBrackets(mark, language)]
  const told = waits.length === 0 ? answer : [...(kept === '' ? [] : [closeFence(kept)]), ...waits]
  return {
    text: [...told, ...toDone(ended, language), ...toNotes(ended, about)].join('\n\n').toWellFormed(),
    items: ending === 'answered' ? withMark(items, mark) : [...toWhole(turn, items), toLast(ended, { said, mark })],
    unfinished: kept !== '' && (mark === texts.cutShort[language] || isBroken(ending)),
    hasReply: kept !== '',
  }
}

/** What was done before a limit ended it: how often each tool was used, and how often it failed. */
function toDone({ turn, ending }: EndedTurn, language: Language): string[] {
  if (!ending.startsWith('limit:')) return []
  const counts = new Map<string, { count: number; failed: number }>()
  for (const { name, ok } of callsEnded(turn)) {
    const { count, failed } = counts.get(name) ?? { count: 0, failed: 0 }
    counts.set(name, { count: count + 1, failed: failed + (ok ? 0 : 1) })
  }
  const calls = [...counts].slice(0, mostToolsNamed).map(([name, { count, failed }]) => {
    if (failed === 0) return `${name} ×${count}`
    const told = texts.ofThemFailed[language].replace('{count}', `${count}`).replace('{failed}', `${failed}`)
    return told.replace('{name}', name)
  })
  return calls.length === 0
    ? []
    : [texts.untilThen[language].replace('{calls}', calls.join(language === 'zh' ? '、' : ', '))]
}
const mostToolsNamed = 10

/** What goes in circles because it fails is not called a repetition. */
const isFailing = (turn: OpenTurn): boolean =>
  callsEnded(turn)
    .slice(-2)
    .some(({ ok }) => !ok)

const isBroken = (ending: EndedTurn['ending']): boolean => ending === 'model-failed' || ending.startsWith('limit:')

/** How an answer ended that is not whole; nothing for one that is. */
function toMark(
  { turn, ending, failure, raise, isAwaiting, isUnasked, isBehind }: EndedTurn,
  {
    language,
    broke,
    hasText,
    isMidway,
  }: { language: Language; broke: 'length' | 'filtered' | undefined; hasText: boolean; isMidway: boolean },
): string {
  if (ending === 'over-budget' && raise) return texts.ownBudget[language].replace('{raise}', raise)
  if (isUnasked) return endingText('unasked', language)
  if (ending === 'suspended') {
    const waits = endingText(isAwaiting ? 'awaiting' : 'suspended', language)
    return isBehind ? `${waits}${language === 'zh' ? '' : ' '}${texts.comesLater[language]}` : waits
  }
  if (ending === 'model-failed' && hasText) return texts[isMidway ? 'brokeOffMidway' : 'brokeOff'][language]
  if (isMidway) return endingText('midway', language, failure)
  if (ending === 'limit:identical-calls' && isFailing(turn)) return endingText('failing-calls', language)
  if (ending !== 'answered') return endingText(ending, language, failure)
  if (broke === 'filtered') return texts.filtered[language]
  return broke === 'length' && hasText ? texts.cutShort[language] : ''
}

const inBrackets = (mark: string, language: Language): string[] =>
  mark === '' ? [] : [language === 'zh' ? `（${mark}）` : `(${mark})`]

function toNotes({ cut, ending }: EndedTurn, { events, language, meant }: About): string[] {
  const messages = events.filter((event) => event.kind === 'message')
  return [
    ...(cut || messages.some((event) => event.truncated) ? [texts.tooLong[language]] : []),
    ...(messages.some((event) => event.media?.length) ? [texts.mediaToo[language]] : []),
    ...(meant !== undefined && ending === 'answered'
      ? inBrackets(
          texts.questionOpen[language].replace('{question}', () => toInertLine(meant, 160)),
          language,
        )
      : []),
  ]
}

/** The answer as the model will read it, saying that it was not whole. */
function withMark(items: readonly HistoryItem[], mark: string): readonly HistoryItem[] {
  const last = items.at(-1)
  if (mark === '' || last?.role !== 'assistant') return items
  return [...items.slice(0, -1), { ...last, text: [last.text, `[${mark}]`].filter(Boolean).join('\n\n') }]
}

/**
 * A tool call without its result is refused by endpoints. A step of which no call was begun is left out; where some were, what they did is
 * remembered, of one that was interrupted that nobody knows, and of the others that they were not made.
 */
function toWhole(turn: OpenTurn, items: readonly HistoryItem[]): readonly HistoryItem[] {
  const left = callsLeft(turn)
  if (left.length === 0) return items
  const last = items.findLastIndex((item) => item.role === 'assistant')
  const begun = callsBegun(turn)
  if (begun.size === 0) return items.slice(0, last)
  const unmade = left.map(({ id: callId }): HistoryItem => ({
    role: 'tool',
    callId,
    source: 'own',
    text: begun.has(callId) ? '[Interrupted. Whether it took effect is unknown.]' : '[not made]',
  }))
  return [...items, ...unmade]
}

/** Ids of the calls of the last model answer that were announced, whatever became of them. */
function callsBegun(turn: OpenTurn): ReadonlySet<string> {
  const step = turn.entries.findLast((entry) => entry.t === 'llm:fin')?.step
  return new Set(turn.entries.flatMap((entry) => (entry.t === 'tool:req' && entry.step === step ? [entry.callId] : [])))
}

/** What the turn ended with: what was written after its last whole step, and how it ended. */
function toLast({ turn, written }: EndedTurn, { said, mark }: { said: string; mark: string }): HistoryItem {
  const left = written.trim() || (callsLeft(turn).length > 0 && callsBegun(turn).size === 0 ? said : '')
  return { role: 'assistant', source: 'own', text: [left, `[${mark}]`].filter(Boolean).join('\n\n').toWellFormed() }
}
