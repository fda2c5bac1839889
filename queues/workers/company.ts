// Which conversations run beside each other in a process that one of them may kill. One death does not tell which of all that ran there
// caused it: those that were there twice go on in ever smaller company, until a deadly one dies alone and the others have proved harmless.
//
// A visit:  entered (young) -trusted, or ended-> no longer looked at.
//           suspected: entered -no permit-> put off, without a slot or a lease  |  -permit-> runs until it gets on or ends
//           alone: the door is shut, the young are waited for; it opens when the one alone got on or ended, at the latest when it is trusted.

/** By how often something was started in vain before: from the third start on 16, then 4, then one at a time. */
const sizes: readonly number[] = [16, 4, 1]
const startsInAnyCompany = 2
/** What has run for so long is not what kills its process at once. */
const trustedAfterMs = 20_000
/** Those put off come again one after another, so long apart for each permit there is, and none later than that. */
const apartMs = 1000
const latestMs = 60_000

/** `calm`: to be awaited before it begins. */
export type Permit =
  | { readonly kind: 'ROOM'; readonly calm?: Promise<void> }
  | { readonly kind: 'FULL'; readonly afterMs: number }

export type Visit = {
  /** A permit for a start, the `attempts`-th, until `proved` or `leave`. Asked once. */
  find(attempts: number): Permit
  /** It got on: it is suspected of nothing any more. */
  proved(): void
  leave(): void
}

export type Company = {
  /** Waits while another runs alone. Undefined when `signal` aborted meanwhile. */
  enter(signal: AbortSignal): Promise<Visit | undefined>
}

export function createCompany(trustedMs: number = trustedAfterMs): Company {
  const house: House = { levels: sizes.map(toLevel), young: createYoung(trustedMs), door: createDoor(), trustedMs }
  return {
    async enter(signal) {
      await house.door.pass(signal)
      return signal.aborted ? undefined : createVisit(house)
    },
  }
}

type Level = { readonly size: number; inside: number; nextAtMs: number }
const toLevel = (size: number): Level => ({ size, inside: 0, nextAtMs: 0 })

type House = {
  readonly levels: readonly Level[]
  readonly young: Young
  readonly door: Door
  readonly trustedMs: number
}

function createVisit(house: House): Visit {
  const trust = house.young.add()
  let giveBack: (() => void) | undefined
  const proved = (): void => {
    giveBack?.()
    giveBack = undefined
  }
  return {
    find(attempts) {
      if (attempts <= startsInAnyCompany) return { kind: 'ROOM' }
      const level = house.levels[attempts - startsInAnyCompany - 1] ?? house.levels.at(-1)
      if (!level || level.inside >= level.size) return { kind: 'FULL', afterMs: level ? comeAgain(level) : apartMs }
      level.inside += 1
      giveBack = () => (level.inside -= 1)
      if (level.size > 1) return { kind: 'ROOM' }
      trust()
      const open = house.door.shut()
      giveBack = () => {
        level.inside -= 1
        open()
      }
      return {
        kind: 'ROOM',
        calm: house.young.calm().then(() => {
          setTimeout(open, house.trustedMs).unref()
        }),
      }
    },
    proved,
    leave() {
      trust()
      proved()
    },
  }
}

type Young = {
  /** Adds one; what comes back trusts it at once, before its time. */
  add(): () => void
  /** Resolves when nobody young is there. */
  calm(): Promise<void>
}

function createYoung(trustedMs: number): Young {
  const members = new Set<object>()
  let onCalm: (() => void) | undefined
  return {
    add() {
      const member = {}
      members.add(member)
      const trust = (): void => {
        clearTimeout(timer)
        members.delete(member)
        if (members.size === 0) onCalm?.()
      }
      const timer = setTimeout(trust, trustedMs)
      timer.unref()
      return trust
    },
    async calm() {
      if (members.size > 0) await new Promise<void>((resolve) => (onCalm = resolve))
      onCalm = undefined
    },
  }
}

type Door = {
  /** Resolves when it is open, or `signal` aborted. */
  pass(signal: AbortSignal): Promise<void>
  /** What comes back opens it, if nobody has shut it again since. */
  shut(): () => void
}

function createDoor(): Door {
  let shut: { readonly opened: Promise<void>; readonly open: () => void } | undefined
  return {
    async pass(signal) {
      for (;;) {
        if (!shut || signal.aborted) return
        const { promise, resolve } = Promise.withResolvers<void>()
        const onAbort = (): void => resolve()
        signal.addEventListener('abort', onAbort)
        shut.opened.then(resolve, resolve)
        await promise
        // The signal lives as long as the process.
        signal.removeEventListener('abort', onAbort)
      }
    },
    shut() {
      const { promise: opened, resolve: open } = Promise.withResolvers<void>()
      const own = { opened, open }
      shut = own
      return () => {
        if (shut !== own) return
        shut = undefined
        open()
      }
    },
  }
}

function comeAgain(level: Level): number {
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
