// Two feishu processes with a connection each, under load: one is killed again and again, or stands still for a while. Feishu gives each event
// to one of the connections; what it gave to one that died it brings again after fifteen seconds. Nothing is lost or doubled; what has to
// be brought again may come after what was said later.
import type { Child } from '#test/faults/rig/child.ts'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { expectInvariants } from '#test/faults/rig/oracle.ts'
import { assert, percentile, type Scenario } from '#test/faults/rig/scenario.ts'

const stops = 4
const chats = 300
const perSecond = 10
const leaseMs = 3000
const everyMs = 25_000
const frozenMs = 12_000
const requestMs = 150
const holdsForMs = 500
/** Feishu's first wait is as it is; the next, of five minutes, is shortened, and so are those of hours. */
const redeliverMs = [15_000, 20_000, 20_000, 20_000]
/** How long Feishu waits for an answer to an event. */
const answerMs = 3000
const slackMs = 6000
const deliveryGapMs = 15_000

type How = 'killed' | 'frozen'

export const feishuTakeover = (how: How): Scenario => ({
  name: `takeover-feishu-${how}`,
  rows: ['issue 16, must show 2'],
  async run(note) {
    await using fleet = await startFleet({ feishu: { redeliverMs }, leaseMs })
    const { feishu } = fleet
    assert(feishu !== undefined, 'there is no Feishu')
    await Promise.all(['router', 'executor', 'feishu', 'feishu'].map((role) => fleet.start(role)))
    await fleet.model.script({ latencyMs: 100 })
    await feishu.control({ do: 'fault', rule: { when: { route: 'createMessage' }, delayMs: requestMs } })
    await feishu.connected(2)
    const end = talk(fleet)
    const stopped: number[] = []
    await fleet.pause(4000)
    for (let n = 0; n < stops; n++) {
      const sending = await findSender(fleet)
      stopped.push(Date.now())
      sending.freeze()
      if (how === 'killed') {
        // It dies with events that it was given, and did not get to.
        await fleet.pause(holdsForMs)
        await sending.kill()
        await fleet.start('feishu')
      } else {
        await fleet.pause(frozenMs)
        sending.thaw()
      }
      await fleet.pause(Math.max(0, (stopped[n] ?? 0) + everyMs - Date.now()))
    }
    await end()
    await fleet.answered(90_000)
    await expectInvariants(fleet, { extraModelCalls: 0, anyOrder: true })
    const deliveries = await feishu.deliveries()
    const again = deliveries.filter(({ attempt }) => attempt > 1).length
    const most = Math.max(...deliveries.map(({ attempt }) => attempt))
    const waits = toWaits(fleet)
    const late = waits.ingestMs.filter((ms) => ms > 5000).length
    note(
      `${fleet.talk.asked.size} messages at ${perSecond} a second into ${fleet.talk.conversations.size} chats, a process ${how} ${stops} times: ` +
        `0 lost, 0 doubled; ${again} attempts to bring an event again, ${most} for one; ${late} messages were stored more than 5 s after they were said, ` +
        `the last one after ${percentile(waits.ingestMs, 1)} ms, half within ${percentile(waits.ingestMs, 0.5)} ms; delivery took ` +
        `${percentile(waits.deliveryMs, 1)} ms at most, half within ${percentile(waits.deliveryMs, 0.5)} ms`,
    )
    assert(again > 0, 'no event had to be brought again: whoever was stopped held nothing')
    const boundMs = redeliverMs.slice(0, most - 1).reduce((sum, ms) => sum + answerMs + ms, slackMs)
    assert(percentile(waits.ingestMs, 1) <= boundMs, `an event waited longer than Feishu makes it wait, ${boundMs} ms`)
    assert(how === 'frozen' || most === 2, `an event had to be brought ${most} times`)
    assert(percentile(waits.deliveryMs, 1) <= deliveryGapMs, 'the delivery gap is too long')
  },
})

/** People write all the time; what it returns ends that. */
function talk(fleet: Fleet): () => Promise<void> {
  const sent: Promise<unknown>[] = []
  const ending = new AbortController()
  const talking = (async () => {
    const startedAtMs = Date.now()
    for (let n = 0; !ending.signal.aborted; n++) {
      const one = fleet.askFeishu(1000 + ((n * 7 + (n % 5) * 31) % chats), `what is message ${n}?`)
      // The fleet of a scenario that has failed is gone.
      one.catch(() => ending.abort())
      sent.push(one)
      await fleet.pause(Math.max(0, startedAtMs + ((n + 1) * 1000) / perSecond - Date.now()))
    }
  })()
  return async () => {
    ending.abort()
    await talking
    await Promise.all(sent)
  }
}

/** A feishu process that is sending something. */
async function findSender(fleet: Fleet): Promise<Child> {
  for (const end = Date.now() + 20_000; Date.now() < end; await fleet.pause(3)) {
    const found = fleet.roles.find((child) => child.name === 'feishu' && child.holds().some(({ row }) => row))
    if (found) return found
  }
  throw new Error('nobody was sending')
}

/** From what was said until it was stored, and from an answer that was due until it was seen. */
function toWaits({ talk: { asked, answersTo }, moments }: Fleet) {
  const ingestMs: number[] = []
  const deliveryMs: number[] = []
  for (const { id, text, atMs } of asked.values()) {
    const [storedAtMs, dueAtMs] = [moments.storedAtMs.get(id), moments.dueAtMs.get(id)]
    assert(storedAtMs !== undefined && dueAtMs !== undefined, `nobody told when "${text}" was stored and answered`)
    ingestMs.push(storedAtMs - atMs)
    for (const answer of answersTo(id).slice(0, 1)) deliveryMs.push(answer.atMs - dueAtMs)
  }
  return { ingestMs, deliveryMs }
}
