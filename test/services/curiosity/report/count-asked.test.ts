// What is counted of questions: by kind and person, from books on a real Redis and from the records of answers.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { refuse } from '#infra/processes/refuse.ts'
import { createDesks } from '#queues/fleet/desks.ts'
import { bring, changeBook, end, ignore, putOff, undo } from '#services/curiosity/desk/book.ts'
import { createQuestions } from '#services/curiosity/questions/source.ts'
import { countAsked, toTotal, type CountDeps, type CountedPerson } from '#services/curiosity/report/count-asked.ts'
import { toRoutes } from '#services/curiosity/report/routes.ts'
import type { Desks } from '#shared/desk/desks.ts'
import type { DeskKind } from '#shared/desk/source.ts'
import type { Asks } from '#shared/memory/asks.ts'
import { ofAsked, ofChat, ofPerson, type MemoryScope, type NewRecord } from '#shared/memory/record.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import { openStore, type Store } from '#test/rig/store.ts'
import { createMemoryStore } from '#test/twins/memory-store.ts'

let store: Store
let desks: Desks
let memory: MemoryStore
beforeAll(async () => void (store = await openStore()))
afterAll(() => store.stop())
beforeEach(async () => {
  await store.server.admin.flushall()
  desks = createDesks(store.redis, store.call)
  memory = createMemoryStore()
})

const deps = (): CountDeps => ({
  desks,
  memory,
  sources: [createQuestions({ desks, memory, refuse, isClosed: async () => false })],
  now: Date.now,
})
const answerTo = (kind: Asks['kind']) => ({ kind, question: 'secret', askedAt: 1, in: ann })

const [ann, bob, chen] = ['telegram:1', 'telegram:2', 'telegram:3']
const group = 'telegram:-1'

/** A card of so many questions of a kind came to somebody. */
const bringTo = async (who: string, id: string, kind: DeskKind, keys: readonly string[]): Promise<void> =>
  void (await changeBook(desks, who, (book) =>
    bring(
      book,
      { id, at: 1, cold: false, keys, in: who },
      keys.map(() => kind),
    ),
  ))
const endFor = async (who: string, key: string, how: Parameters<typeof end>[2]): Promise<void> =>
  void (await changeBook(desks, who, (book) => end(book, key, how)))

async function keep(scope: MemoryScope, id: string, more: Partial<NewRecord>): Promise<number> {
  const written = await memory.write(scope, {
    id,
    kind: 'fact',
    speaker: ann,
    text: `secret ${id}`,
    saidAt: Date.now(),
    status: 'confirmed',
    origin: 'said',
    from: [{ conversation: group, messages: [`m-${id}`] }],
    ...more,
  })
  if (!('record' in written)) throw new Error('It was not kept.')
  return written.record.number
}

const of = (person: CountedPerson | undefined, kind: DeskKind) => person?.kinds.find((one) => one.kind === kind)

test('how questions of a kind ended, by person and together', async () => {
  await bringTo(ann, 'one', 'words', ['a', 'b', 'c', 'd'])
  for (const [key, how] of [
    ['a', 'answered'],
    ['b', 'skipped'],
    ['c', 'never'],
  ] as const)
    await endFor(ann, key, how)
  await bringTo(bob, 'two', 'choice', ['a', 'e'])
  await endFor(bob, 'a', 'answered')
  await changeBook(desks, bob, (book) => ignore(book, ['e']))
  await bringTo(bob, 'three', 'words', ['f'])
  await endFor(bob, 'f', 'answered')
  await changeBook(desks, bob, (book) => undo(book, 'three'))
  const { people, kinds, isPart } = await countAsked(deps(), 100)
  expect(people.map(({ principal }) => principal).toSorted()).toEqual([ann, bob])
  const [forAnn, forBob] = [ann, bob].map((one) => people.find(({ principal }) => principal === one))
  expect(of(forAnn, 'words')).toEqual({
    kind: 'words',
    asked: 4,
    answered: 1,
    undone: 0,
    skipped: 1,
    never: 1,
    ignored: 0,
    later: 0,
    open: 1,
    used: 0,
  })
  expect(of(forBob, 'choice')).toMatchObject({ asked: 2, answered: 1, ignored: 1 })
  expect(of(forBob, 'words')).toMatchObject({ asked: 1, answered: 0, undone: 1 })
  expect(kinds.find(({ kind }) => kind === 'words')).toMatchObject({ asked: 5, answered: 1, undone: 1, open: 1 })
  expect(toTotal(kinds)).toMatchObject({ asked: 7, answered: 2, undone: 1, skipped: 1, never: 1, ignored: 1, open: 1 })
  expect(isPart).toBe(false)
})

