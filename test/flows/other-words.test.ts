// With an embedding model, what was kept in other words or in the other language is in the prompt that needs it; what is forgotten takes its vector along;
// and while that model is away, slow or wrong, answers go on by words alone.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startMemoryIndex } from '#infra/processes/follow-memory.ts'
import { toBytes } from '#infra/search/vector-bytes.ts'
import { ofPerson } from '#shared/memory/record.ts'
import { startFleet, until, type Fleet } from '#test/rig/fleet.ts'
import { startSimulated } from '#test/rig/meilisearch.ts'
import { remembered } from '#test/rig/remembered.ts'
import { toVector, type EmbeddingFault } from '#test/simulators/model/embeddings.ts'

const scope = ofPerson('web:owner')
const home = 'my sister lives in Zurich'

async function ask(fleet: Fleet, text: string): Promise<string> {
  await fleet.ask(text)
  return JSON.stringify(fleet.model.ledger.entries.at(-1)?.messages)
}

/** Each try costs tokens of the day. */
async function askUntil(fleet: Fleet, text: string, word: string): Promise<void> {
  for (; !(await ask(fleet, text)).includes(word);) await sleep(300)
}

const keep = async (fleet: Fleet, text: string, message: string): Promise<void> => {
  const at = { conversation: 'web:home', message }
  await fleet.runtime.memory.write(scope, remembered(text, at, { speaker: 'web:owner' }))
}

async function open(env: Record<string, string> = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'flotilla-words-'))
  const fleet = await startFleet({ env: { FLOTILLA_DATA: folder, ...env } })
  await keep(fleet, home, 'm-home')
  await keep(fleet, 'the bicycle is called Heron', 'm-bike')
  const part = startMemoryIndex(fleet.runtime)
  return {
    fleet,
    async holds(bytes: string | Uint8Array) {
      const files = await readdir(folder)
      const read = await Promise.all(files.map(async (file) => await readFile(path.join(folder, file)).catch(() => '')))
      return read.some((one) => Buffer.from(one).includes(bytes))
    },
    async [Symbol.asyncDispose]() {
      await part.stop(0)
      await fleet[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const model = { FLOTILLA_EMBEDDING_MODEL: 'sim-embed' }

test(
  'other words and the other language find what was kept, and forgetting takes its vector along',
  { timeout: 90_000 },
  async () => {
    await using world = await open(model)
    const { fleet, holds } = world
    const whole = Buffer.from(toBytes(Float32Array.from(toVector(home, 1024))))
    const vector = whole.subarray(whole.findIndex((byte) => byte !== 0))
    await askUntil(fleet, 'Is her house far away?', 'Zurich')
    await askUntil(fleet, '她的住址是哪里？', 'Zurich')
    expect(await ask(fleet, 'Which zeppelins fly tomorrow?')).not.toMatch(/Zurich|Heron/)
    expect(await holds(vector)).toBe(true)
    await fleet.runtime.memory.forget('web:home', ['m-home'])
    await until(async () => !(await holds('Zurich')) && !(await holds(vector)))
    expect(await ask(fleet, 'Tell me, is her house far away?')).not.toContain('Zurich')
  },
)

test('without the setting nobody asks for a vector', { timeout: 60_000 }, async () => {
  await using world = await open()
  await askUntil(world.fleet, 'What is the bicycle called?', 'Heron')
  expect(await ask(world.fleet, 'Is her house far away?')).not.toContain('Zurich')
  expect(world.fleet.model.embeddings.asked).toEqual([])
})

const faults: readonly (readonly [string, EmbeddingFault | undefined, number])[] = [
  ['is away', { status: 503 }, 0],
  ['is slow', undefined, 4000],
  ['gives vectors of another length', 'wrong-length', 0],
  ['gives no numbers', 'not-a-number', 0],
]
test.each(faults)(
  'an embedding model that %s delays nothing: words alone find, /why says so, and it catches up',
  { timeout: 90_000 },
  async (_, fault, latencyMs) => {
    await using world = await open({ ...model })
    const { fleet } = world
    // Which length is another one is known once a vector is there.
    if (fault === 'wrong-length') await askUntil(fleet, 'Is her house far away?', 'Zurich')
    Object.assign(fleet.model.embeddings, { fault, latencyMs })
    await askUntil(fleet, 'What is the bicycle called?', 'Heron')
    const why = await fleet.ask('/why', { slash: 'why' })
    expect(JSON.stringify(why)).toContain('looked for by words alone this time')
    Object.assign(fleet.model.embeddings, { fault: undefined, latencyMs: 0 })
    await askUntil(fleet, 'Tell me, is her house far away?', 'Zurich')
  },
)

test('Meilisearch carries the vectors of a fleet', { timeout: 90_000 }, async () => {
  const server = await startSimulated()
  const { url, keys } = server.settings
  const { reader, writer, operator } = keys
  const env = { MEILISEARCH_URL: url, MEILISEARCH_KEYS: `reader=${reader},writer=${writer},operator=${operator}` }
  try {
    await using world = await open({ ...model, ...env })
    const { fleet } = world
    await askUntil(fleet, 'Is her house far away?', 'Zurich')
    await fleet.runtime.memory.forget('web:home', ['m-home'])
    await until(async () => !server.simulator.readFile('memory').includes('Zurich'))
    expect(await ask(fleet, 'Tell me, is her house far away?')).not.toContain('Zurich')
  } finally {
    await server.close()
  }
})
