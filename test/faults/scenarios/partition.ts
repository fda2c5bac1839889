// Row 16: for 45 s no byte passes between the process of a channel and Redis. It holds the chats' leases and the poller's or the shard's,
// and is in the middle of sending. It sends nothing once its leases have ended, and after the partition everything goes on; then the
// same with another process beside it.
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { expectInvariants } from '#test/faults/rig/oracle.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'
import { startProxy, type Proxy } from '#test/rig/proxy.ts'

type Channel = 'telegram' | 'discord'

const partitionMs = 45_000
const healMs = 30_000
const leaseMs = 3000
/** So long it fetches on: Redis may only be slow, and who fetches twice stores once. */
const silentMs = 2.5 * leaseMs
const requestMs = 400
const people = 12

export function partition(channel: Channel): Scenario {
  return {
    name: `partition-${channel}`,
    rows: [16],
    async run(note) {
      await using fleet = await startFleet({ [channel]: true, leaseMs })
      await using proxy = await startProxy(fleet.redis.port)
      await Promise.all([fleet.start('router'), fleet.start('executor')])
      const cut = await fleet.start(channel, { REDIS_URL: proxy.url })
      await fleet.discord?.connected()
      const askAll = (text: string) =>
        Promise.all(
          Array.from({ length: people }, (_, i) =>
            channel === 'telegram' ? fleet.askTelegram(500 + i, text) : fleet.askDiscord(500 + i, text),
          ),
        )
      await askAll('what is before?')
      await fleet.answered(20_000)
      const slow = channel === 'telegram' ? { method: 'sendMessage' } : { route: 'createMessage' }
      await fleet[channel]?.control({ do: 'fault', rule: { when: slow, delayMs: requestMs } })

      // Alone: nobody else can have sent what is seen.
      const alone = await partitionWhileSending(fleet, proxy, { channel, askAll })
      await fleet.pause(alone.atMs + leaseMs - Date.now())
      await askAll('what is said meanwhile?')
      await fleet.pause(alone.atMs + partitionMs - Date.now())
      const late = (await callsOf(fleet, channel)).filter(
        ({ atMs, name }) => atMs > alone.atMs + (name === 'getUpdates' ? silentMs : leaseMs),
      )
      assert(late.length === 0, `${late.length} requests after the leases had ended, like ${late[0]?.name}`)
      proxy.set('pass')
      const healedAtMs = Date.now()
      await settled(fleet, channel, healMs)
      const tookMs = Date.now() - healedAtMs

      // With another process: it takes over, and whoever comes back doubles nothing.
      await fleet.start(channel)
      const beside = await partitionWhileSending(fleet, proxy, { channel, askAll })
      await askAll('what is said to the other one?')
      await settled(fleet, channel, partitionMs)
      const takenMs = Date.now() - beside.atMs
      await fleet.pause(partitionMs - takenMs)
      proxy.set('pass')
      await askAll('what is after?')
      await settled(fleet, channel, healMs)
      assert(cut.isRunning(), `the partitioned process ended:\n${cut.tail()}`)
      const unknown = await expectInvariants(fleet, {
        extraModelCalls: 0,
        unknown: channel === 'telegram' ? alone.underWay + beside.underWay : 0,
      })
      const told = toldOf(await callsOf(fleet, channel))
      assert(told === unknown, `people were told of ${told} of ${unknown} unknown rows`)
      note(
        `alone: ${alone.underWay} rows under way, 0 requests after the leases' end, all answered ${tookMs} ms after the partition; ` +
          `with another process all answered ${takenMs} ms into it; 0 doubled, ${unknown} unknown and told`,
      )
    },
  }
}

type Cut = {
  readonly channel: Channel
  askAll(text: string): Promise<unknown>
}

/** Cuts the process off while rows are being sent; tells when, and how many rows. */
async function partitionWhileSending(
  fleet: Fleet,
  proxy: Pick<Proxy, 'set'>,
  { channel, askAll }: Cut,
): Promise<{ readonly atMs: number; readonly underWay: number }> {
  await askAll('what is being sent?')
  for (const end = Date.now() + 20_000; Date.now() < end; await fleet.pause(10)) {
    const rows = (await fleet[channel]?.rows()) ?? []
    if (!rows.some(({ state }) => state === 'sending')) continue
    proxy.set('swallow')
    const cutOff = (await fleet[channel]?.rows()) ?? []
    return { atMs: Date.now(), underWay: cutOff.filter(({ state }) => state === 'sending').length }
  }
  throw new Error('nothing was ever being sent')
}

/** Waits until everything asked is answered, or its row is unknown: begun, and cut off before anybody knew of its end. */
async function settled(fleet: Fleet, channel: Channel, forMs: number): Promise<void> {
  for (const end = Date.now() + forMs; ; await fleet.pause(200)) {
    const rows = ((await fleet[channel]?.rows()) ?? []).filter(({ state }) => state === 'unknown')
    const excused = new Set(rows.flatMap(({ answers }) => answers))
    if ([...fleet.talk.open].every((id) => excused.has(id))) return
    if (Date.now() > end) await fleet.answered(1)
  }
}

/** How many messages notices say may not have arrived: one tells of all that a chat lost since the last. */
function toldOf(calls: readonly { readonly text: string }[]): number {
  const notices = calls.map(({ text }) => /^(?:A message of mine|(\d+) of my messages) may not/.exec(text))
  return notices.reduce((sum, told) => sum + (told ? Number(told[1] ?? 1) : 0), 0)
}

/** Every request by which the bot sends or fetches. */
async function callsOf(
  fleet: Fleet,
  channel: Channel,
): Promise<readonly { readonly atMs: number; readonly name: string; readonly text: string }[]> {
  const calls =
    channel === 'telegram'
      ? (await fleet.telegram?.calls())?.map(({ at, method, params }) => ({
          atMs: at,
          name: method,
          text: String(params['text']),
        }))
      : (await fleet.discord?.calls())?.map(({ at, route }) => ({ atMs: at, name: route, text: '' }))
  return (calls ?? []).filter(({ name }) => !name.startsWith('getGateway'))
}
