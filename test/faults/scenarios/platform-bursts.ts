// Row 45 over the platforms: ten thousand messages come in through Telegram's polls or Discord's gateway as fast as the fleet takes them,
// and every answer goes out there. Nothing is lost, doubled or out of order, quiet chats are answered meanwhile, memory stays bounded.
//
// People write without waiting for answers, so that some of what one writes joins a turn. Telegram's own limit of 30 answers a second would
// take minutes: the rig raises it by TELEGRAM_RATES, and `send-limits` is held to it. Discord's 50 requests a second stay: there the
// model takes its time, so that more joins, and there are fewer chats, since with one answer due in each of a thousand the limit alone
// lets a quiet chat wait for 20 seconds.
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { expectInvariants } from '#test/faults/rig/oracle.ts'
import { assert, percentile, type Scenario } from '#test/faults/rig/scenario.ts'
import type { Asked } from '#test/faults/rig/transcripts.ts'

type Burst = {
  readonly name: string
  readonly channel: 'telegram' | 'discord'
  readonly chats: number
  readonly latencyMs?: number
}

const messages = 10_000
const writtenAtOnce = 100
/** People go on when no more than this is at the platform and in no mailbox: what Telegram holds back stands before a quiet chat, too. */
const mostAhead = 100
/** After so many messages, somebody writes who is alone in their chat. */
const quietEvery = 2000
const quietBoundMs = 10_000
const ackBoundMs = 3000
const maxRssMb = 400
/** What infra/setup/launch.sh gives a channel, as far as NODE_OPTIONS may say it. */
const channelMemory = { NODE_OPTIONS: '--max-semi-space-size=4 --max-old-space-size=512 --v8-pool-size=1' }

export const platformBursts: readonly Scenario[] = [
  burst({ name: 'burst-telegram', channel: 'telegram', chats: 1000 }),
  burst({ name: 'burst-telegram-one-chat', channel: 'telegram', chats: 1 }),
  burst({ name: 'burst-discord', channel: 'discord', chats: 300, latencyMs: 1500 }),
]

function burst({ name, channel, chats, latencyMs = 0 }: Burst): Scenario {
  return {
    name,
    rows: [45],
    async run(note) {
      await using fleet = await startFleet({ [channel]: true, leaseMs: 3000 })
      const workers = ['router', 'executor', 'executor'].map((role) => fleet.start(role))
      const roles = await Promise.all([...workers, fleet.start(channel, channelMemory)])
      await fleet.model.latency(latencyMs)
      await fleet.discord?.connected()
      const ask = channel === 'telegram' ? fleet.askTelegram : fleet.askDiscord
      const quiet: Asked[] = []
      let peakMb = 0
      const startedAtMs = Date.now()
      for (let n = 0; n < messages; n += writtenAtOnce) {
        if (n % quietEvery === quietEvery / 2) quiet.push(await ask(1_000_000 + n, 'what is it like to be alone?'))
        const numbers = Array.from({ length: writtenAtOnce }, (_, i) => n + i)
        await Promise.all(
          numbers.map((one) => ask(1000 + Math.floor((one * chats) / messages), `what is number ${one}?`)),
        )
        await caughtUp(fleet)
        peakMb = Math.max(peakMb, ...roles.map((role) => role.rssMb()))
      }
      const sentMs = Date.now() - startedAtMs
      await fleet.answered(180_000)
      const allMs = Date.now() - startedAtMs
      peakMb = Math.max(peakMb, ...roles.map((role) => role.rssMb()))
      const answers = await rowsEnded(fleet)
      const ackMs = [...fleet.talk.asked.values()].map(
        ({ id, atMs }) => (fleet.moments.storedAtMs.get(id) ?? Infinity) - atMs,
      )
      const p95 = percentile(ackMs, 0.95)
      const quietMs = quiet.map(({ id, atMs }) => (fleet.talk.answersTo(id)[0]?.atMs ?? Infinity) - atMs)
      await expectInvariants(fleet, { extraModelCalls: 0 })
      note(
        `${messages} messages into ${chats} chats in ${sentMs} ms (p95 until stored ${p95} ms), all answered after ${allMs} ms by ` +
          `${answers} messages; quiet chats after ${quietMs.join(', ')} ms; peak ${peakMb} MB`,
      )
      assert(p95 < ackBoundMs, `p95 until stored ${p95} ms`)
      assert(Math.max(...quietMs) < quietBoundMs, `a quiet chat waited ${Math.max(...quietMs)} ms`)
      assert(peakMb < maxRssMb, `a process took ${peakMb} MB`)
    },
  }
}

/** Until few of the messages that were written are not in a mailbox yet. */
async function caughtUp({ talk, moments, pause }: Fleet): Promise<void> {
  for (const end = Date.now() + 60_000; ; await pause(10)) {
    const ahead = talk.asked.size - moments.storedAtMs.size
    if (ahead <= mostAhead) return
    assert(Date.now() < end, `${ahead} messages are not in a mailbox after a minute`)
  }
}

/** Resolves with the number of rows once all have ended: an answer is seen a moment before its row counts as sent. */
async function rowsEnded(fleet: Fleet): Promise<number> {
  for (const end = Date.now() + 20_000; ; await fleet.pause(500)) {
    const rows = [...((await fleet.telegram?.rows()) ?? []), ...((await fleet.discord?.rows()) ?? [])]
    const open = rows.filter(({ state }) => !/^(sent|unknown|failed|expired)$/.test(state))
    if (open.length === 0) return rows.length
    assert(Date.now() < end, `${open.length} rows did not end, first ${JSON.stringify(open[0])}`)
  }
}
