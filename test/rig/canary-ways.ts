// A word of its own for each way into memory, forgotten in each way out: afterwards it is nowhere.
import { setTimeout as sleep } from 'node:timers/promises'
import { findInFiles, findText, rewriteFiles } from '#test/rig/texts.ts'
import {
  findInAnswers,
  findInIndex,
  findInMemory,
  findInRedis,
  openScene,
  tell,
  untilKept,
  type Scene,
} from './canary-scene.ts'
import { waysIn } from './canary-ways-in.ts'
import { forgetMessages, waysOut, type WayOut } from './canary-ways-out.ts'
import { until } from './fleet.ts'
import { hasReadAll } from './reflection.ts'

const patienceMs = 20_000
const commands = ['/memory file', '/memory', '/memory recent', '/log', '/log file', '/skills', '/anchor', '/questions']

type Way = {
  readonly title: string
  readonly word: string
  readonly comeIn: (typeof waysIn)[keyof typeof waysIn]
  readonly out: WayOut
}

/** All of them. `isTried`: by their numbers. */
function listWays(isTried: (wayIn: number, wayOut: number) => boolean): readonly Way[] {
  return Object.entries(waysIn).flatMap(([nameIn, comeIn], nth) =>
    Object.entries(waysOut).flatMap(([nameOut, out], at) => {
      const word = `Zebra${'bcdfghjklmnp'[nth]}${'aeiouybv'[at]}${'bcdfghjklmnp'[nth]}finch`
      const isFit = out.but?.includes(nameIn) !== true
      return isFit && isTried(nth, at)
        ? [{ title: `${word}: ${nameIn}, forgotten by ${nameOut}`, word, comeIn, out }]
        : []
    }),
  )
}

/** How many ways were tried. Throws where something is left of a word. */
export async function tryWays(isTried: (wayIn: number, wayOut: number) => boolean): Promise<number> {
  await using parts = new AsyncDisposableStack()
  const scene = await openScene(parts)
  const ways = listWays(isTried)
  for (const way of ways)
    await tryWay(scene, way).catch((cause: unknown) => {
      throw new Error(way.title, { cause })
    })
  await tell(scene.home, 'hello number 2')
  const { messages } = scene.fleet.model.ledger.entries.at(-1) ?? {}
  if (JSON.stringify(messages).includes('Zebra')) throw new Error('The next prompt has such a word.')
  await findInRewritten(
    scene,
    ways.map(({ word }) => word),
  )
  return ways.length
}

async function tryWay(scene: Scene, { word, comeIn, out }: Way): Promise<void> {
  const { fleet, routes } = scene
  const kept = await within('coming in', comeIn(scene, word))
  await within('being kept', untilKept(scene, kept.room, word))
  await within(
    'being found by the index',
    until(async () => (await findInIndex(fleet, word)).length > 0),
  )
  await within('going out', out.run(scene, kept, word))
  await untilNone('memory', () => findInMemory(scene, kept.room, word))
  await untilNone('the index', () => findInIndex(fleet, word))
  if (out.leavesMessages) await within('its messages', forgetMessages(kept))
  await within(
    'being read',
    until(async () => await hasReadAll(fleet)),
  )
  await untilNone('Redis', () => findInRedis(scene, word))
  await untilNone('the index, later', () => findInIndex(fleet, word))
  await untilNone('memory, later', () => findInMemory(scene, kept.room, word))
  const told = [
    ...(await within('answers', findInAnswers(kept.room, word, commands))),
    ...[await routes.get(`search?q=${word}`)].filter((text) => text.includes(word)),
  ]
  if (told.length > 0) throw new Error(`It is told: ${told.join('\n')}`)
}

/** What may stay for a while after it was forgotten goes with its time. */
async function findInRewritten({ fleet: { redis } }: Scene, words: readonly string[]): Promise<void> {
  for (const word of words) for (const key of await findText(redis.admin, word)) await redis.admin.del(key)
  await rewriteFiles(redis.admin)
  for (const word of words) {
    const files = await findInFiles(redis, word)
    if (files.length > 0) throw new Error(`${word} stands in ${files.join()}`)
  }
}

async function within<T>(what: string, work: Promise<T>): Promise<T> {
  const ending = new AbortController()
  const late = sleep(patienceMs, undefined, { signal: ending.signal }).then((): never => {
    throw new Error(`It takes too long: ${what}.`)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    late.catch(() => {})
    ending.abort()
  }
}

/** Waits until nothing is found any more. */
async function untilNone(where: string, find: () => Promise<readonly string[]>): Promise<void> {
  const endMs = performance.now() + patienceMs
  for (let found = await find(); found.length > 0; found = await find()) {
    if (performance.now() > endMs) throw new Error(`It stands in ${where}: ${found.join()}`)
    await sleep(20)
  }
}
