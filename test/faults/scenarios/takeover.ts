// Issue 3, must show 4: under load, the process that polls Telegram, or that holds Discord's shard, is killed again and again, with the
// default lease. Nothing is lost or doubled; what comes in and what goes out stands still for a short time only.
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { expectInvariants } from '#test/faults/rig/oracle.ts'
import { assert, percentile, type Scenario } from '#test/faults/rig/scenario.ts'
import type { Asked } from '#test/faults/rig/transcripts.ts'
import { killConnected, type KilledHolder } from '#test/faults/rig/victims.ts'

type Channel = 'telegram' | 'discord'

const kills = 5
const chats = 300
const perSecond = 10
const leaseMs = 3000
/** Takeover and the slowest row of Telegram fit in between. */
const everyMs = 16_000
const gapMs = 5000
/** For a chat in which a row was under way, counted from the kill, so what comes in there has its gap in it too. */
const inFlightGapMs = 20_000
const requestMs = 150

export function takeover(channel: Channel): Scenario {
  return {
    name: `takeover-${channel}`,
    rows: ['issue 3, must show 4'],
    async run(note) {
      await using fleet = await startFleet({ [channel]: true, leaseMs })
      await Promise.all(['router', 'executor', channel, channel].map((role) => fleet.start(role)))
      await fleet.model.script({ latencyMs: 100 })
      const slow = channel === 'telegram' ? { method: 'sendMessage' } : { route: 'createMessage' }
      await fleet[channel]?.control({ do: 'fault', rule: { when: slow, delayMs: requestMs } })
      await fleet.discord?.connected()
      const talking = talk(fleet, channel)
      const killed: KilledHolder[] = []
      for (let n = 0; n < kills; n++) {
        await fleet.pause(n === 0 ? 4000 : 0)
        const one = await killConnected(fleet, channel, { patienceMs: 10_000, whileSending: n % 2 === 0 })
        assert(one !== undefined, `kill ${n + 1} found nobody who held the connection${n % 2 === 0 ? ' and sent' : ''}`)
        killed.push(one)
        await Promise.all([fleet.start(channel), ...one.sendingTo.map((chat) => talking.askInto(chat))])
        await fleet.pause(Math.max(0, one.atMs + everyMs - Date.now()))
      }
      await talking.end()
      await drain(fleet, channel, talking)
      const injected = killed.flatMap(({ sendingTo }) => sendingTo)
      const unknown = await expectInvariants(fleet, {
        extraModelCalls: 0,
        unknown: channel === 'telegram' ? injected.length : 0,
      })
      const gaps = killed.map((one, n) => toGaps(fleet, one, killed[n + 1]?.atMs ?? Infinity))
      for (const [n, gap] of gaps.entries()) note(`kill ${n + 1}: ${toLine(gap)}`)
      note(
        `${fleet.talk.asked.size} messages at ${perSecond} a second into ${fleet.talk.conversations.size} chats, ${kills} kills: 0 lost, ` +
          `0 doubled, ${unknown} unknown and told of ${injected.length} rows under way; worst ingest ${worst(gaps, 'ingestMs')} ms, ` +
          `delivery ${worst(gaps, 'deliveryMs')} ms, until a chat with a row under way saw more ${worst(gaps, 'inFlightMs')} ms`,
      )
      if (channel === 'discord') await expectResumed(fleet, note)
      assert(injected.length > 0, 'no kill hit a sender at work')
      assert(worst(gaps, 'ingestMs') <= gapMs, 'the ingest gap is too long')
      assert(worst(gaps, 'deliveryMs') <= gapMs, 'the delivery gap is too long')
      assert(worst(gaps, 'inFlightMs') <= inFlightGapMs, 'the gap of a chat with a row under way is too long')
      assert(worst(gaps, 'ingestMs') > 1000, 'no gap at all: whoever was killed held nothing')
    },
  }
}

type Talking = {
  /** One more message into this conversation. */
  askInto(conversation: string): Promise<Asked>
  end(): Promise<void>
}

function talk(fleet: Fleet, channel: Channel): Talking {
  const people = new Map<string, number>()
  const ask = async (person: number, text: string): Promise<Asked> => {
    const asked = await (channel === 'telegram' ? fleet.askTelegram(person, text) : fleet.askDiscord(person, text))
    people.set(asked.conversation, person)
    return asked
  }
  const sent: Promise<unknown>[] = []
  const ending = new AbortController()
  const talking = (async () => {
    const startedAtMs = Date.now()
    for (let n = 0; !ending.signal.aborted; n++) {
      // Not chat after chat, so that one has several messages in a gap now and then.
      const one = ask(1000 + ((n * 7 + (n % 5) * 31) % chats), `what is message ${n}?`)
      // The fleet of a scenario that has failed is gone.
      one.catch(() => ending.abort())
      sent.push(one)
      await fleet.pause(Math.max(0, startedAtMs + ((n + 1) * 1000) / perSecond - Date.now()))
    }
  })()
  return {
    askInto: (conversation) => ask(people.get(conversation) ?? 0, 'what became of the last one?'),
    async end() {
      ending.abort()
      await talking
      await Promise.all(sent)
    },
  }
}

