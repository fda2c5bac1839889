// Row 1: a process dies before and after every kernel unit it calls, one unit at a time, and the conversation still ends well.
// `provoke` makes the unit happen. A point that is never reached fails: it would prove nothing.
import type { Child } from '#test/faults/rig/child.ts'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { expectInvariants } from '#test/faults/rig/oracle.ts'
import { assert, percentile, type Scenario } from '#test/faults/rig/scenario.ts'

type Provoke =
  /** One question, answered at once. */
  | 'one'
  /** One question whose answer streams for a second: leases are renewed and drafts shown. */
  | 'slow'
  /** A second question by the same person while the first is answered. */
  | 'joined'
  /** A hint when nothing waits: the lease is taken and given back. */
  | 'spare'

type Role = 'executor' | 'router' | 'router,executor'

type Point = { readonly unit: string; readonly provoke: Provoke }

const executorPoints: readonly Point[] = [
  { unit: 'claim', provoke: 'one' },
  { unit: 'budget', provoke: 'one' },
  { unit: 'budget::3', provoke: 'one' },
  { unit: 'budget::4', provoke: 'one' },
  { unit: 'append', provoke: 'one' },
  { unit: 'append::2', provoke: 'one' },
  { unit: 'cap', provoke: 'one' },
  { unit: 'cap::2', provoke: 'one' },
  { unit: 'renew', provoke: 'slow' },
  { unit: 'draft', provoke: 'slow' },
  { unit: 'pending', provoke: 'joined' },
  { unit: 'claim::2', provoke: 'spare' },
  { unit: 'release', provoke: 'spare' },
]

const routerPoints: readonly Point[] = [
  { unit: 'inbox', provoke: 'one' },
  { unit: 'budget', provoke: 'one' },
  { unit: 'route', provoke: 'one' },
]

/** The sweeper runs in every process, one at a time: here there is no other. */
const sweeperPoints: readonly Point[] = [{ unit: 'due', provoke: 'one' }]

const recoveryMs = 15_000

export const crashPoints: readonly Scenario[] = [
  crashScenario('crash-executor', 'executor', executorPoints),
  crashScenario('crash-router', 'router', routerPoints),
  crashScenario('crash-sweeper', 'router,executor', sweeperPoints),
]

/** A few points, for the quick subset. */
export const quickCrashPoints: readonly Scenario[] = [
  crashScenario(
    'crash-executor-quick',
    'executor',
    executorPoints.filter(({ unit }) => ['claim', 'append', 'append::2'].includes(unit)),
  ),
  crashScenario(
    'crash-router-quick',
    'router',
    routerPoints.filter(({ unit }) => unit === 'route'),
  ),
]

function crashScenario(name: string, role: Role, points: readonly Point[]): Scenario {
  return {
    name,
    rows: [1],
    async run(note) {
      await using fleet = await startFleet()
      if (role !== 'router,executor') await fleet.start(role === 'executor' ? 'router' : 'executor')
      const recoveries: number[] = []
      let chat = 0
      for (const point of points) {
        for (const side of ['before', 'after'] as const) {
          chat += 1
          recoveries.push(await crashOnce(fleet, { role, point, side, chat: `${role.replace(',', '-')}-${chat}` }))
        }
      }
      await expectInvariants(fleet, { extraModelCalls: recoveries.length })
      const worst = Math.max(...recoveries)
      note(`${recoveries.length} crash points, recovery p50 ${percentile(recoveries, 0.5)} ms, worst ${worst} ms`)
    },
  }
}

/** Resolves with the time from the crash to the answer, ms; the start of the next process is in it. */
async function crashOnce(
  fleet: Fleet,
  how: { role: Role; point: Point; side: 'before' | 'after'; chat: string },
): Promise<number> {
  const [unit = '', , nth = '1'] = how.point.unit.split(':')
  const at = `${unit}:${how.side}:${nth}`
  const calls = (await fleet.model.counters()).requests
  const crashing = await fleet.start(how.role, { CRASH_AT: at })
  const needed = await provoke(fleet, how.point.provoke, { chat: how.chat, crashing })
  const { signal } = await Promise.race([crashing.ended, fleet.pause(recoveryMs).then(() => ({ signal: undefined }))])
  assert(signal === 'SIGKILL', `${how.role} never reached ${at}:\n${crashing.tail()}`)
  const crashedAtMs = Date.now()
  const next = await fleet.start(how.role)
  await fleet.answered(recoveryMs).catch((error: unknown) => {
    throw new Error(`after a crash of ${how.role} at ${at}: ${String(error)}`)
  })
  if (how.point.provoke === 'spare') await fleet.answered(recoveryMs, [await fleet.ask(how.chat, `again ${how.chat}`)])
  const took = Date.now() - crashedAtMs
  const spent = (await fleet.model.counters()).requests - calls
  assert(spent <= needed + 1, `${at}: ${spent} model calls, ${needed} needed`)
  await fleet.model.clearScript()
  await next.kill()
  return took
}

/** Resolves with how many model calls are needed without a crash. */
async function provoke(
  fleet: Fleet,
  what: Provoke,
  { chat, crashing }: { chat: string; crashing: Child },
): Promise<number> {
  if (what === 'slow' || what === 'joined') await fleet.model.script({ chunkDelayMs: 150, times: 1 })
  const before = (await fleet.model.counters()).requests
  const first = await fleet.ask(chat, `what is in ${chat} and how many words does this question have, one two three?`)
  switch (what) {
    case 'one':
    case 'slow':
      return 1
    case 'joined':
      await fleet.model.asked(before + 1)
      await fleet.ask(chat, `and what else is in ${chat}?`)
      return 2
    case 'spare':
      // A spare hint left by the crash before this one may come first.
      await Promise.race([fleet.answered(recoveryMs, [first]), crashing.ended])
      if (crashing.isRunning()) await fleet.hints.execute(first.conversation)
      return 2
    default:
      return what satisfies never
  }
}
