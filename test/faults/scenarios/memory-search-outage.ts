// Row 43: the server of memory search is down, slow, stuck, full, busy, or loses its index, while people ask and have things kept. Answers go on as fast as
// before, /why says what could not be looked through, and afterwards all is found that was written meanwhile.
import { openMeilisearchEngine } from '#infra/search/meilisearch-engine.ts'
import { createMemoryIndex } from '#services/memory/search/memory-search.ts'
import { ofPerson } from '#shared/memory/record.ts'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { countFound, openMemoryOf, toSearchEnv, type FleetMemory } from '#test/faults/rig/memory.ts'
import { eventually } from '#test/faults/rig/place.ts'
import { assert, percentile, type Scenario } from '#test/faults/rig/scenario.ts'
import { startSimulated } from '#test/rig/meilisearch.ts'
import { startProxy, type Proxy } from '#test/rig/proxy.ts'
import { remembered } from '#test/rig/remembered.ts'

type Server = Awaited<ReturnType<typeof startSimulated>>
type World = {
  readonly fleet: Fleet
  readonly memory: FleetMemory
  readonly server: Server
  readonly proxy: Proxy
}

type Trouble = {
  readonly name: string
  /** Nothing is found meanwhile. */
  readonly isBlind: boolean
  begin(world: World): void | Promise<void>
  end(world: World): void | Promise<void>
}

const scope = ofPerson('web:owner')
const old = 'my boat is called Zebrafinch'
const asks = 25
const writes = 12
const catchUpMs = 60_000
const mostMoreMs = 300

const always = (fault: Parameters<Server['simulator']['failAlways']>[0]) => ({
  begin: ({ server }: World) => server.simulator.failAlways(fault),
  end: ({ server }: World) => server.simulator.failAlways(undefined),
})

const troubles: readonly Trouble[] = [
  { name: 'down', isBlind: true, begin: ({ proxy }) => proxy.set('cut'), end: ({ proxy }) => proxy.set('pass') },
  { name: 'silent', isBlind: true, begin: ({ proxy }) => proxy.set('swallow'), end: ({ proxy }) => proxy.set('pass') },
  { name: 'slow', isBlind: true, ...always({ kind: 'slow', ms: 1500 }) },
  { name: 'busy', isBlind: true, ...always({ kind: 'busy', retryAfterS: 2 }) },
  { name: 'behind a broken proxy', isBlind: true, ...always({ kind: 'page', status: 502 }) },
  // Accepted, and never done: searches go on. With room again the server goes on by itself.
  {
    name: 'disk full',
    isBlind: false,
    begin: ({ server }) => server.simulator.stick(),
    end: ({ server }) => server.simulator.unstick(),
  },
  // Its operator cancels what hangs.
  {
    name: 'tasks stuck and canceled',
    isBlind: false,
    begin: ({ server }) => server.simulator.stick(),
    end: async ({ server }) => {
      await operate(server, 'POST', '/tasks/cancel?statuses=enqueued,processing')
      server.simulator.unstick()
    },
  },
  {
    name: 'index deleted',
    isBlind: false,
    begin: async ({ server }) => await operate(server, 'DELETE', '/indexes/memory'),
    end: () => {},
  },
]

export const memorySearchOutage: Scenario = {
  name: 'memory-search-outage',
  rows: [43],
  async run(note) {
    const server = await startSimulated()
    const proxy = await startProxy(server.simulator.port)
    try {
      const env = toSearchEnv({ ...server.settings, url: `http://127.0.0.1:${proxy.port}` })
      await using fleet = await startFleet({ env })
      const roles = await Promise.all(['router', 'executor', 'web', 'reflection'].map((role) => fleet.start(role)))
      const world = { fleet, server, proxy, memory: openMemoryOf(fleet) }
      await fleet.model.latency(50)
      await write(world, [old, ...Array.from({ length: 260 }, (_, n) => `crate ${n} holds apples of sort ${n}a`)])
      await caughtUp(world, [])
      await ask(world, 'warm', 5)
      assert(await isKnown(world, 'warm'), 'the old record is not in a prompt before anything happened')
      for (const [nth, trouble] of troubles.entries()) note(`${trouble.name}: ${await suffer(world, trouble, nth)}`)
      for (const role of roles) assert(role.isRunning(), `${role.name} ended:\n${role.tail()}`)
      assert(fleet.talk.open.size === 0, `${fleet.talk.open.size} questions have no answer`)
    } finally {
      await proxy.close()
      await server.close()
    }
  },
}

