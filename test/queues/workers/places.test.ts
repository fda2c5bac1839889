// Facts about conversations and tasks that share the places of a process: people come first, and tasks advance alike.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { isTask, toTask, type Address } from '#shared/chat/address.ts'
import type { Signal } from '#shared/run/step.ts'
import { connectProducer, connectWorker, type RedisClient } from '#queues/connection.ts'
import { createHints, type Hints } from '#queues/jobs/hints.ts'
import { createCompany } from '#queues/workers/company.ts'
import { createCrowd } from '#queues/workers/crowd.ts'
import { executeConversation, type ExecuteDeps } from '#queues/workers/execute-conversation.ts'
import { createHintWorkers } from '#queues/workers/hint-worker.ts'
import { createPlaces } from '#queues/workers/places.ts'
import { ann, deliverMany, step } from '#test/contracts/kernel-fixtures.ts'
import { createStillLiveness } from '#test/rig/still-liveness.ts'
import { openStore, type Store } from '#test/rig/store.ts'

let store: Store
let producer: RedisClient
let hints: Hints
beforeAll(async () => {
  store = await openStore()
  producer = connectProducer(store.server.url)
  if (producer.status !== 'ready') await new Promise((resolve) => producer.once('ready', resolve))
  hints = createHints(producer)
})
afterAll(async () => {
  await hints.close()
  producer.disconnect()
  await store.stop()
})

beforeEach(async () => {
  await store.server.admin.flushall()
})

const stepMs = 200
const turnMs = 20
const concurrency = 4

const next = (home: string, task: Address, n: number): Signal => ({
  to: task,
  event: {
    v: 1,
    kind: 'letter',
    id: `${task}/${n}`,
    conversation: home,
    principal: ann,
    from: home,
    letter: 'tasks.next',
    payload: '',
  },
})

/** Serves tasks step by step, each of which tells itself to go on, and chats in one short turn. */
function createServing() {
  const steps = new Map<Address, number>()
  const begunAtMs = new Map<Address, number>()
  let [inside, mostInside, tasksInside, mostTasksInside] = [0, 0, 0, 0]
  const work = async (address: Address, ms: number): Promise<void> => {
    inside += 1
    if (isTask(address)) tasksInside += 1
    mostInside = Math.max(mostInside, inside)
    mostTasksInside = Math.max(mostTasksInside, tasksInside)
    await sleep(ms)
    inside -= 1
    if (isTask(address)) tasksInside -= 1
  }
  const serve =
    (mustLeave: () => boolean): ExecuteDeps['serve'] =>
    async ({ address, claimed, store: own }, signal) => {
      let pending = claimed.pending
      while (pending.length > 0 && !signal.aborted) {
        const [home = ''] = address.split('#')
        if (!isTask(address)) begunAtMs.set(address, performance.now())
        await work(address, isTask(address) ? stepMs : turnMs)
        const done = (steps.get(address) ?? 0) + 1
        const signals = isTask(address) ? [next(home, address, done)] : []
        const consume = pending.map(({ seq }) => seq)
        const stored = await own.append(step(`s${done}`, { consume, signals, folds: true, snapshot: String(done) }))
        if (stored.kind !== 'OK') return 'LEFT'
        steps.set(address, done)
        pending = (await own.pending(consume.at(-1) ?? 0)).events
        if (pending.length > 0 && mustLeave()) return 'YIELDED'
      }
      return signal.aborted ? 'LEFT' : 'EMPTY'
    }
  return { serve, steps, begunAtMs, most: () => ({ inside: mostInside, tasks: mostTasksInside }) }
}

function startExecutor({ serve }: Pick<ReturnType<typeof createServing>, 'serve'>, most: number) {
  const company = createCompany()
  const deps = {
    kernel: store.kernel,
    hints,
    signals: { listen: () => () => {}, tell: () => {} },
    liveness: createStillLiveness(),
    giveBack: () => {},
    company,
    onParked: () => {},
    onLeft: () => {},
  }
  const crowd = createCrowd({
    most,
    handler: async (address, signal, mustLeave) =>
      await executeConversation({ ...deps, serve: serve(mustLeave) }, address, signal),
    onLeft: (address) => hints.execute(address),
    onTrouble: () => {},
  })
  const options = { connection: connectWorker(store.server.url), hints, onTrouble: () => {} }
  const workers = [
    createHintWorkers('execute', 1, { ...options, openEntrance: () => crowd.openEntrance(most) }),
    createHintWorkers('execute-tasks', 1, { ...options, openEntrance: crowd.openTaskEntrance }),
  ]
  return async (): Promise<void> => {
    await Promise.all([...workers.map((worker) => worker.stop()), crowd.stop(0)])
    options.connection.disconnect()
  }
}