/** Waits until everything asked is answered or its row is unknown, and whoever got no answer is told by the next one. */
async function drain(fleet: Fleet, channel: Channel, talking: Talking): Promise<void> {
  const unknownRows = async () => ((await fleet[channel]?.rows()) ?? []).filter(({ state }) => state === 'unknown')
  for (const end = Date.now() + 30_000; ; await fleet.pause(200)) {
    const excused = new Set((await unknownRows()).flatMap(({ answers }) => answers))
    if ([...fleet.talk.open].every((id) => excused.has(id))) break
    if (Date.now() > end) await fleet.answered(1)
  }
  const unknown = await unknownRows()
  const after = await Promise.all(unknown.map(({ conversation }) => talking.askInto(conversation)))
  await fleet.answered(20_000, after)
  for (const { conversation } of unknown) {
    const told = (fleet.talk.conversations.get(conversation) ?? []).filter(({ text }) =>
      /may not have arrived/.test(text),
    )
    assert(told.length > 0, `${conversation} has an unknown row and was not told`)
  }
}

type Gaps = {
  readonly ingestMs: number
  readonly deliveryMs: number
  /** Of the chats into which the killed process was sending: from the kill until anything is seen there again. */
  readonly inFlightMs: number
  readonly usualIngestMs: number
  readonly usualDeliveryMs: number
}

/** The longest waits of what arrived, or was due, from just before a kill until the next. */
function toGaps(fleet: Fleet, { atMs, sendingTo }: KilledHolder, nextAtMs: number): Gaps {
  const within = (ms: number): boolean => ms >= atMs - 1000 && ms < nextAtMs - 1000
  const ingestMs: number[] = []
  const deliveryMs: number[] = []
  const inFlightMs = sendingTo.map((chat) => {
    const next = fleet.talk.conversations.get(chat)?.find((said) => said.atMs > atMs)
    return (next?.atMs ?? Infinity) - atMs
  })
  for (const asked of fleet.talk.asked.values()) {
    const storedAtMs = fleet.moments.storedAtMs.get(asked.id)
    const dueAtMs = fleet.moments.dueAtMs.get(asked.id)
    const [answer] = fleet.talk.answersTo(asked.id)
    assert(
      storedAtMs !== undefined && dueAtMs !== undefined,
      `nobody told when "${asked.text}" was stored and answered`,
    )
    if (within(asked.atMs)) ingestMs.push(storedAtMs - asked.atMs)
    // On Telegram nobody else may touch a row under way before its request has ended.
    const isHeld = asked.conversation.startsWith('telegram:') && sendingTo.includes(asked.conversation)
    if (answer && within(dueAtMs) && !isHeld) deliveryMs.push(answer.atMs - dueAtMs)
  }
  return {
    ingestMs: percentile(ingestMs, 1),
    deliveryMs: percentile(deliveryMs, 1),
    inFlightMs: percentile(inFlightMs, 1),
    usualIngestMs: percentile(ingestMs, 0.25),
    usualDeliveryMs: percentile(deliveryMs, 0.5),
  }
}

function toLine({ ingestMs, deliveryMs, inFlightMs, usualIngestMs, usualDeliveryMs }: Gaps): string {
  const inFlight = inFlightMs > 0 ? `, ${inFlightMs} ms until a chat with a row under way saw more` : ''
  return `ingest gap ${ingestMs} ms (else ${usualIngestMs}), delivery gap ${deliveryMs} ms (else ${usualDeliveryMs})${inFlight}`
}

const worst = (gaps: readonly Gaps[], which: 'ingestMs' | 'deliveryMs' | 'inFlightMs'): number =>
  Math.max(...gaps.map((gap) => gap[which]))

/** The shard's session goes on in another process, every time. */
async function expectResumed(fleet: Fleet, note: (line: string) => void): Promise<void> {
  const { identifies = 0, resumes = 0 } = (await fleet.discord?.sessions()) ?? {}
  note(`${identifies} session begun, ${resumes} times resumed`)
  assert(identifies === 1 && resumes >= kills, `${identifies} sessions begun, ${resumes} resumed`)
}