async function suffer(world: World, trouble: Trouble, nth: number): Promise<string> {
  // In chats of their own: a longer history takes longer.
  const chat = `trouble-${nth}`
  const beforeMs = percentile(await ask(world, `before-${nth}`, asks), 0.95)
  await trouble.begin(world)
  const texts = Array.from({ length: writes }, (_, n) => `parcel ${nth}x${n} went to harbour ${nth}y${n}`)
  const [took] = await Promise.all([ask(world, chat, asks), write(world, texts)])
  const p95Ms = percentile(took, 0.95)
  assert(p95Ms < beforeMs + mostMoreMs, `${trouble.name}: p95 ${p95Ms} ms, ${beforeMs} ms before`)
  if (trouble.isBlind) {
    const told = await why(world, chat)
    assert(/could not be looked through/.test(told), `${trouble.name}: /why says nothing of it: ${told}`)
  }
  const doctor = await world.fleet.doctor()
  await trouble.end(world)
  const endedAtMs = Date.now()
  await caughtUp(world, texts)
  const caughtUpMs = Date.now() - endedAtMs
  await eventually(
    async () => ((await isKnown(world, chat)) ? true : undefined),
    `${trouble.name}: the old record is in no prompt afterwards`,
    30_000,
  )
  const told = await why(world, chat)
  assert(!/could not be looked through/.test(told), `${trouble.name}: /why still says so: ${told}`)
  const seen = doctor.split('\n').filter((line) => /Meilisearch/.test(line) && !/^\S*\s*(?:ok|✓)/i.test(line)).length
  return `p95 ${p95Ms} ms (${beforeMs} ms before), caught up ${caughtUpMs} ms after its end, ${texts.length} of ${texts.length} found; doctor had ${seen} lines about it`
}

/** How long each answer took. */
async function ask({ fleet }: World, chat: string, times: number): Promise<readonly number[]> {
  const took: number[] = []
  for (let n = 0; n < times; n += 1) {
    const atMs = performance.now()
    const asked = await fleet.askWeb(chat, `What is the name of my boat, for the ${n}th time?`)
    await fleet.answered(20_000, [asked])
    took.push(Math.round(performance.now() - atMs))
  }
  return took
}

/** Whether the prompt of a question holds what was kept long ago. */
async function isKnown(world: World, chat: string): Promise<boolean> {
  await ask(world, chat, 1)
  const { entries } = await world.fleet.model.asked()
  return JSON.stringify(entries.at(-1)?.messages).includes(old)
}

async function why({ fleet }: World, chat: string): Promise<string> {
  const asked = await fleet.askWeb(chat, '/why')
  await fleet.answered(20_000, [asked])
  return fleet.talk.answersTo(asked.id)[0]?.text ?? ''
}

async function write({ memory }: World, texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    const at = { conversation: 'web:kept', message: `m-${text}` }
    await memory.store.write(scope, remembered(text, at, { speaker: 'web:owner', confirmedBy: 'web:owner' }))
  }
}

/** By what is found, of all that was written: neither a 202 nor the end of a task says so. */
async function caughtUp({ memory, server }: World, texts: readonly string[]): Promise<void> {
  const search = createMemoryIndex(openMeilisearchEngine(server.settings, { tell: () => undefined }))
  const findMissing = async (): Promise<readonly string[]> => {
    const missing: string[] = []
    for (const text of texts) {
      const found = await search.find({ scopes: [scope], text, limit: 3 }, AbortSignal.timeout(5000)).catch(() => [])
      if (!found.some(({ entry }) => entry.text === text)) missing.push(text)
    }
    return missing
  }
  const isThere = async (): Promise<true | undefined> =>
    countFound(server) === (await memory.count()) && (await findMissing()).length === 0 ? true : undefined
  await eventually(
    isThere,
    async () =>
      `${countFound(server)} of ${await memory.count()} records; not found: ${(await findMissing()).join(', ')}`,
    catchUpMs,
  )
}

async function operate({ settings, simulator }: Server, method: string, path: string): Promise<void> {
  const headers = { authorization: `Bearer ${settings.keys.operator}` }
  const answer = await fetch(`${simulator.url}${path}`, { method, headers })
  assert(answer.ok, `${method} ${path} got ${answer.status}`)
}
