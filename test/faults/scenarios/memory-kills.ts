// Row 7: processes that read what was said are killed fifty times, at random moments and between two writes, while people talk. Another one is frozen, and
// then goes on with what others did meanwhile. In the end all is taken in, each thing once, and nobody sees anything of it.
import { setTimeout as sleep } from 'node:timers/promises'
import { ofPerson, type MemoryScope } from '#shared/memory/record.ts'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { killAgain } from '#test/faults/rig/kill-again.ts'
import { findNoon } from '#test/rig/noon.ts'
import { countFound, openMemoryOf, toSearchEnv, type FleetMemory } from '#test/faults/rig/memory.ts'
import { eventually } from '#test/faults/rig/place.ts'
import { expectInvariants } from '#test/faults/rig/oracle.ts'
import { assert, createRandom, type Scenario } from '#test/faults/rig/scenario.ts'
import { startSimulated } from '#test/rig/meilisearch.ts'

type MemoryKills = { readonly seed: number; readonly kills: number; readonly people: number; readonly rounds: number }

/** Between what a reader does: before or after each of these a process dies. */
const units = [
  'memoryPoint',
  'memoryWrite',
  'memoryLog',
  'memoryUse',
  'graphNote',
  'graphClaim',
  'graphWrite',
  'pass',
  'beginJob',
  'endJob',
] as const
const firstPerson = 3000
/** Between two messages. Who writes more in one chat than is looked at has the oldest skipped. */
const everyMs = 380
const webChats = ['m1', 'm2']
/** What was said last waits for two quiet minutes where it is none of three. */
const catchUpMs = 240_000
/** A job is left to its process for half a minute. */
const [frozenMs, awakeMs] = [35_000, 4000]
/** Who gives more orders in a short time is told to wait. */
const mostOrders = 20

type Told = {
  readonly scope: MemoryScope
  readonly conversation: string
  /** What is noticed, and what was ordered to be kept. */
  readonly noticed: string[]
  readonly ordered: string[]
}

export function memoryKills(how: MemoryKills): Scenario {
  return {
    name: 'memory-kills',
    rows: [7],
    async run(note) {
      const random = createRandom(how.seed)
      const search = await startSimulated()
      try {
        await using fleet = await startFleet({
          telegram: true,
          leaseMs: 2000,
          env: { ...toSearchEnv(search.settings), FLOTILLA_TIME_ZONE: findNoon() },
        })
        const told = toTold(how.people)
        await Promise.all(['router', 'executor', 'telegram'].map((role) => fleet.start(role)))
        await scriptFound(fleet, how.people)
        const readers = [await fleet.start('reflection'), await fleet.start('reflection')]
        const startedAtMs = Date.now()
        const over = new AbortController()
        const talking = talk(fleet, told, { ...how, until: over.signal })
        const heard: string[] = []
        const freezing = freezeOne(fleet, over.signal)
        const deaths = await killAgain(fleet, readers, {
          role: 'reflection',
          units,
          kills: how.kills,
          random,
          everyMs: 2500,
          patienceMs: 6000,
          heard,
          until: over.signal,
        })
        const killedMs = Date.now() - startedAtMs
        over.abort()
        const freezes = await freezing
        await talking
        await fleet.answered(60_000)
        const memory = openMemoryOf(fleet)
        const endedAtMs = Date.now()
        await eventually(
          async () => {
            const { places, jobs } = await memory.behind()
            return places + jobs === 0 && countFound(search) === (await memory.count()) ? true : undefined
          },
          async () =>
            `${JSON.stringify(await memory.behind())}, ${countFound(search)} found of ${await memory.count()}`,
          catchUpMs,
        )
        const records = await expectEachOnce(memory, told).catch((error: unknown) => {
          for (const line of heard) note(line)
          throw error
        })
        const found = await expectFoundOnce(fleet, memory, told)
        expectSeenOnce(fleet, told)
        await expectInvariants(fleet, { extraModelCalls: 0, otherTexts: true })
        note(
          `${deaths.length} kills and ${freezes} freezes in ${(killedMs / 1000).toFixed(0)} s (${deaths.filter((one) => one !== 'random').length} of them between two writes: ` +
            `${[...new Set(deaths)].toSorted().join(', ')})`,
        )
        note(
          `${fleet.talk.asked.size} messages of ${told.length} chats: ${records} records, each once, as many in the index; ${found} finds (${await counted(fleet)});` +
            ` caught up after ${((Date.now() - endedAtMs) / 1000).toFixed(0)} s`,
        )
      } finally {
        await search.close()
      }
    },
  }
}

