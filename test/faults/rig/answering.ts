// People who answer whatever card comes: by a button, or in words in reply to it, one step after the other.
import type { Fleet } from './fleet.ts'
import type { Card, Place } from './place.ts'
import { isCard, type Matter, type Neighbour } from './neighbours.ts'

export type Answering = {
  /** By word, what the book is to say of it. */
  readonly answers: ReadonlyMap<string, string>
  /** Cards on which they did something. */
  readonly cards: ReadonlySet<string>
  /** They look at nothing until it is called with false. */
  pause(isPaused: boolean): void
  stop(): Promise<void>
}

const lookEveryMs = 500
/** What was pressed and changed nothing is pressed again. */
const againMs = 20_000

export function startAnswering(fleet: Fleet, people: readonly Neighbour[]): Answering {
  const answers = new Map<string, string>()
  const cards = new Set<string>()
  const written = new Set<string>()
  const stopping = new AbortController()
  let isPaused = false
  const answer = async (one: Neighbour, place: Place, card: Card): Promise<void> => {
    const matter = one.matters.find(({ word }) => card.text.includes(word))
    if (!matter) return
    cards.add(`${place.conversation} ${card.id}`)
    const { label, how } = toAct(matter, place)
    answers.set(matter.word, how)
    if (label === undefined) {
      // A reply that comes again would be a message of its own.
      if (written.has(matter.word)) return
      written.add(matter.word)
      const text = 'ten minutes or so'
      await fleet.telegram?.control({ do: 'sendText', from: one.who, text, replyTo: Number(card.id) })
    } else {
      const data = card.buttons.find((button) => button.label === label)?.data
      if (data === undefined) return
      await place.press(card.id, data, one.who)
    }
    for (const endMs = performance.now() + againMs; performance.now() < endMs; await fleet.pause(lookEveryMs)) {
      const now = (await place.said()).find(({ id }) => id === card.id)
      if (now?.text !== card.text || stopping.signal.aborted || isPaused) return
    }
  }
  const follow = async (one: Neighbour): Promise<void> => {
    for (; !stopping.signal.aborted; await fleet.pause(lookEveryMs))
      for (const place of isPaused ? [] : one.alone) {
        const open = (await place.said()).findLast(({ text, buttons }) => isCard(text) && buttons.length > 0)
        if (open) await answer(one, place, open)
      }
  }
  // A web page that cannot be had for a moment is looked at again.
  const keepOn = async (one: Neighbour): Promise<void> => {
    while (!stopping.signal.aborted) await follow(one).catch(async () => await fleet.pause(lookEveryMs))
  }
  const running = people.map(keepOn)
  return {
    answers,
    cards,
    pause: (paused) => void (isPaused = paused),
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

type Act = { readonly label?: string; readonly how: 'answered' | 'skipped' }

/** What they do depends on the matter alone, so that it is the same however often they do it. */
function toAct({ word, kind }: Matter, { channel }: Place): Act {
  const nth = [...word].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0)
  if (kind === 'keep') return nth % 4 === 0 ? { label: 'No', how: 'skipped' } : { label: 'Save', how: 'answered' }
  if (kind === 'yes-no')
    return nth % 3 === 0 ? { label: 'Skip', how: 'skipped' } : { label: nth % 2 === 0 ? 'Yes' : 'No', how: 'answered' }
  // Never about this would close what is alike, too.
  if (nth % 5 === 0) return { label: 'Skip', how: 'skipped' }
  return channel === 'telegram' ? { how: 'answered' } : { label: 'Skip', how: 'skipped' }
}
