// Lanes of a shard's events: each takes its events one after the other, and many lanes are at work at a time.
import { takeItem, type Item, type TakeItemDeps, type TakingDeps } from './take-item.ts'

/** `done`: all its items are stored, or the signal aborted. */
type Lane = { readonly items: Item[]; done: Promise<void> }

/** Lanes at work at a time, without those that rest. */
const mostAtWork = 64

export type Lanes = {
  /** As many lanes are at work as may be. */
  isFull(): boolean
  put(item: Item, signal: AbortSignal): void
  /** Resolves when what is in the lanes now is stored, or the signal aborted. */
  ended(): Promise<unknown>
}

/** `onChange`: an item is stored, or a lane ended or rests. */
export function createLanes(deps: TakeItemDeps, onChange: () => void): Lanes {
  const lanes = new Map<string, Lane>()
  let resting = 0
  let away: Promise<void> | undefined

  async function work(name: string, waiting: Item[], signal: AbortSignal): Promise<void> {
    for (let item = waiting[0]; item && !signal.aborted; item = waiting[0]) {
      if (item.before) await rest(item.before)
      if (signal.aborted || !(await takeItem(taking, item, signal))) return
      item.isStored = true
      waiting.shift()
      onChange()
    }
    lanes.delete(name)
    onChange()
  }

  /** A lane that rests leaves its permit to work to another. */
  async function rest(over: Promise<void>): Promise<void> {
    resting += 1
    onChange()
    await over
    resting -= 1
  }

  /** One outage that many lanes meet is one failure. */
  async function pause(text: string, signal: AbortSignal): Promise<void> {
    away ??= deps.backOff.wait(text, signal).finally(() => {
      away = undefined
    })
    await away
  }

  const taking: TakingDeps = { ...deps, rest, pause }
  return {
    isFull: () => lanes.size - resting >= mostAtWork,
    put(item, signal) {
      if (item.behind !== undefined) item.before = lanes.get(item.behind)?.done
      const name = item.lane ?? ''
      const lane = lanes.get(name)
      if (lane) lane.items.push(item)
      else {
        const opened: Lane = { items: [item], done: Promise.resolve() }
        lanes.set(name, opened)
        opened.done = work(name, opened.items, signal)
      }
    },
    ended: async () => await Promise.all([...lanes.values()].map(({ done }) => done)),
  }
}
