// The long connection by which Feishu brings events: dropped, silent though open, and refused since the app has as many as it may. Each time the
// process connects again by itself, asks for that seldom, and every message is answered once.
import { z } from 'zod'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import type { Feishu } from '#test/faults/rig/feishu.ts'
import { expectInvariants } from '#test/faults/rig/oracle.ts'
import { eventually } from '#test/faults/rig/place.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'

/** Feishu's 120 s, shortened, but longer than the process waits for a sign of life after it asked for one: each question begins that anew. */
const pingIntervalSeconds = 40
const pingTimeoutMs = 30_000
const mostConnections = 50
/** The first wait is Feishu's; the others are shortened from five minutes and hours. */
const redeliverMs = [15_000, 60_000, 30_000, 30_000]
const address = z.object({ data: z.object({ URL: z.string() }) })

export const feishuConnection: Scenario = {
  name: 'feishu-connection',
  rows: ['issue 16, must show 2'],
  async run(note) {
    await using fleet = await startFleet({ feishu: { redeliverMs, pingIntervalSeconds } })
    const { feishu } = fleet
    assert(feishu !== undefined, 'there is no Feishu')
    await Promise.all([fleet.start('router'), fleet.start('executor')])
    const process = await fleet.start('feishu')
    await feishu.connected()
    await fleet.answered(30_000, [await fleet.askFeishu(700, 'what is before?')])

    const dropped = await hitAndAsk(fleet, feishu, 'dropConnections', 30_000)
    note(
      `dropped: connected again after ${dropped.connectedMs} ms, what was said meanwhile answered after ${dropped.answeredMs} ms`,
    )

    const silent = await hitAndAsk(fleet, feishu, 'silence', pingIntervalSeconds * 1000 + pingTimeoutMs + 60_000)
    note(
      `silent: connected again after ${silent.connectedMs} ms (it asks every ${pingIntervalSeconds} s and waits ${pingTimeoutMs / 1000} s), ` +
        `what was said meanwhile answered after ${silent.answeredMs} ms`,
    )

    await process.stop()
    const others = await Promise.all(Array.from({ length: mostConnections }, () => connectOther(feishu)))
    const late = await fleet.start('feishu')
    await late.line('as many of them as it may', 30_000)
    const asked = await fleet.askFeishu(701, 'what is said to fifty others?')
    const since = await countConnecting(feishu)
    await fleet.pause(20_000)
    const tries = (await countConnecting(feishu)) - since
    const times = late.tail(400).split('as many of them as it may').length - 1
    for (const one of others) one.close()
    const closedAtMs = Date.now()
    await eventually(
      async () => (await feishu.open()).length === 1 || undefined,
      async () => `it is not connected:\n${late.tail()}`,
      90_000,
    )
    const backMs = Date.now() - closedAtMs
    await fleet.answered(90_000, [asked])
    note(`fifty others: told ${times} times, ${tries} tries in 20 s; connected ${backMs} ms after they were gone`)
    assert(times === 1, `it was told ${times} times that there are fifty`)
    assert(tries <= 10, `${tries} tries in 20 s`)
    assert(late.isRunning(), `the process ended:\n${late.tail()}`)
    await expectInvariants(fleet, { extraModelCalls: 0, anyOrder: true })
  },
}

/** Tells how long it took until another connection was there, and until what was said at once was answered. */
async function hitAndAsk(fleet: Fleet, feishu: Feishu, hit: 'dropConnections' | 'silence', patienceMs: number) {
  const before = new Set((await feishu.connections()).map(({ connection }) => connection))
  const atMs = Date.now()
  await feishu.control({ do: hit })
  const asked = await Promise.all(
    [710, 711, 712].map((person) => fleet.askFeishu(person, `what is said after ${hit}?`)),
  )
  const opened = await eventually(
    async () => (await feishu.connections()).find(({ kind, connection }) => kind === 'open' && !before.has(connection)),
    `no new connection after ${hit}`,
    patienceMs,
  )
  // Else Feishu would go on giving events to what nobody reads.
  await feishu.control({ do: 'dropConnections', silentOnly: true })
  await fleet.answered(patienceMs, asked)
  return { connectedMs: opened.at - atMs, answeredMs: Date.now() - atMs }
}

const countConnecting = async (feishu: Feishu): Promise<number> =>
  (await feishu.calls()).filter(({ route }) => route === 'getConnectUrl').length

/** A connection that takes events and answers none. */
async function connectOther({ apiRoot, appId: AppID, appSecret: AppSecret }: Feishu): Promise<WebSocket> {
  const reply = await fetch(`${apiRoot}/callback/ws/endpoint`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ AppID, AppSecret }),
  })
  const socket = new WebSocket(address.parse(await reply.json()).data.URL)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', reject, { once: true })
  })
  return socket
}
