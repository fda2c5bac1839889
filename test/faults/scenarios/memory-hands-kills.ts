// Row 7: executors are killed fifty times, at random moments and between two writes, while pairs of accounts are linked, what is kept for them is edited as a
// file and forgotten, and they part again. In the end each account has just what it said, once, and nothing that was forgotten.
import { createSharedDesks } from '#queues/fleet/desks.ts'
import { createAccounts } from '#queues/memory/accounts.ts'
import { createUnits } from '#queues/units.ts'
import { mergeBooks } from '#services/curiosity/desk/book.ts'
import { comparing } from '#services/memory/comparing.ts'
import { ofPerson } from '#shared/memory/record.ts'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { killAgain } from '#test/faults/rig/kill-again.ts'
import { openMemoryOf, type FleetMemory } from '#test/faults/rig/memory.ts'
import { nextWord, say, scriptQuiet } from '#test/faults/rig/neighbours.ts'
import { eventually, type Card, type Place } from '#test/faults/rig/place.ts'
import { directPlace } from '#test/faults/rig/places.ts'
import { assert, createRandom, type Scenario } from '#test/faults/rig/scenario.ts'

type HandsKills = { readonly seed: number; readonly kills: number; readonly pairs: number }

/** Between what an executor does with memory: before or after each of these it dies. */
const units = [
  'memoryPoint',
  'memoryWrite',
  'memoryChange',
  'memoryDrop',
  'memoryUnpoint',
  'memoryLead',
  'memoryMove',
  'memoryBar',
  'desk',
  'append',
] as const
const firstPerson = 7000
const patienceMs = 180_000
const mostRounds = 3

type Account = { readonly who: number; readonly place: Place; readonly wanted: Set<string> }
type Pair = { readonly one: Account; readonly other: Account; readonly gone: Set<string>; rounds: number }

export function memoryHandsKills(how: HandsKills): Scenario {
  return {
    name: 'memory-hands-kills',
    rows: [7],
    async run(note) {
      await using fleet = await startFleet({ telegram: true, leaseMs: 2000 })
      await scriptQuiet(fleet)
      await Promise.all(['router', 'telegram'].map((role) => fleet.start(role)))
      const executors = [await fleet.start('executor'), await fleet.start('executor')]
      const over = new AbortController()
      const heard: string[] = []
      const begunAtMs = Date.now()
      const dying = killAgain(fleet, executors, {
        role: 'executor',
        units,
        kills: how.kills,
        random: createRandom(how.seed),
        everyMs: 3000,
        patienceMs: 8000,
        until: over.signal,
        heard,
      })
      let isOver = false
      const killed = dying.finally(() => (isOver = true))
      const tables = Array.from({ length: how.pairs }, (_, table) => table)
      const played = await Promise.all(tables.map((table) => play(fleet, [table, how.pairs], () => isOver)))
      over.abort()
      const deaths = await killed
      await goOn(fleet)
      const memory = openMemoryOf(fleet)
      const breaches = (await Promise.all(played.flat().map((pair) => judge(memory, pair)))).flat()
      if (await fleet.client.exists('fl:{accounts}:moving')) breaches.push('an account is still on the way')
      for (const line of breaches.length > 0 ? heard : []) note(line)
      assert(breaches.length === 0, `${breaches.length} breaches:\n  ${breaches.slice(0, 20).join('\n  ')}`)
      const between = deaths.filter((one) => one !== 'random')
      note(
        `${deaths.length} kills in ${((Date.now() - begunAtMs) / 1000).toFixed(0)} s (${between.length} of them between two writes: ${[...new Set(between)].toSorted().join(', ')})`,
      )
      note(
        `${played.flat().reduce((sum, { rounds }) => sum + rounds, 0)} times one of ${played.flat().length} pairs was linked, edited, forgotten and parted: one truth each`,
      )
    },
  }
}

/** As the clock of the fleet does, of what processes that died left on the way. */
async function goOn({ client }: Fleet): Promise<void> {
  for (const field of await client.hkeys('fl:{accounts}:moving')) await client.hset('fl:{accounts}:moving', field, 0)
  const call = createUnits(client, { patienceMs: 60_000 })
  const desks = createSharedDesks(client, call, mergeBooks)
  await createAccounts({ redis: client, call, comparing, desks }).finish()
}

