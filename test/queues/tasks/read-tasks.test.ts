// Tasks as they are looked at, on a real Redis: while a step of one hangs, between steps, and where there is none.
import { beforeAll, afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createTaskReader } from '#queues/tasks/read-tasks.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import type { Kept } from '#shared/feature/kept.ts'
import { findLogs, findTree, openTask } from '#services/tasks/view/open-task.ts'
import { toRoutes } from '#services/tasks/view/routes.ts'
import { ann, conversation } from '#test/rig/events.ts'
import { openStore, type Store } from '#test/rig/store.ts'
import { answer, type Answer } from '#test/services/executor/stage.ts'
import { calling, openTasks, planning, stepsOf } from '#test/services/tasks/task-stage.ts'

let store: Store
beforeAll(async () => {
  store = await openStore()
})
afterAll(() => store[Symbol.asyncDispose]())

const stored = (kept: Kept<unknown> | undefined): unknown => JSON.parse(JSON.stringify(kept ?? null))
const secret = 'canary81234'
const place = { home: conversation, number: 1, principal: ann }

test('a task is read while its step hangs, with what that has done so far, and then its logs and files', async () => {
  const { kernel, redis } = store
  const reader = createTaskReader({ redis, kernel })
  expect([await reader.list(conversation), await reader.find(place), await openTask(reader, place)]).toEqual([
    [],
    undefined,
    undefined,
  ])
  const tasks = openTasks({ kernel })
  const [begun, going] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const hangs: Answer = async (call) => {
    begun.resolve()
    await going.promise
    return await answer(call, 'Text of part 2.')
  }
  tasks.model.plan = () => planning(stepsOf(2))
  tasks.model.step = (at, _, called) => {
    if (called === 0) return calling('file_write', { path: `part-${at}.md`, text: `# ${at}\n` })
    return at === 2 ? hangs : `Text of part ${at}.`
  }
  const working = tasks.task('write two parts, without stopping')
  await begun.promise

  const [listed] = await reader.list(conversation)
  expect(listed).toMatchObject({ number: 1, asker: ann })
  const found = await openTask(reader, place)
  expect(found?.own).toMatchObject({ number: 1, node: 'N-002', phase: 'step', outcome: 'none' })
  expect(found?.endsAt).toBeUndefined()
  expect(stored(found?.running)).toMatchObject({
    source: 'own',
    value: { calls: [{ name: 'file_write', how: 'ok', head: 'The file is written: 4 bytes.' }], left: 0, tokens: 15 },
  })
  expect(found?.running?.about).toEqual(listed?.title.about)
  expect(stored(found?.order)).toMatchObject({ source: 'person', by: ann, value: 'write two parts, without stopping' })
  const logs = await findLogs(reader, place)
  expect(logs.map((log) => stored(log))).toMatchObject([
    { value: { what: 'plan', number: 0, generation: 1, calls: [{ name: 'task_plan', how: 'ok' }] } },
    { value: { what: 'step', number: 1, generation: 1, ending: 'answered', tokens: 30 } },
  ])
  const tree = await findTree(reader, place, found?.own.tree ?? '')
  expect(stored(tree)).toMatchObject({
    value: [
      { path: 'part-1.md', bytes: 4 },
      { path: 'part-2.md', bytes: 4 },
    ],
  })
  going.resolve()
  expect(await working).toContain('Text of part 2.')
  expect(await reader.list(conversation)).toMatchObject([{ number: 1, state: 'COMPLETED', done: 2, all: 2 }])
  expect((await reader.find(place))?.running).toBeUndefined()

  // Nothing is told of a task that is not there, nor of the same number elsewhere.
  for (const elsewhere of [
    { ...place, number: 2 },
    { ...place, home: 'web:another' },
  ])
    expect(await reader.find(elsewhere)).toBeUndefined()
  expect(await reader.findText({ ...place, number: 2 }, 'order')).toBeUndefined()
  expect(await reader.listTexts({ ...place, number: 2 }, '')).toEqual([])
  const key = `${partitionPrefix(toPartition(conversation))}r:${conversation}#1`
  await redis.hset(key, 'f.tasks', '{"number":"none"}')
  await expect(reader.find(place)).rejects.toMatchObject({ code: 'store-corrupt' })
}, 30_000)

test('who is not in a conversation sees nothing of its tasks by any route of the page', async () => {
  const { kernel, redis } = store
  const reader = createTaskReader({ redis, kernel })
  const home = 'web:stage-private'
  const tasks = openTasks({ kernel, given: { place: home } })
  tasks.model.plan = () => planning(stepsOf(1))
  tasks.model.step = (_, __, called) =>
    called === 0 ? calling('file_write', { path: 'diary.md', text: secret }) : `It is ${secret}.`
  await tasks.task(`write one part on ${secret}, without stopping`)
  const ports = { tasks: reader, conversationsOf: async (who: string) => (who === ann ? [home] : []), clock: Date }
  const ask = async (path: string, principal: string): Promise<string> => {
    const given = {
      conversation: home,
      number: '1',
      id: '1',
      generation: '1',
      at: 'now',
      from: 'start',
      to: 'now',
      path: 'diary.md',
    }
    const route = toRoutes(ports).find((one) => one.path === path)
    if (!route) throw new Error(`There is no route ${path}.`)
    const input = z
      .object(route.input)
      .parse(Object.fromEntries(Object.entries(given).filter(([name]) => name in route.input)))
    const { signal } = new AbortController()
    return await route.handle({ input, principal, signal }).then(JSON.stringify, String)
  }
  const paths = toRoutes(ports).map(({ path }) => path)
  expect(paths.toSorted()).toEqual(['compare', 'diff', 'file', 'list', 'outside', 'step', 'task'])
  for (const path of paths) {
    const strange = await ask(path, 'web:eve')
    expect(strange).not.toContain(secret)
    expect(strange).not.toContain('diary.md')
    if (path !== 'list') expect(strange).toContain('There is no such conversation among yours.')
  }
  expect(await ask('file', ann)).toContain(secret)
  expect(await ask('list', ann)).toContain(home)
})
