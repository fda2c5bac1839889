// Order among updates that come at the same time: one chat's are taken one after the other, by their numbers; chats do not wait for each
// other. Telegram pushes many at once, and a message may overtake the one before it on the way. So an update whose predecessor has not
// come waits for it a moment. With several receivers the predecessor may have gone to another one: between receivers no order holds.
//
// come -> waiting -its number's turn, and its predecessor came or the moment is over-> being taken -> done;
// -one before it could not be stored-> refused: all come again.
import { setTimeout as sleep } from 'node:timers/promises'
import { toChat } from '#shared/chat/conversation.ts'
import { toChatId } from './ids.ts'
import type { Incoming } from './to-event.ts'

export type Lanes = {
  /** Resolves when `take` has; rejects as it does, or when an earlier one of the chat was rejected meanwhile. */
  run(id: number, lane: string, take: () => Promise<void>): Promise<void>
}

type Waiting = {
  readonly id: number
  readonly ready: Promise<unknown>
  readonly take: () => Promise<void>
  readonly done: PromiseWithResolvers<void>
}

/** So many of the latest numbers are known to have come. */
const mostKnown = 1000

export function createLanes(patienceMs: number): Lanes {
  const lanes = new Map<string, Waiting[]>()
  /** Numbers that came, and who waits for those that did not. */
  const came = new Set<number>()
  const bells = new Map<number, () => void>()

  function note(id: number): void {
    came.add(id)
    bells.get(id)?.()
    const [oldest] = came
    if (came.size > mostKnown && oldest !== undefined) came.delete(oldest)
  }

  async function waitForPredecessor(id: number): Promise<void> {
    if (came.has(id - 1)) return
    const bell = Promise.withResolvers<void>()
    const over = new AbortController()
    bells.set(id - 1, bell.resolve)
    await Promise.race([bell.promise, sleep(patienceMs, undefined, { signal: over.signal }).catch(() => {})])
    over.abort()
    bells.delete(id - 1)
  }

  async function work(name: string, waiting: Waiting[]): Promise<void> {
    for (let first = toFirst(waiting); first; first = toFirst(waiting)) {
      await first.ready
      // An earlier one may have come meanwhile.
      if (toFirst(waiting) !== first) continue
      try {
        await first.take()
        waiting.splice(waiting.indexOf(first), 1)
        first.done.resolve()
      } catch (error) {
        for (const one of waiting.splice(0)) one.done.reject(error)
      }
    }
    lanes.delete(name)
  }

  return {
    async run(id, lane, take) {
      const one: Waiting = { id, take, ready: waitForPredecessor(id), done: Promise.withResolvers() }
      note(id)
      const waiting = lanes.get(lane)
      if (waiting) waiting.push(one)
      else {
        const opened = [one]
        lanes.set(lane, opened)
        work(lane, opened).catch((error: unknown) => {
          lanes.delete(lane)
          for (const waiter of opened.splice(0)) waiter.done.reject(error)
        })
      }
      await one.done.promise
    },
  }
}

function toFirst(waiting: readonly Waiting[]): Waiting | undefined {
  return waiting.reduce<Waiting | undefined>((first, one) => (first && first.id <= one.id ? first : one), undefined)
}

/** Which chat an update is about; one that moved counts for the chat it moved to, where people go on. */
export function toLane({ standing, ...incoming }: Incoming): string {
  if (standing) return standing.kind === 'moved' ? standing.to : standing.chat
  if (incoming.kind === 'event') return toChat(incoming.event.conversation)
  const chat = incoming.kind === 'press' ? incoming.press.message?.chat.id : undefined
  return chat === undefined ? incoming.kind : toChatId(chat)
}
