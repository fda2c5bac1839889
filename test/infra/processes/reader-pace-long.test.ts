// How much a worker of readers does: jobs with a model call of ten seconds over two processes, and what happens while processes are killed, the fleet is
// quiet, or more comes than can be done.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createQuiet } from '#queues/fleet/quiet.ts'
import { createReaderJobs } from '#queues/records/reader-jobs.ts'
import { createUnits } from '#queues/units.ts'
import { inspectRecords } from '#queues/workers/inspect.ts'
import { childEnv } from '#test/rig/child-env.ts'
import { scanKeys } from '#test/rig/stored-keys.ts'
import { endTurns, readLetters, until } from '#test/rig/reader-rig.ts'
import { openStore, type Store } from '#test/rig/store.ts'
import { startModelSimulator, type ModelSimulator } from '#test/simulators/model/simulator.ts'

let store: Store
let model: ModelSimulator
const children = new Set<ChildProcess>()
beforeEach(async () => {
  store = await openStore()
  model = await startModelSimulator()
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
  await model.close()
  await store.stop()
})

async function startReading(concurrency: number): Promise<{ kill(): Promise<void>; asked(): number }> {
  const env = {
    ...childEnv,
    REDIS_URL: store.server.url,
    OPENAI_API_KEY: 'sk-test',
    OPENAI_BASE_URL: model.url,
    FLOTILLA_MODEL: 'sim-main',
    FLOTILLA_LOG_LEVEL: 'warn',
    FLOTILLA_MODEL_CONCURRENCY: String(concurrency),
    FLOTILLA_DAILY_TOKENS_CHAT: '1000000000',
    FLOTILLA_DAILY_TOKENS_TOTAL: '1000000000',
    FLOTILLA_DAILY_TOKENS_PERSON: '1000000000',
  }
  const child = spawn(process.execPath, ['test/rig/reading-process.ts', 'reflection'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (said += piece))
  await until(() => said.includes('reading'))
  return {
    asked: () => said.split('asked\n').length - 1,
    async kill() {
      children.delete(child)
      child.kill('SIGKILL')
      await once(child, 'close')
    },
  }
}

const waiting = async (): Promise<number> =>
  (await createReaderJobs(store.redis, createUnits(store.redis, { patienceMs: 10_000 })).look('reflection')).count

/** What the jobs led to: letters that are on their way, or received, where nobody answers. */
async function readLearned(): Promise<readonly string[]> {
  const { admin } = store.server
  const boxes = (await scanKeys(admin)).filter((name) => /^fl:\{p\d\d\}:in:/.test(name))
  const received = await Promise.all(boxes.map((box) => admin.hvals(box)))
  const texts = received.flat().map((event) => String(JSON.parse(event).payload))
  return [...texts, ...(await readLetters(store))]
}

/** So many turns a second, over `chats` conversations. Names them. */
async function say(perSecond: number, seconds: number, chats: number): Promise<readonly string[]> {
  const names: string[] = []
  const begunAt = performance.now()
  for (let n = 0; n < perSecond * seconds; n++) {
    const turn = `t${n}`
    names.push(turn)
    await endTurns(store, `web:c${n % chats}`, turn)
    await sleep(Math.max(0, begunAt + ((n + 1) * 1000) / perSecond - performance.now()))
  }
  return names
}

async function expectPace(concurrency: number, perSecond: number): Promise<void> {
  model.script({ latencyMs: 10_000, answer: { kind: 'text', text: 'ok' } })
  const both = [await startReading(concurrency), await startReading(concurrency)]
  const names = await say(perSecond, 45, 200)
  const behind = await waiting()
  // Ten seconds of work are under way, and a second or two wait to be handed out.
  expect(behind).toBeLessThan(perSecond * 14)
  await until(async () => (await waiting()) === 0, 30_000)
  expect((await readLearned()).toSorted()).toEqual(names.toSorted())
  for (const one of both) expect(one.asked()).toBeGreaterThan(names.length / 5)
}

test('with 2,048 places at the model, two processes keep up with 20 turns a second', async () => {
  await expectPace(2048, 20)
}, 150_000)

test('with 1,024 places, they keep up with 10 turns a second', async () => {
  await expectPace(1024, 10)
}, 150_000)

test('what is too much for one chat is dropped and counted, and keeps nobody else waiting', async () => {
  model.script({ latencyMs: 1000, answer: { kind: 'text', text: 'ok' } })
  // Two places at once.
  await startReading(16)
  for (let n = 0; n < 120; n++) await endTurns(store, 'web:loud', `loud${n}`)
  await endTurns(store, 'web:calm', 'calm')
  await until(async () => (await readLearned()).includes('calm'), 15_000)
  await until(async () => (await waiting()) === 0, 60_000)
  const { dropped } = await inspectRecords(store.kernel)
  const learned = (await readLearned()).filter((one) => one.startsWith('loud'))
  expect(new Set(learned).size).toBe(learned.length)
  expect(learned.length + (dropped['student.learn'] ?? 0)).toBe(120)
  expect(dropped['student.learn']).toBeGreaterThan(50)
  expect(learned).toContain('loud119')
}, 120_000)

test('killed twenty times under load, each job has its effect once', async () => {
  model.script({ latencyMs: 700, answer: { kind: 'text', text: 'ok' } })
  const saying = say(5, 60, 60)
  let [one, other] = [await startReading(1024), await startReading(1024)]
  for (let kills = 0; kills < 20; kills++) {
    await sleep(2000 + 80 * kills)
    await one.kill()
    ;[one, other] = [other, await startReading(1024)]
  }
  const names = await saying
  await until(async () => (await waiting()) === 0, 120_000)
  expect((await readLearned()).toSorted()).toEqual(names.toSorted())
  const { failed, dropped, aside } = await inspectRecords(store.kernel)
  expect({ failed, dropped, aside }).toEqual({ failed: {}, dropped: {}, aside: {} })
}, 300_000)

test('/quiet ends within five seconds what is being asked', async () => {
  model.script({ latencyMs: 60_000, answer: { kind: 'text', text: 'ok' } })
  const quiet = createQuiet(store.redis)
  const one = await startReading(1024)
  await say(10, 2, 20)
  await until(() => one.asked() === 20)
  const places = async (): Promise<number> => await store.server.admin.zcard('fl:{model}:places:reflection')
  await until(async () => (await places()) === 20)
  await quiet.setQuiet(true, 'web:owner')
  const at = performance.now()
  await until(async () => (await places()) === 0)
  expect(performance.now() - at).toBeLessThan(5000)
  await sleep(3000)
  expect([one.asked(), await waiting()]).toEqual([20, 20])
}, 60_000)