test('what is put off was asked all the same, and counts once however often it comes', async () => {
  await bringTo(chen, 'one', 'words', ['a', 'b'])
  await endFor(chen, 'a', 'answered')
  await changeBook(desks, chen, (book) => putOff(book, ['b']))
  const count = async () =>
    of(
      (await countAsked(deps(), 100)).people.find(({ principal }) => principal === chen),
      'words',
    )
  expect(await count()).toMatchObject({ asked: 2, answered: 1, later: 1, open: 0 })
  await bringTo(chen, 'two', 'words', ['b'])
  expect(await count()).toMatchObject({ asked: 2, answered: 1, later: 0, open: 1 })
})

test('an answer counts as used once a prompt has held it, as its person’s own or in the chat for which it was kept too', async () => {
  await bringTo(ann, 'one', 'words', ['a', 'b', 'c'])
  const own = await keep(ofPerson(ann), 'own', { answers: answerTo('words') })
  await keep(ofPerson(ann), 'also', { answers: answerTo('choice'), text: 'something else' })
  const also = await keep(ofChat(group), 'also', { answers: answerTo('choice'), text: 'something else' })
  await keep(ofPerson(ann), 'unused', { answers: answerTo('words'), text: 'yet another thing' })
  // What was no answer is not counted, however often it is used.
  const said = await keep(ofPerson(ann), 'said', { text: 'a plain fact of another kind' })
  const used = async () => {
    const { people } = await countAsked(deps(), 100)
    return [of(people[0], 'words')?.used, of(people[0], 'choice')?.used]
  }
  expect(await used()).toEqual([0, 0])
  await memory.use(ofPerson(ann), [own, said], 5)
  await memory.use(ofChat(group), [also], 5)
  expect(await used()).toEqual([1, 1])
})

test('kinds that stopped by themselves are told by person, and what waits is counted, also of who was never asked', async () => {
  const keys = Array.from({ length: 20 }, (_, at) => `k${at}`)
  await bringTo(ann, 'one', 'action', keys)
  for (const [at, key] of keys.entries()) await endFor(ann, key, at < 3 ? 'answered' : 'skipped')
  const asks: Asks = {
    kind: 'words',
    options: [],
    why: 'why',
    changes: 'changes',
    assumed: 'assumed',
    key: 'key',
    in: group,
    session: 's1',
    group: true,
    worth: 0.5,
  }
  await keep(ofAsked(ann), 'q1', { status: 'unconfirmed', asks })
  await keep(ofAsked(ann), 'q2', {
    status: 'unconfirmed',
    text: 'and',
    asks: { ...asks, kind: 'action', key: 'other' },
  })
  await keep(ofAsked(chen), 'q1', { status: 'unconfirmed', asks })
  await desks.wait(chen, 7)
  const { people } = await countAsked(deps(), 100)
  expect(people.map(({ principal, retired, waiting }) => ({ principal, retired, waiting }))).toEqual([
    { principal: ann, retired: ['action'], waiting: 1 },
    { principal: chen, retired: [], waiting: 1 },
  ])
})

test('who was asked last comes first, no more are counted than wanted, and nothing of it has words', async () => {
  for (const who of [ann, bob, chen, ann]) {
    await bringTo(who, `card of ${who}`, 'words', [`hash-${who}`])
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  await keep(ofPerson(ann), 'own', { answers: answerTo('words') })
  const counted = await countAsked(deps(), 2)
  expect(counted.people.map(({ principal }) => principal)).toEqual([ann, chen])
  expect(counted.isPart).toBe(true)
  expect(JSON.stringify(counted)).not.toMatch(/secret|hash-|card of/)
  const ended = AbortSignal.abort()
  await expect(countAsked(deps(), 2, ended)).rejects.toThrow()
})

test('the page gives counts to owners alone, and names nobody', async () => {
  await bringTo(ann, 'one', 'words', ['a', 'b'])
  await endFor(ann, 'a', 'answered')
  const isOwner = async (principal: string) => principal === 'web:owner'
  let isStopped = false
  const [route] = toRoutes({
    access: { isOwner },
    desk: deps(),
    isCurious: true,
    incurious: { isQuiet: async () => isStopped },
  })
  const ask = (principal: string) => route?.handle({ input: {}, principal, signal: AbortSignal.timeout(5000) })
  const said = await ask('web:owner')
  expect(said).toMatchObject({
    isOn: true,
    isStopped: false,
    people: 1,
    waiting: 0,
    total: { asked: 2, answered: 1, open: 1 },
  })
  expect(JSON.stringify(said)).not.toContain(ann)
  isStopped = true
  expect(await ask('web:owner')).toMatchObject({ isOn: true, isStopped: true })
  await expect(ask('web:other')).rejects.toMatchObject({ code: 'forbidden' })
})