const counted = async ({ client }: Fleet): Promise<string> =>
  Object.entries(await client.hgetall('fl:{graph}'))
    .map(([what, times]) => `${what} ${times}`)
    .join(', ')

const toTold = (people: number): readonly Told[] => [
  ...Array.from({ length: people }, (_, n) =>
    toPlace(ofPerson(`telegram:${firstPerson + n}`), `telegram:${firstPerson + n}`),
  ),
  ...webChats.map((chat) => toPlace(ofPerson('web:owner'), `web:${chat}`)),
]
const toPlace = (scope: MemoryScope, conversation: string): Told => ({ scope, conversation, noticed: [], ordered: [] })

/** The model finds one thing for each chat, which is named in all that is said there. */
async function scriptFound(fleet: Fleet, people: number): Promise<void> {
  const rules = Array.from({ length: people + webChats.length }, (_, n) => {
    const relations = [{ type: 'sails with', to: `Quokka${n}`, confidence: 0.9 }]
    const entities = [
      { entity: 'SPEAKER', type: 'person', relations },
      { entity: `Quokka${n}`, type: 'project' },
    ]
    return {
      when: { text: `with Quokka${n} `, model: 'simulated-fast' },
      answer: { kind: 'text', text: JSON.stringify({ entities }) },
    } as const
  })
  await fleet.model.script(...rules)
  await fleet.model.latency(100)
}

/** At least so many rounds, and as long as processes are killed: three things to notice each, and one order. */
async function talk(
  fleet: Fleet,
  told: readonly Told[],
  { rounds, until }: { readonly rounds: number; readonly until: AbortSignal },
): Promise<void> {
  for (let round = 0; round < rounds || !until.aborted; round += 1) {
    for (const [nth, one] of told.entries()) await sayOne(fleet, one, { nth, round })
    await fleet.pause(100)
  }
  // Three are looked at together.
  for (const [nth, one] of told.entries())
    while (one.noticed.length % 3 !== 0) await sayOne(fleet, one, { nth, round: 0 })
}

async function sayOne(
  fleet: Fleet,
  one: Told,
  { nth, round }: { readonly nth: number; readonly round: number },
): Promise<void> {
  const [channel = '', chat = ''] = one.conversation.split(':')
  const ask = channel === 'telegram' ? fleet.askTelegram(Number(chat), toNoticed(nth)) : fleet.ask(chat, toNoticed(nth))
  const asked = await ask
  one.noticed.push(toNumber(asked.text))
  await fleet.pause(everyMs)
  if (round % 4 !== 1 || one.ordered.length >= mostOrders) return
  const order = `remember that my locker ${nth}${round} has rope`
  if (channel === 'telegram') {
    await fleet.telegram?.control({ do: 'sendText', from: Number(chat), text: order })
    one.ordered.push(`my locker ${nth}${round} has rope`)
  } else one.ordered.push(`my locker ${nth}${round} has rope ${toNumber((await fleet.ask(chat, order)).text)}`)
  await fleet.pause(everyMs)
}

const toNoticed = (nth: number): string => `I like sailing with Quokka${nth} near Oslo`
const toNumber = (text: string): string => /#\d+/.exec(text)?.[0] ?? ''