async function beginTasks(chats: number, each: number): Promise<Address[]> {
  const tasks: Address[] = []
  for (let chat = 0; chat < chats; chat++) {
    const home = `telegram:with-${each}-${chat}`
    const claimed = await store.kernel.claim(home, 'w1', 60_000)
    if (claimed.kind !== 'CLAIMED') throw new Error(claimed.kind)
    const own = Array.from({ length: each }, (_, n) => toTask(home, n + 1))
    const signals = own.map((task) => ({ ...next(home, task, 0), begins: [] }))
    await store.kernel.append(home, claimed.epoch, step('begin', { signals }))
    await store.kernel.release(home, 'w1', claimed.epoch, true)
    tasks.push(...own)
  }
  return tasks
}

test('people find a place at once beside forty tasks, and tasks of all chats advance alike', async () => {
  const tasks = [...(await beginTasks(5, 5)), ...(await beginTasks(15, 1))]
  const serving = createServing()
  // The chat with five has all of its hints first.
  for (const task of tasks) await hints.execute(task)
  const stop = startExecutor(serving, concurrency)
  const waitedMs: number[] = []
  for (let n = 0; n < 80; n++) {
    const chat = `telegram:talk-${n}`
    await deliverMany(store.kernel, chat, 1)
    const askedMs = performance.now()
    await hints.execute(chat)
    await sleep(100)
    const begunMs = serving.begunAtMs.get(chat)
    waitedMs.push(begunMs === undefined ? Infinity : begunMs - askedMs)
  }
  await stop()
  const done = tasks.map((task) => serving.steps.get(task) ?? 0)
  expect(waitedMs.toSorted((a, b) => a - b)[Math.floor(waitedMs.length * 0.95)]).toBeLessThan(50)
  expect(Math.min(...done)).toBeGreaterThan(0)
  expect(Math.max(...done) - Math.min(...done)).toBeLessThanOrEqual(3)
  expect(serving.most()).toEqual({ inside: concurrency, tasks: 3 })
}, 60_000)

test('a task that nobody waits for goes on without being given back', async () => {
  const [task = ''] = await beginTasks(1, 1)
  const serving = createServing()
  const stop = startExecutor(serving, concurrency)
  await hints.execute(task)
  await expect.poll(() => serving.steps.get(task), { timeout: 5000 }).toBe(3)
  const claimed = await store.kernel.claim(task, 'other', 1000)
  await stop()
  expect(claimed.kind).toBe('HELD')
})

test('with a single place a task leaves it after a step, and people come first', async () => {
  const tasks = await beginTasks(1, 20)
  const serving = createServing()
  for (const task of tasks) await hints.execute(task)
  const stop = startExecutor(serving, 1)
  await expect.poll(() => serving.steps.size, { timeout: 5000 }).toBe(1)
  const chat = 'telegram:alone'
  await deliverMany(store.kernel, chat, 1)
  const askedMs = performance.now()
  await hints.execute(chat)
  await expect.poll(() => serving.begunAtMs.get(chat), { timeout: 5000 }).toBeDefined()
  expect((serving.begunAtMs.get(chat) ?? 0) - askedMs).toBeLessThan(2 * stepMs)
  await expect.poll(() => serving.steps.size, { timeout: 5000 }).toBeGreaterThan(3)
  await stop()
})

test('tasks have three quarters of the places, and none that a conversation waits for', () => {
  const places = createPlaces(8)
  const [people, tasks] = [places.openConversations(8), places.openTasks()]
  for (; tasks.left() > 0; tasks.take());
  expect([tasks.most, people.left()]).toEqual([6, 2])
  for (; people.left() > 0; people.take());
  expect(tasks.mustLeave()).toBe(false)
  people.setWaiting(true)
  expect(tasks.mustLeave()).toBe(true)
  tasks.giveBack()
  expect([tasks.left(), people.left()]).toEqual([0, 1])
})

test('conversations that fill their own way in keep no place from tasks', () => {
  const places = createPlaces(8)
  const [people, tasks] = [places.openConversations(4), places.openTasks()]
  for (; people.left() > 0; people.take());
  people.setWaiting(true)
  expect([tasks.left(), tasks.mustLeave()]).toEqual([4, false])
})
