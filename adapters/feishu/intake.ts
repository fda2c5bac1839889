// Events on their way into the mailboxes: one conversation's are stored one after the other, as they came; conversations do not wait for
// each other. What cannot be stored now is tried again here, since Feishu would bring it only after 15 s, five minutes, an hour.
//
// pushed -> waiting -those of its lane before it are stored-> being stored -> stored;
// being stored -the store is away-> resting -> being stored; waiting, resting -the channel stops-> refused: Feishu brings it again.
import { setTimeout as sleep } from 'node:timers/promises'
import { BotError } from '#shared/errors.ts'

export type Intake = {
  /** Resolves when it is stored, or left out for good. Rejects when it must come again. The same key in hand is the same event. */
  push(item: Item): Promise<void>
  /** Resolves when nothing is in hand any more; nothing is taken from then on. */
  end(): Promise<void>
}

export type Item = {
  readonly key: string
  readonly lane: string
  /** Whose doing it is: the person's, or the conversation's. */
  readonly cause: string
  readonly bytes: number
  /** Throws BotError when it must be tried again. */
  take(): Promise<void>
}

export type IntakeDeps = {
  readonly say: (text: string) => void
  readonly count: (reason: string) => void
}

type Load = { readonly items: number; readonly bytes: number }
const most: Load = { items: 5000, bytes: 32 * 1024 * 1024 }
/** Of one cause: whoever floods one conversation keeps nobody else out. */
const mostOfOne: Load = { items: 500, bytes: 8 * 1024 * 1024 }
const nothing: Load = { items: 0, bytes: 0 }

export function createIntake(deps: IntakeDeps): Intake {
  const inHand = new Map<string, Promise<void>>()
  const lanes = new Map<string, Promise<void>>()
  const ended = new AbortController()
  const loads = createLoads()

  async function work(item: Item, before: Promise<void> | undefined): Promise<void> {
    await before?.catch(() => {})
    for (let tries = 0; ; tries++) {
      if (ended.signal.aborted) throw new Error('The channel stops.')
      try {
        return await item.take()
      } catch (error) {
        if (!(error instanceof BotError) || error.retry === 'never') {
          // One broken conversation must not keep the whole channel waiting for ever.
          const why = error instanceof BotError ? error.message : 'an unexpected error'
          deps.count('refused')
          return deps.say(`An event of Feishu could not be stored and was left out: ${why}`)
        }
        if (tries === 0) deps.say(`Events of Feishu wait, since they cannot be stored: ${error.message}`)
        const waitMs = Math.max(error.retry.afterMs, Math.min(200 * 2 ** tries, 10_000))
        await sleep(waitMs, undefined, { signal: ended.signal }).catch(() => {})
      }
    }
  }

  return {
    async push(item) {
      const known = inHand.get(item.key)
      if (known) return await known
      if (ended.signal.aborted) throw new Error('The channel stops.')
      const load = { items: 1, bytes: item.bytes }
      if (loads.isTooMuch(item.cause, load)) {
        deps.count('too-many-at-once')
        throw new Error('Too many events wait.')
      }
      loads.add(item.cause, load)
      const working = work(item, lanes.get(item.lane))
      const done = working.finally(() => {
        loads.add(item.cause, { items: -1, bytes: -item.bytes })
        inHand.delete(item.key)
        if (lanes.get(item.lane) === done) lanes.delete(item.lane)
      })
      inHand.set(item.key, done)
      lanes.set(item.lane, done)
      await done
    },
    async end() {
      ended.abort()
      await Promise.allSettled(inHand.values())
    },
  }
}

type Loads = { add(cause: string, change: Load): void; isTooMuch(cause: string, load: Load): boolean }

/** What is in hand, of all together and of each cause. */
function createLoads(): Loads {
  const loads = new Map<string, Load>()
  let all = nothing
  return {
    add(cause, change) {
      const of = plus(loads.get(cause) ?? nothing, change)
      all = plus(all, change)
      if (of.items === 0) loads.delete(cause)
      else loads.set(cause, of)
    },
    isTooMuch(cause, load) {
      const of = loads.get(cause) ?? nothing
      return isOver(plus(all, load), most) || (of.items > 0 && isOver(plus(of, load), mostOfOne))
    },
  }
}

const plus = (one: Load, other: Load): Load => ({ items: one.items + other.items, bytes: one.bytes + other.bytes })
const isOver = (one: Load, limit: Load): boolean => one.items > limit.items || one.bytes > limit.bytes
