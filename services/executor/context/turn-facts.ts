// Everything that is told of a turn: its messages, what people asked in it, and whose words went into it. Each is made of the journal when it is first
// wanted, and kept until the next step is stored.
import type { ChatEvent } from '#shared/chat/event.ts'
import type { Language } from '#shared/chat/message.ts'
import type { Taint } from '#shared/model/taint.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import type { Mailbox } from '#services/executor/run/mailbox.ts'
import { aboutOf, eventsOf, taintOf, type OpenTurn } from '#services/executor/run/open-turn.ts'
import { boundAbout, givenOf } from '#services/executor/state/state.ts'
import type { HistoryItem } from '#services/executor/state/history-item.ts'
import { itemsOf, languageOf, textOf, toInstructed } from './turn-items.ts'

export type TurnFacts = {
  readonly turn: OpenTurn
  /** Messages, presses and whatever else it has taken in. */
  readonly events: readonly ChatEvent[]
  /** What people asked in it. */
  readonly text: string
  /** Platform ids of the messages whose texts went into it. */
  readonly about: readonly string[]
  /**
   * The same for words that are kept for long: its own messages, and of what features gave only the parts whose words these repeat. Else a note would go
   * with each memory that was in the prompt when it was made.
   */
  aboutWords(words: string): readonly string[]
  /** Its part of the prompt and of the history. */
  readonly items: readonly HistoryItem[]
  readonly language: Language
  /** Of the model's instructions, for as long as the session goes. */
  readonly instructed: Language
  /** What others wrote that it was begun by, or that the model has read in it. */
  readonly taint: Taint
}

export function toFacts(
  turn: OpenTurn,
  { mailbox, state }: Pick<Claim, 'state'> & { readonly mailbox: Pick<Mailbox, 'find'> },
): TurnFacts {
  const events = eventsOf(turn).flatMap((seq) => mailbox.find(seq) ?? [])
  const text = once(() => textOf(turn, events))
  // What features gave to its prompt came of messages, too; its own stand last, which count the most.
  const about = once(() => boundAbout([...givenOf(state), ...aboutOf(turn, events)]))
  const items = once(() => itemsOf(turn, mailbox.find, state))
  const language = once(() => languageOf(state, turn, events))
  const instructed = once(() => toInstructed(state, turn, events))
  const taint = once(() => taintOf(turn))
  return {
    turn,
    events,
    get text() {
      return text()
    },
    get about() {
      return about()
    },
    aboutWords(words) {
      const own = aboutOf(turn, events)
      const parts = [...(state.prefix ?? []), ...(state.context ?? [])]
      const repeated = parts.filter((part) => part.about?.length && repeats(words, part.text, text()))
      return boundAbout([...repeated.flatMap(({ about: ids = [] }) => ids), ...own])
    },
    get items() {
      return items()
    },
    get language() {
      return language()
    },
    get instructed() {
      return instructed()
    },
    get taint() {
      return taint()
    },
  }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}

/** Words of four letters or digits and more; of Chinese each two signs that stand together. */
function wordsOf(text: string): ReadonlySet<string> {
  const low = text.toLowerCase()
  const words = low.match(/(?:(?!\p{Script=Han})[\p{L}\p{N}]){4,}/gu) ?? []
  const han = low.match(/\p{Script=Han}{2,}/gu) ?? []
  return new Set([...words, ...han.flatMap((run) => toPairs([...run]))])
}
const toPairs = (signs: readonly string[]): string[] => signs.slice(1).map((sign, i) => `${signs[i]}${sign}`)

/** Whether `words` have one of those that were given, and that its person did not say. In doubt they do. */
function repeats(words: string, given: string, asked: string): boolean {
  const said = wordsOf(asked)
  const known = wordsOf(given)
  return [...wordsOf(words)].some((word) => known.has(word) && !said.has(word))
}
