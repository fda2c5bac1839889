// Redis is killed and comes back with a file that is seconds older, after things were kept and forgotten in these seconds and the search knew of them. What
// platforms bring again is kept once; and the index has what Redis has, without anybody's doing.
import { openMeilisearchEngine } from '#infra/search/meilisearch-engine.ts'
import { ofPerson, type MemoryScope } from '#shared/memory/record.ts'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { countFound, openMemoryOf, toSearchEnv, type FleetMemory } from '#test/faults/rig/memory.ts'
import { eventually } from '#test/faults/rig/place.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'
import { startSimulated } from '#test/rig/meilisearch.ts'

type Server = Awaited<ReturnType<typeof startSimulated>>

const people = 5
const firstPerson = 4000
const onWeb = ofPerson('web:owner')
/** Says nothing more afterwards, so that nothing takes the place of what was lost. */
const onConsole = ofPerson('console:owner')
const scopes: readonly MemoryScope[] = [
  ...Array.from({ length: people }, (_, n) => ofPerson(`telegram:${firstPerson + n}`)),
  onWeb,
  onConsole,
]
const afterwards = 'after'
const caughtUpMs = 60_000

export const memoryLastSeconds: Scenario = {
  name: 'memory-last-seconds',
  rows: [11, 7],
  async run(note) {
    const server = await startSimulated()
    try {
      await using fleet = await startFleet({ telegram: true, env: toSearchEnv(server.settings) })
      const roles = await Promise.all(['router', 'executor', 'telegram', 'reflection'].map((role) => fleet.start(role)))
      const memory = openMemoryOf(fleet)
      await order(fleet, 'before')
      await untilKept(fleet, memory, 'before')
      await untilAlike(memory, server)
      const goBack = await fleet.redis.copyFiles()
      const copiedAtMs = Date.now()
      await order(fleet, 'in the lost seconds')
      await untilKept(fleet, memory, 'in the lost seconds')
      await tell(fleet, firstPerson, '/forget 1')
      await eventually(
        async () => ((await memory.readAll(scopes[0] ?? '')).some(({ number }) => number === 1) ? undefined : true),
        'number 1 was not forgotten',
      )
      await untilAlike(memory, server)
      const lostForMs = Date.now() - copiedAtMs
      await fleet.redis.kill()
      await goBack()
      await fleet.redis.restart()
      const backAtMs = Date.now()
      // Its own connection comes back a moment later.
      const differed = await eventually(
        async () => await findDifferences(memory, server).catch(() => undefined),
        'Redis cannot be read',
      )
      await order(fleet, afterwards)
      await untilKept(fleet, memory, afterwards)
      // What is brought again is kept again: Telegram's, which Redis had not said it has.
      await untilAlike(memory, server)
      const tookMs = Date.now() - backAtMs
      for (const role of roles) assert(role.isRunning(), `${role.name} ended:\n${role.tail()}`)
      const twice = await findTwice(memory)
      assert(twice.length === 0, `kept twice: ${twice.join(', ')}`)
      const kept = await memory.count()
      note(
        `${lostForMs} ms lost: index and Redis differed in ${differed.length} records at its return, and in none ${tookMs} ms later; ${kept} records, each once`,
      )
    } finally {
      await server.close()
    }
  },
}

const tell = async (fleet: Fleet, person: number, text: string): Promise<void> =>
  void (await fleet.telegram?.control({ do: 'sendText', from: person, text }))

const toKept = (n: number, when: string): string => `my locker ${n} is called Otter ${when}`

/** The web's message is given to the fleet once; Telegram gives what was lost again. */
async function order(fleet: Fleet, when: string): Promise<void> {
  for (let n = 0; n < people; n += 1) await tell(fleet, firstPerson + n, `remember that ${toKept(n, when)}`)
  await fleet.ask('kept', `remember that ${toKept(people, when)}`)
  if (when !== afterwards) await fleet.ask('kept', `remember that ${toKept(people + 1, when)}`, 'console')
}

async function untilKept(fleet: Fleet, memory: FleetMemory, when: string): Promise<void> {
  const isKept = async (scope: MemoryScope, n: number): Promise<boolean> =>
    (await memory.readAll(scope)).some(({ text }) => text.startsWith(toKept(n, when)))
  await eventually(
    async () => {
      const speaking = when === afterwards ? scopes.filter((scope) => scope !== onConsole) : scopes
      return (await Promise.all(speaking.map(isKept))).every(Boolean) ? true : undefined
    },
    async () => `not kept ${when}: ${fleet.roles.map((role) => role.tail(3)).join('\n')}`,
  )
}

/** Of each scope number and text, as Redis has them and as the index has them. */
async function readBoth(memory: FleetMemory, { settings }: Server) {
  const engine = openMeilisearchEngine(settings, { tell: () => undefined })
  const both = scopes.map(async (scope) => {
    const records = (await memory.readAll(scope)).map(({ number, text }) => `${scope} ${number} ${text}`)
    const found = await engine.readAll([scope], 200, AbortSignal.timeout(5000)).catch(() => [])
    return { records, found: found.map(({ entry }) => `${scope} ${entry.id} ${entry.text}`) }
  })
  const all = await Promise.all(both)
  return { records: all.flatMap((one) => one.records), found: all.flatMap((one) => one.found) }
}

async function findDifferences(memory: FleetMemory, server: Server): Promise<readonly string[]> {
  const { records, found } = await readBoth(memory, server)
  const [inRedis, inIndex] = [new Set(records), new Set(found)]
  return [...records.filter((one) => !inIndex.has(one)), ...found.filter((one) => !inRedis.has(one))]
}

async function untilAlike(memory: FleetMemory, server: Server): Promise<void> {
  await eventually(
    async () => {
      const isWhole = countFound(server) === (await memory.count())
      return isWhole && (await findDifferences(memory, server)).length === 0 ? true : undefined
    },
    async () =>
      `${countFound(server)} found, ${await memory.count()} kept; ${(await findDifferences(memory, server)).join('; ')}`,
    caughtUpMs,
  )
}

async function findTwice(memory: FleetMemory): Promise<readonly string[]> {
  const texts = (await Promise.all(scopes.map((scope) => memory.readAll(scope)))).map((all) =>
    all.map(({ text }) => text),
  )
  return texts.flatMap((all) => all.filter((text, at) => all.indexOf(text) !== at))
}
