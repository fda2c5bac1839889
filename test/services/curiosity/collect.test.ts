// What the reader of turns puts on whose desk: on a book in a real Redis.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { refuse } from '#infra/processes/refuse.ts'
import { createDesks } from '#queues/fleet/desks.ts'
import type { RecordedTurn } from '#shared/feature/ports.ts'
import { ofAsked, ofChat } from '#shared/memory/record.ts'
import type { TurnRecord } from '#shared/run/record.ts'
import { createCollect } from '#services/curiosity/collect.ts'
import { isCollected } from '#services/curiosity/questions/collected.ts'
import { createDeskSettings } from '#services/curiosity/desk/settings.ts'
import { openStore, type Store } from '#test/rig/store.ts'
import { lineOf, recordOf } from '#test/rig/turn-of.ts'
import { createMemoryStore } from '#test/twins/memory-store.ts'

let store: Store
beforeAll(async () => void (store = await openStore()))
afterAll(() => store.stop())
beforeEach(async () => void (await store.server.admin.flushall()))

const [ann, bob] = ['telegram:1', 'telegram:2']
const conversation = 'telegram:-1'

/** A session that is read after each of its turns. */
function open(onRead?: (turns: RecordedTurn[]) => void) {
  const memory = createMemoryStore()
  const turns: RecordedTurn[] = []
  const people = { findChoice: async () => undefined, setChoice: async () => {} }
  const paused = new Set<string>()
  const reader = createCollect({
    memory,
    desks: createDesks(store.redis, store.call),
    now: Date.now,
    findTurns: async () => {
      const found = [...turns]
      onRead?.(turns)
      return found
    },
    settings: createDeskSettings(people),
    refuse,
    isPaused: async ({ principal }) => paused.has(principal),
  })
  return {
    memory,
    paused,
    async says(asked: string, answer: string, more: Partial<TurnRecord>) {
      const record = recordOf(asked, { answer, group: true, principal: ann, ...more })
      const line = lineOf(record, { conversation })
      turns.push({ record, about: line.messages })
      await reader.work?.({ conversation, name: line.name, line }, AbortSignal.timeout(5000))
    },
    async waiting(principal: string) {
      const read = await memory.read(ofAsked(principal))
      return read === 'same'
        ? []
        : read.records
            .filter(isCollected)
            .filter(({ asks }) => asks.held !== true)
            .map(({ text }) => text)
    },
  }
}

const plan = 'A plan of it. I assumed that the retro is online.'

test('two people of one name: each is asked of what they asked', async () => {
  const { says, waiting } = open()
  await says('plan the retro please', plan, { name: 'Ann' })
  await says('thanks, and what is the time?', 'It is ten.', { name: 'Ann', principal: bob })
  expect(await waiting(ann)).toHaveLength(1)
  expect(await waiting(bob)).toEqual([])
})

test('who has memory paused is collected no question for', async () => {
  const { says, waiting, paused } = open()
  paused.add(ann)
  await says('plan the retro please', plan, { name: 'Ann' })
  expect(await waiting(ann)).toEqual([])
  paused.delete(ann)
  await says('plan the retro again please', plan, { name: 'Ann' })
  expect(await waiting(ann)).toHaveLength(1)
})

test('nobody speaks as the bot', async () => {
  const { says, waiting } = open()
  await says('plan the retro please', 'A plan of it.', { name: 'Ann' })
  await says('I assumed that the retro is online.', 'I see.', { name: 'bot', principal: bob })
  expect(await waiting(ann)).toEqual([])
  expect(await waiting(bob)).toEqual([])
})

test('who changes their name has nothing dropped', async () => {
  const { says, waiting } = open()
  await says('plan the retro please', plan, { name: 'Ann' })
  await says('what is the time?', 'It is ten.', { name: 'Annie' })
  expect(await waiting(ann)).toHaveLength(1)
})

test.each(['Anne-Marie', 'O’Brien', '😀 Li', 'a_b', '(((', 'x\\'])(
  'somebody called %s is asked as others are',
  async (name) => {
    const { says, waiting } = open()
    await says('plan the retro please', plan, { name })
    expect(await waiting(ann)).toHaveLength(1)
  },
)

test('a question of a long session stays when its turn is not looked at any more', async () => {
  const { says, waiting } = open()
  await says('plan the retro please', plan, { name: 'Ann' })
  for (let n = 0; n < 12; n++) await says(`what is ${n} and ${n}?`, `It is ${n + n}.`, { name: 'Ann' })
  expect(await waiting(ann)).toHaveLength(1)
})

