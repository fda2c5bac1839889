// Which conversations run beside each other in a process that one of them may kill. One death does not tell which of all that ran there
// caused it: those that were there twice go on in ever smaller company, until a deadly one dies alone and the others have proved harmless.
//
// A visit:  entered (young) -settled, or ended-> no longer looked at.
//           suspected: entered -no place-> put off, without a slot or a lease  |  -place-> runs until it gets on or ends
//           alone: the door is shut, the young are waited for; it opens when the one alone got on or ended, at the latest when it is settled.

/** By how often something was started in vain before: from the third start on 16, then 4, then one at a time. */
const sizes: readonly number[] = [16, 4, 1]
const startsInAnyCompany = 2
/** What has run for so long is not what kills its process at once. */
const settledAfterMs = 20_000
/** Those put off come again one after another, so long apart for each place there is, and none later than that. */
const apartMs = 1000
const latestMs = 60_000

/** `calm`: to be awaited before it begins. */
export type Place =
  | { readonly kind: 'ROOM'; readonly calm?: Promise<void> }
  | { readonly kind: 'FULL'; readonly afterMs: number }

export type Visit = {
  /** A place for a start, the `attempts`-th, until `proved` or `leave`. Asked once. */
  find(attempts: number): Place
  /** It got on: it is suspected of nothing any more. */
  proved(): void
  leave(): void
}

export type Company = {
  /** Waits while another runs alone. Undefined when `signal` aborted meanwhile. */
  enter(signal: AbortSignal): Promise<Visit | undefined>
}

export function createCompany(settledMs: number = settledAfterMs): Company {
  const levels = sizes.map((size) => ({ size, inside: 0, nextAtMs: 0 }))
  const young = new Set<object>()
  let door: { readonly opened: Promise<void>; open(): void } | undefined
  let onCalm: (() => void) | undefined

  function settle(member: object): void {
    young.delete(member)
    if (young.size === 0) onCalm?.()
  }

  /** Resolves when nobody young is there; from then on the door stays shut for as long as one stays young. */
  async function shutDoor(): Promise<void> {
    const { promise: opened, resolve } = Promise.withResolvers<void>()
    const shut = { opened, open: resolve }
    door = shut
    if (young.size > 0) await new Promise<void>((calm) => (onCalm = calm))
    onCalm = undefined
    setTimeout(() => openDoor(shut), settledMs).unref()
  }

  function openDoor(shut: typeof door): void {
    if (door !== shut) return
    door = undefined
    shut?.open()
  }

  return {
    async enter(signal) {
      for (;;) {
        const shut = door
        if (signal.aborted) return undefined
        if (!shut) break
        await Promise.race([shut.opened, aborted(signal)])
      }
      const member = {}
      young.add(member)
      const timer = setTimeout(() => settle(member), settledMs)
      timer.unref()
      let giveBack: (() => void) | undefined
      const proved = (): void => {
        giveBack?.()
        giveBack = undefined
      }
      return {
        find(attempts) {
          if (attempts <= startsInAnyCompany) return { kind: 'ROOM' }
          const level = levels[attempts - startsInAnyCompany - 1] ?? levels.at(-1)
          if (!level || level.inside >= level.size) return { kind: 'FULL', afterMs: level ? comeAgain(level) : apartMs }
          level.inside += 1
          giveBack = () => (level.inside -= 1)
          if (level.size > 1) return { kind: 'ROOM' }
          settle(member)
          const calm = shutDoor()
          const shut = door
          giveBack = () => {
            level.inside -= 1
            openDoor(shut)
          }
          return { kind: 'ROOM', calm }
        },
        proved,
        leave() {
          clearTimeout(timer)
          settle(member)
          proved()
        },
      }
    },
  }
}

function comeAgain(level: { readonly size: number; nextAtMs: number }): number {
  const nowMs = performance.now()
  const afterMs = Math.min(Math.max(level.nextAtMs - nowMs, 0) + apartMs / level.size, latestMs)
  level.nextAtMs = nowMs + afterMs
  return Math.ceil(afterMs)
}

/** Resolves when the signal aborts. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
