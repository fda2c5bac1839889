// Tells the operator of work that held up all else in its process: a timer comes late, and this very thread was at work for as long. A machine that gives
// the process no time is not told of.
import type { Log } from '#infra/log/log.ts'
import type { Part } from './part.ts'
import { mostHeldMs, usedMs, type Held, type Underway } from './underway.ts'

const everyMs = 50
/** Within a minute. Work that holds the loop again and again says no more the tenth time. */
const mostTold = 5
const minuteMs = 60_000
const mostNames = 8

export type LoopDeps = {
  readonly log: Pick<Log, 'warn'>
  readonly underway: Pick<Underway, 'whatHeld'>
}

export function startLoopWatch({ log, underway }: LoopDeps): Part {
  let told: number[] = []
  let last = { atMs: performance.now(), usedMs: usedMs() }

  const look = (): void => {
    const now = { atMs: performance.now(), usedMs: usedMs() }
    const heldMs = Math.min(now.atMs - last.atMs - everyMs, now.usedMs - last.usedMs)
    const sinceMs = last.atMs
    last = now
    if (heldMs <= mostHeldMs) return
    const held = underway.whatHeld(sinceMs)
    told = told.filter((atMs) => now.atMs - atMs < minuteMs)
    if (told.length >= mostTold) return
    told.push(now.atMs)
    log.warn({ heldMs: Math.round(heldMs) }, describe(held))
  }

  const timer = setInterval(look, everyMs)
  timer.unref()
  return {
    name: 'loop watch',
    async stop() {
      clearInterval(timer)
    },
  }
}

function describe({ surely, perhaps }: Held): string {
  const what = `held up all else in this process for longer than ${mostHeldMs} ms`
  if (surely.length > 0) return `This ${what}: ${list(surely)}.`
  if (perhaps.length > 0) return `Something ${what}. Under way were: ${list(perhaps)}.`
  return `Something that has no name ${what}.`
}

function list(names: readonly string[]): string {
  const more = names.length - mostNames
  return names.slice(0, mostNames).join('; ') + (more > 0 ? `; and ${more} more` : '')
}
