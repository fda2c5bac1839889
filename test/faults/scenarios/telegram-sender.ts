// Rows 5 and 6, and Telegram's share of row 1: the sender dies before, during and after a request; the poller before and after storing.
// One message is seen once, or not at all and then the row is `unknown` and the person is told.
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { expectInvariants } from '#test/faults/rig/oracle.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'

type Point = {
  readonly at: string
  /** Whether a row may be under way and end `unknown`. */
  readonly ambiguous?: boolean
  /** Holds the request at the simulator for longer than the lease is renewed. */
  readonly slow?: boolean
}

const points: readonly Point[] = [
  { at: 'lease:before' },
  { at: 'lease:after' },
  { at: 'ingest:before' },
  { at: 'ingest:after' },
  { at: 'begin:before' },
  { at: 'begin:after', ambiguous: true },
  { at: 'prolong:before', ambiguous: true, slow: true },
  { at: 'prolong:after', ambiguous: true, slow: true },
  { at: 'settle:before', ambiguous: true },
  { at: 'settle:after' },
]

// A sending row waits for the request's ten seconds and two more before it counts as unknown.
const patienceMs = 40_000

export const telegramSender: Scenario = {
  name: 'crash-telegram',
  rows: [1, 5, 6],
  async run(note) {
    await using fleet = await startFleet({ telegram: true })
    await Promise.all([fleet.start('router'), fleet.start('executor')])
    for (const [i, point] of points.entries()) await crashOnce(fleet, point, 800 + i)
    const ambiguous = points.filter((point) => point.ambiguous).length
    const unknown = await expectInvariants(fleet, { extraModelCalls: 0, unknown: ambiguous })
    const notices = (await fleet.telegram?.calls())?.filter((call) =>
      /may not have arrived/.test(String(call.params['text'])),
    )
    note(`${points.length} crash points, ${unknown} of at most ${ambiguous} unknown, ${notices?.length} people told`)
    assert(
      unknown === ambiguous,
      `${unknown} unknown rows, ${ambiguous} expected: a point was not where it was meant to be`,
    )
    assert(notices?.length === unknown, `${notices?.length} notices for ${unknown} unknown rows`)
  },
}

async function crashOnce(fleet: Fleet, point: Point, person: number): Promise<void> {
  if (point.slow)
    await fleet.telegram?.control({ do: 'fault', rule: { when: { method: 'sendMessage' }, delayMs: 1500, times: 1 } })
  const crashing = await fleet.start('telegram', { CRASH_AT: point.at })
  const asked = await fleet.askTelegram(person, `what happens at ${point.at}?`)
  const ended = await Promise.race([crashing.ended, fleet.pause(10_000).then(() => undefined)])
  assert(ended?.signal === 'SIGKILL', `telegram never reached ${point.at}:\n${crashing.tail()}`)
  const next = await fleet.start('telegram')
  if (point.ambiguous) {
    await until(fleet, patienceMs, `the row of ${point.at} to end unknown`, async () => {
      const rows = await fleet.telegram?.rows()
      return rows?.some((row) => row.state === 'unknown' && row.answers.includes(asked.id)) ?? false
    })
    // The next delivery brings the notice along.
    await fleet.answered(patienceMs, [await fleet.askTelegram(person, `what came after ${point.at}?`)])
  } else {
    await fleet.answered(patienceMs, [asked])
  }
  await next.kill()
}

async function until(fleet: Fleet, forMs: number, what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + forMs; Date.now() < end;) {
    if (await holds()) return
    await fleet.pause(200)
  }
  throw new Error(`Waited ${forMs} ms in vain for ${what}`)
}