/** A third one stands still for longer than its leases and its jobs are left to it, and then goes on with them. Resolves with how often. */
async function freezeOne(fleet: Fleet, until: AbortSignal): Promise<number> {
  const child = await fleet.start('reflection')
  let times = 0
  while (!until.aborted) {
    await fleet.pause(awakeMs)
    child.freeze()
    times += 1
    await sleep(frozenMs, undefined, { signal: until }).catch(() => {})
    child.thaw()
  }
  return times
}

/** Resolves with how many there are. */
async function expectEachOnce(memory: FleetMemory, told: readonly Told[]): Promise<number> {
  const breaches: string[] = []
  let count = 0
  for (const [scope, places] of Map.groupBy(told, (one) => one.scope)) {
    const records = await memory.readAll(scope)
    count += records.length
    const ids = new Set(records.map(({ id }) => id))
    if (ids.size !== records.length) breaches.push(`${scope}: ${records.length} records of ${ids.size} ids`)
    const wanted = places.flatMap(({ noticed, ordered }) => [...noticed, ...ordered])
    for (const text of wanted) {
      const times = records.filter((record) => record.text.endsWith(text)).length
      if (times !== 1) breaches.push(`${scope}: ${times} records of "${text}"`)
    }
    if (records.length !== wanted.length)
      breaches.push(`${scope}: ${records.length} records of ${wanted.length} things`)
    for (const place of places) breaches.push(...(await findUnlogged(memory, place)))
  }
  assert(breaches.length === 0, `${breaches.length} breaches:\n  ${breaches.slice(0, 20).join('\n  ')}`)
  return count
}

/** Each exchange is one entry of the day's log. */
async function findUnlogged(memory: FleetMemory, { conversation, noticed }: Told): Promise<readonly string[]> {
  const entries = await memory.readLog(conversation)
  return noticed.flatMap((text) => {
    const times = entries.filter(({ asked }) => asked.includes(`${text}.`)).length
    return times === 1 ? [] : [`${conversation}: ${times} log entries of "${text}"`]
  })
}

/** Each message was looked at for people and things, and each look is written once. Resolves with how many finds there are. */
async function expectFoundOnce(fleet: Fleet, memory: FleetMemory, told: readonly Told[]): Promise<number> {
  const items = (await Promise.all([...new Set(told.map(({ scope }) => scope))].map(memory.readFound))).flat()
  const messages = items.flatMap(({ from }) =>
    from.flatMap((one) => one.messages.map((id) => `${one.conversation} ${id}`)),
  )
  const count = (some: readonly Told[]): number => some.reduce((sum, { noticed }) => sum + noticed.length, 0)
  // The web's messages have no ids here.
  const named = count(told.filter(({ conversation }) => conversation.startsWith('telegram:')))
  assert(
    items.length === count(told) / 3 && messages.length === named && new Set(messages).size === named,
    `${items.length} finds of ${count(told)} messages; ${messages.length} named, ${new Set(messages).size} different ones, of ${named}: ` +
      (await counted(fleet)),
  )
  return items.length
}

/** What was ordered is told once, and nothing else is said of it: cards come of another worker, which is not here. */
function expectSeenOnce({ talk: { conversations } }: Fleet, told: readonly Told[]): void {
  const breaches: string[] = []
  for (const [scope, places] of Map.groupBy(told, (one) => one.scope)) {
    const said = places.flatMap(({ conversation }) => conversations.get(conversation) ?? [])
    for (const text of places.flatMap(({ ordered }) => ordered)) {
      const times = said.filter((one) => one.text.includes('Kept as number') && one.text.includes(text)).length
      if (times !== 1) breaches.push(`${scope} was told ${times} times that "${text}" is kept`)
    }
  }
  assert(breaches.length === 0, `${breaches.length} breaches:\n  ${breaches.slice(0, 20).join('\n  ')}`)
}
