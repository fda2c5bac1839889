// Row 1: a process dies before and after every kernel unit it calls, one unit at a time, and the conversation still ends well.
// `provoke` makes the unit happen. A point that is never reached fails: it would prove nothing.
import type { Child } from '#test/faults/rig/child.ts'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import type { Asked } from '#test/faults/rig/transcripts.ts'
import { expectInvariants } from '#test/faults/rig/oracle.ts'
import { assert, percentile, type Scenario } from '#test/faults/rig/scenario.ts'

type Provoke =
  /** One question, answered at once. */
  | 'one'
  /** One question whose answer streams for a second: drafts are shown. */
  | 'slow'
  /** A second question by the same person while the first is answered. */
  | 'joined'
  /** A hint when nothing waits: the lease is taken and given back. */
  | 'spare'
  /** One question, and its conversation read over HTTP. */
  | 'read'

type Role = 'executor' | 'router' | 'router,executor' | 'web'
type Channel = 'web' | 'telegram' | 'console'

type Point = { readonly unit: string; readonly provoke: Provoke }

const executorPoints: readonly Point[] = [
  { unit: 'claim', provoke: 'one' },
  { unit: 'gate', provoke: 'one' },
  { unit: 'gate::2', provoke: 'one' },
  { unit: 'append', provoke: 'one' },
  { unit: 'append::2', provoke: 'one' },
  { unit: 'draft', provoke: 'slow' },
  { unit: 'pending', provoke: 'joined' },
  { unit: 'claim::2', provoke: 'spare' },
  { unit: 'release', provoke: 'spare' },
]

const routerPoints: readonly Point[] = [
  { unit: 'inbox', provoke: 'one' },
  { unit: 'route', provoke: 'one' },
]

/** The web role stores what is posted and reads what is shown. */
const webPoints: readonly Point[] = [
  { unit: 'ingest', provoke: 'one' },
  { unit: 'readOut', provoke: 'read' },
]

/** The sweeper runs in every process, one at a time: here there is no other. */
const sweeperPoints: readonly Point[] = [{ unit: 'due', provoke: 'one' }]

const recoveryMs = 15_000

export const crashPoints: readonly Scenario[] = [
  crashScenario('crash-executor-web', { role: 'executor', channel: 'web' }, executorPoints),
  crashScenario('crash-executor-telegram', { role: 'executor', channel: 'telegram' }, executorPoints),
  crashScenario('crash-executor-console', { role: 'executor', channel: 'console' }, executorPoints),
  crashScenario('crash-router-web', { role: 'router', channel: 'web' }, routerPoints),
  crashScenario('crash-router-telegram', { role: 'router', channel: 'telegram' }, routerPoints),
  crashScenario('crash-web', { role: 'web', channel: 'web' }, webPoints),
  crashScenario('crash-sweeper', { role: 'router,executor', channel: 'web' }, sweeperPoints),
]

/** A few points, for the quick subset. */
export const quickCrashPoints: readonly Scenario[] = [
  crashScenario(
    'crash-executor-quick',
    { role: 'executor', channel: 'web' },
    executorPoints.filter(({ unit }) => unit === 'append'),
  ),
  crashScenario(
    'crash-router-quick',
    { role: 'router', channel: 'web' },
    routerPoints.filter(({ unit }) => unit === 'route'),
  ),
]

type Where = { readonly role: Role; readonly channel: Channel }

function crashScenario(name: string, where: Where, points: readonly Point[]): Scenario {
  const { role, channel } = where
  return {
    name,
    rows: [1],
    async run(note) {
      await using fleet = await startFleet({ telegram: channel === 'telegram' })
      const others = ['router', 'executor', ...(channel === 'telegram' ? ['telegram'] : [])]
      await Promise.all(others.filter((other) => !role.split(',').includes(other)).map((other) => fleet.start(other)))
      const recoveries: number[] = []
      let chat = 5000
      for (const point of points) {
        for (const side of ['before', 'after'] as const) {
          chat += 1
          recoveries.push(await crashOnce(fleet, where, { point, side, chat }))
        }
      }
      await expectInvariants(fleet, { extraModelCalls: recoveries.length })
      const worst = Math.max(...recoveries)
      note(`${recoveries.length} crash points, recovery p50 ${percentile(recoveries, 0.5)} ms, worst ${worst} ms`)
    },
  }
}

type Case = { readonly point: Point; readonly side: 'before' | 'after'; readonly chat: number }

/** Resolves with the time from the crash to the answer, ms; the start of the next process is in it. */
async function crashOnce(fleet: Fleet, { role, channel }: Where, { point, side, chat }: Case): Promise<number> {
  const [unit = '', , nth = '1'] = point.unit.split(':')
  const at = `${unit}:${side}:${nth}`
  const calls = (await fleet.model.counters()).requests
  const crashing = await fleet.start(role, { CRASH_AT: at })
  const talk = provoke(fleet, point.provoke, { chat, crashing, ask: toAsk(fleet, role, channel) })
  const { signal } = await Promise.race([crashing.ended, fleet.pause(recoveryMs).then(() => ({ signal: undefined }))])
  assert(signal === 'SIGKILL', `${role} never reached ${at}:\n${crashing.tail()}`)
  const crashedAtMs = Date.now()
  const next = await fleet.start(role)
  const needed = await talk
  await fleet.answered(recoveryMs).catch((error: unknown) => {
    throw new Error(`after a crash of ${role} at ${at}: ${String(error)}`)
  })
  const took = Date.now() - crashedAtMs
  const spent = (await fleet.model.counters()).requests - calls
  assert(spent <= needed + 1, `${at}: ${spent} model calls, ${needed} needed`)
  await fleet.model.clearScript()
  await next.kill()
  return took
}

type Ask = (chat: number, text: string) => Promise<Asked>

function toAsk(fleet: Fleet, role: Role, channel: Channel): Ask {
  if (channel === 'telegram') return (chat, text) => fleet.askTelegram(chat, text)
  return role === 'web' ? (chat, text) => fleet.askWeb(chat, text) : (chat, text) => fleet.ask(chat, text, channel)
}

/** Resolves with how many model calls are needed without a crash. */
async function provoke(
  fleet: Fleet,
  what: Provoke,
  { chat, crashing, ask }: { readonly chat: number; readonly crashing: Child; readonly ask: Ask },
): Promise<number> {
  if (what === 'slow' || what === 'joined') await fleet.model.script({ chunkDelayMs: 150, times: 1 })
  const before = (await fleet.model.counters()).requests
  const first = await ask(chat, `what is in ${chat} and how many words does this question have, one two three?`)
  switch (what) {
    case 'one':
    case 'slow':
      return 1
    case 'joined':
      await fleet.model.asked(before + 1)
      await ask(chat, `and what else is in ${chat}?`)
      return 2
    case 'spare':
      // A spare hint left by the crash before this one may come first.
      await Promise.race([fleet.answered(recoveryMs, [first]), crashing.ended])
      if (crashing.isRunning()) await fleet.hints.execute(first.conversation)
      await crashing.ended
      await ask(chat, `again ${chat}?`)
      return 2
    case 'read':
      await fleet.readWeb(chat)
      return 1
    default:
      return what satisfies never
  }
}
