// Rows 5 and 6, and the platforms' share of row 1: the sender dies before, during and after a request; whoever receives dies before and
// after storing. On Discord and Feishu one message is seen, always. On Telegram it is seen once, or not at all; when nobody knows, the row is
// `unknown` and the person told.
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { expectInvariants } from '#test/faults/rig/oracle.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'
import type { Asked } from '#test/faults/rig/transcripts.ts'

type Point = {
  readonly at: string
  /** Whether a row may be under way, and end `unknown` where the platform shows a repeated one twice. */
  readonly ambiguous?: boolean
}

const points: readonly Point[] = [
  { at: 'lease:before' },
  { at: 'lease:after' },
  { at: 'ingest:before' },
  { at: 'ingest:after' },
  { at: 'begin:before' },
  { at: 'begin:after', ambiguous: true },
  { at: 'settle:before', ambiguous: true },
  { at: 'settle:after' },
]
/** How far the gateway's events are stored. */
const gatewayPoints: readonly Point[] = [{ at: 'gateway:before' }, { at: 'gateway:after' }, { at: 'gateway:before:2' }]

// A sending row of Telegram waits for the request's ten seconds and two more before it counts as unknown.
const patienceMs = 40_000

export const telegramSender: Scenario = {
  name: 'crash-telegram',
  rows: [1, 5, 6],
  async run(note) {
    await using fleet = await startFleet({ telegram: true })
    await Promise.all([fleet.start('router'), fleet.start('executor')])
    for (const [i, point] of points.entries()) {
      await crashOnce(fleet, point, {
        role: 'telegram',
        ask: (text) => fleet.askTelegram(800 + i, text),
        mayLose: point.ambiguous === true,
      })
    }
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

export const discordSender: Scenario = {
  name: 'crash-discord',
  rows: [1, 5, 6],
  async run(note) {
    await using fleet = await startFleet({ discord: true })
    await Promise.all([fleet.start('router'), fleet.start('executor')])
    const first = await fleet.start('discord')
    await fleet.discord?.connected()
    await fleet.answered(patienceMs, [await fleet.askDiscord(799, 'what comes first?')])
    await first.kill()
    const all = [...points, ...gatewayPoints]
    for (const [i, point] of all.entries()) {
      await crashOnce(fleet, point, {
        role: 'discord',
        ask: (text) => fleet.askDiscord(800 + i, text),
        mayLose: false,
      })
    }
    await expectInvariants(fleet, { extraModelCalls: 0 })
    note(`${all.length} crash points, one message each, nothing unknown`)
  },
}

export const feishuSender: Scenario = {
  name: 'crash-feishu',
  rows: [1, 5, 6],
  async run(note) {
    await using fleet = await startFleet({ feishu: { redeliverMs: [3000, 6000, 12_000, 24_000] } })
    await Promise.all([fleet.start('router'), fleet.start('executor')])
    const all = points.filter(({ at }) => !at.startsWith('lease:'))
    for (const [i, point] of all.entries()) {
      await crashOnce(fleet, point, {
        role: 'feishu',
        connected: async () => await fleet.feishu?.connected(),
        ask: (text) => fleet.askFeishu(800 + i, text),
        mayLose: false,
      })
    }
    await expectInvariants(fleet, { extraModelCalls: 0 })
    const again = (await fleet.feishu?.deliveries())?.filter(({ attempt }) => attempt > 1).length
    note(`${all.length} crash points, one message each, nothing unknown; ${again} events were brought again`)
  },
}

type Crashing = {
  readonly role: 'telegram' | 'discord' | 'feishu'
  /** Resolves once the process hears of what is asked; where that need not be waited for, absent. */
  connected?(): Promise<void>
  ask(text: string): Promise<Asked>
  readonly mayLose: boolean
}

async function crashOnce(fleet: Fleet, { at }: Point, { role, connected, ask, mayLose }: Crashing): Promise<void> {
  const crashing = await fleet.start(role, { CRASH_AT: at })
  const early = crashing.ended.then(() =>
    assert(false, `${role} ended before it was asked at ${at}:\n${crashing.tail()}`),
  )
  if (connected) await Promise.race([connected(), early])
  early.catch(() => {})
  const asked = await ask(`what happens at ${at}?`)
  const ended = await Promise.race([crashing.ended, fleet.pause(10_000).then(() => undefined)])
  assert(ended?.signal === 'SIGKILL', `${role} never reached ${at}:\n${crashing.tail()}`)
  const next = await fleet.start(role)
  if (mayLose) {
    await until(fleet, patienceMs, `the row of ${at} to end unknown`, async () => {
      const rows = await fleet[role]?.rows()
      return rows?.some((row) => row.state === 'unknown' && row.answers.includes(asked.id)) ?? false
    })
    // The next delivery brings the notice along.
    await fleet.answered(patienceMs, [await ask(`what came after ${at}?`)])
  } else {
    await fleet.answered(patienceMs, [asked])
    // What people see may not be settled yet, and would be by the process that is to end at the next point.
    await until(fleet, patienceMs, `the row of ${at} to be settled`, async () => {
      const rows = await fleet[role]?.rows()
      return rows?.every(({ state }) => state !== 'queued' && state !== 'sending') ?? false
    })
  }
  await next.stop()
}

async function until(fleet: Fleet, forMs: number, what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + forMs; Date.now() < end;) {
    if (await holds()) return
    await fleet.pause(200)
  }
  throw new Error(`Waited ${forMs} ms in vain for ${what}`)
}