async function meet(fleet: Fleet, nth: number): Promise<Pair> {
  const [first, second] = [firstPerson + 2 * nth, firstPerson + 2 * nth + 1]
  const open = async (who: number): Promise<Account> => ({
    who,
    place: await directPlace(fleet, 'telegram', who),
    wanted: new Set(),
  })
  return { one: await open(first), other: await open(second), gone: new Set(), rounds: 0 }
}

/** Once at least, and as long as processes are killed. Who gives more commands in a short time is told to wait, so others come then. */
async function play(
  fleet: Fleet,
  [table, tables]: readonly [number, number],
  isOver: () => boolean,
): Promise<readonly Pair[]> {
  const pairs: Pair[] = []
  let pair = await meet(fleet, table)
  do {
    if (pair.rounds === mostRounds) pair = await meet(fleet, table + tables * pairs.length)
    if (pair.rounds === 0) pairs.push(pair)
    await playRound(pair)
    pair.rounds += 1
  } while (!isOver())
  return pairs
}

async function playRound({ one, other, gone }: Pair): Promise<void> {
  const [kept, edited, dropped] = [nextWord(), nextWord(), nextWord()]
  await keep(one, `my ${kept} has rope`)
  await keep(one, `my ${edited} has rope`)
  await keep(other, `my ${dropped} has rope`)
  await ask(one, '/link', 'It holds for ten minutes')
  const code = /\/link (\S+)/.exec((await newest(one.place, 'It holds for ten minutes')).text)?.[1] ?? ''
  await ask(other, `/link ${code}`, 'Shall I link this account')
  await press(other, 'Link', 'Now confirm it there')
  await press(one, 'Link', 'is linked with')
  // Whoever says the new words has them.
  await ask(other, '/memory file', '# MEMORY')
  const file = (await newest(other.place, '# MEMORY')).text
  const changed = file
    .split('\n')
    .filter((line) => line.startsWith('#') || line.includes(edited))
    .map((line) => line.replace('has rope', 'has oars'))
  await ask(other, `/memory file\n${changed.join('\n')}`, '1 changed')
  await press(other, 'Apply', 'Applied')
  await ask(one, `/forget ${dropped}`, 'Shall I forget this?')
  await press(one, 'Forget it', 'forgotten')
  await ask(one, '/unlink', 'These accounts share')
  await press(one, 'Unlink this account', 'is not linked any more')
  one.wanted.add(`my ${kept} has rope`)
  other.wanted.add(`my ${edited} has oars`)
  gone.add(dropped)
  gone.add(`my ${edited} has rope`)
}

const ask = async ({ place, who }: Account, text: string, part: string): Promise<void> =>
  await say(place, who, text, part)
const keep = async (account: Account, text: string): Promise<void> =>
  await ask(account, `/remember ${text}`, `“${text}”`)

const newest = async (place: Place, part: string): Promise<Card> =>
  await eventually(
    async () => (await place.said()).findLast(({ text }) => text.includes(part)),
    `${place.conversation} says ${part}`,
    patienceMs,
  )

/** A press may meet nobody for a while: it is answered by who comes next. */
async function press({ place, who }: Account, label: string, part: string): Promise<void> {
  const before = (await place.said()).filter(({ text }) => text.includes(part)).length
  const card = await eventually(
    async () => (await place.said()).findLast(({ buttons }) => buttons.some((button) => button.label === label)),
    `${place.conversation} shows ${label}`,
    patienceMs,
  )
  const data = card.buttons.find((button) => button.label === label)?.data ?? ''
  await place.press(card.id, data, who)
  await eventually(
    async () => ((await place.said()).filter(({ text }) => text.includes(part)).length > before ? true : undefined),
    async () => `${label} in ${place.conversation}: ${JSON.stringify((await place.said()).slice(-3))}`,
    patienceMs,
  )
}
async function judge(memory: FleetMemory, { one, other, gone }: Pair): Promise<readonly string[]> {
  const breaches: string[] = []
  for (const { who, wanted } of [one, other]) {
    const read = await memory.store.read(ofPerson(`telegram:${who}`))
    const texts = read === 'same' ? [] : read.records.map(({ text }) => text)
    for (const text of wanted) {
      const times = texts.filter((known) => known === text).length
      if (times !== 1) breaches.push(`${who} has "${text}" ${times} times`)
    }
    if (texts.length !== wanted.size)
      breaches.push(`${who} has ${texts.length} records of ${wanted.size}: ${texts.join(' | ')}`)
    for (const word of gone) if (texts.some((text) => text.includes(word))) breaches.push(`${who} still has "${word}"`)
  }
  return breaches
}