test('a question that is answered in the chat goes', async () => {
  const { says, waiting } = open()
  await says('plan the retro please', plan, { name: 'Ann' })
  expect(await waiting(ann)).toHaveLength(1)
  await says('the retro is online, yes', 'Good.', { name: 'Ann' })
  expect(await waiting(ann)).toEqual([])
})

test('somebody called by a word of every sentence is not asked what others asked', async () => {
  const { says, waiting } = open()
  await says('plan the retro please', plan, { name: 'Ann' })
  await says('hello', 'Good morning.', { name: '', principal: bob })
  await says('hello', 'Good morning.', { name: 'i', principal: 'telegram:3' })
  expect(await waiting(ann)).toHaveLength(1)
  expect(await waiting(bob)).toEqual([])
})

test('a conversation that is closed while it is looked through leaves nothing', async () => {
  const { says, waiting } = open((turns) => turns.splice(0))
  await says('plan the retro please', plan, { name: 'Ann' })
  expect(await waiting(ann)).toEqual([])
})

test('whose record it is, is asked of it: nobody is asked what another one said', async () => {
  const { says, waiting, memory } = open()
  const inferred = { kind: 'preference', status: 'unconfirmed', origin: 'inferred', saidAt: Date.now() } as const
  const text = 'Bob drinks green tea at meetings'
  await memory.write(ofChat(conversation), { ...inferred, id: 'said:tea', speaker: bob, text, from: [] })
  await says('hello', 'Good morning.', { name: 'Ann' })
  await says('hello', 'Good morning.', { name: 'Bob', principal: bob })
  await says('plan the drinks of the meeting please', 'Green tea at the meeting, since Bob drinks green tea.', {
    name: 'Ann',
  })
  expect(await waiting(ann)).toEqual([])
  expect(await waiting(bob)).toHaveLength(1)
})

const slot = 'An agenda. I planned 50 minutes because I do not know how long the slot is.'
const asksPerson: Partial<TurnRecord> = { ending: 'suspended', tools: [{ name: 'human_ask', ok: true }] }

test('what the model asked itself, and was answered, is not asked again at the desk', async () => {
  const { says, waiting } = open()
  await says('plan the retro please', slot, { name: 'Ann' })
  expect(await waiting(ann)).toHaveLength(1)
  await says('and now for good', '', { name: 'Ann', ...asksPerson })
  await says('> How long is the slot for the retro?\nforty minutes', 'Done: forty minutes.', { name: 'Ann' })
  expect(await waiting(ann)).toEqual([])
  const zh = open()
  await zh.says('帮我们安排一下回顾会', '议程如下。我不知道会议有多长，先按 50 分钟排。', {
    name: '安',
    language: 'zh',
  })
  expect(await zh.waiting(ann)).toHaveLength(1)
  await zh.says('> 回顾会的会议有多长？\n四十分钟', '好的。', { name: '安', language: 'zh' })
  expect(await zh.waiting(ann)).toEqual([])
})

test('while a person is asked by a card the desk asks nothing of that session; what is still open then waits again', async () => {
  const { says, waiting } = open()
  await says('plan the retro please', slot, { name: 'Ann' })
  await says('who brings the snacks?', '', { name: 'Ann', ...asksPerson })
  expect(await waiting(ann)).toEqual([])
  await says('> Who brings the snacks?\nBo', 'Bo brings them.', { name: 'Ann' })
  expect(await waiting(ann)).toHaveLength(1)
})

test('an approval that waits holds nothing back', async () => {
  const { says, waiting } = open()
  await says('plan the retro please', slot, { name: 'Ann' })
  await says('send it', '', { name: 'Ann', ending: 'suspended', tools: [{ name: 'send_mail', ok: false }] })
  expect(await waiting(ann)).toHaveLength(1)
})

test('five hundred gaps in an hour leave forty questions, the newest of them', { timeout: 120_000 }, async () => {
  const { says, waiting } = open()
  for (let n = 0; n < 500; n += 1) {
    const answer = `A plan of it. I assumed that the ${nameOf(n)} is online.`
    await says(`plan the ${nameOf(n)} please`, answer, { name: 'Ann', session: `s${n}`, endedAt: 1000 + n })
  }
  const left = await waiting(ann)
  expect(left).toHaveLength(40)
  expect(left.join('\n')).toContain(nameOf(499))
  expect(left.join('\n')).not.toContain(nameOf(0))
})

/** A word of letters alone. */
const nameOf = (n: number): string =>
  `ba${[...String(n).padStart(3, '0')].map((digit) => 'kolmnpqrst'[Number(digit)] ?? '').join('u')}en`
