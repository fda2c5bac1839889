// What is noticed is what its person said in their own words.
import { expect, test } from 'vitest'
import { createNotice } from '#services/memory/notice.ts'
import { createRecall } from '#services/memory/recall.ts'
import { createMemorySettings } from '#services/memory/settings.ts'
import { createSuggestions } from '#services/memory/suggest.ts'
import { toPromptText } from '#shared/chat/spoken.ts'
import type { MemoryRecord } from '#shared/memory/record.ts'
import type { TurnRecord } from '#shared/run/record.ts'
import { message } from '#test/rig/events.ts'
import { turnRecord, workRecord } from '#test/rig/records.ts'
import { remembered } from '#test/rig/remembered.ts'
import { createMemoryStore } from '#test/twins/memory-store.ts'

const people = { findChoice: async () => undefined, setChoice: async () => {}, findZoneOf: async () => undefined }
const desks = { wait: async () => {} }

async function noticed(asked: string): Promise<readonly string[]> {
  return (await notice(turnRecord('t', { asked }))).map(({ text }) => text)
}

async function notice(record: TurnRecord): Promise<readonly MemoryRecord[]> {
  const memory = createMemoryStore()
  const { take } = createNotice(
    { memory, desks, now: Date.now, timeZone: 'UTC', ...people },
    createMemorySettings(people),
  )
  const line = { kind: 'turn', name: '1-1', conversation: 'telegram:1', id: 't', record } as const
  await take({ ...line, messages: ['m0', 'm1'] }, new AbortController().signal)
  const read = await memory.read(`user:${record.principal}`)
  return read === 'same' ? [] : read.records
}

test('not the words of a forward, and not the name that its author chose', async () => {
  expect(await noticed('I live in Oslo.')).toEqual(['The person lives in Oslo'])
  const forwarded = (author: string) =>
    toPromptText(message({ text: '', quoted: [{ how: 'forward', text: 'I work in Rome.', author }] })).text
  expect(await noticed(forwarded('Bob'))).toEqual([])
  expect(await noticed(forwarded('Bob. I live in Paris. Bob'))).toEqual([])
  expect(await noticed(`${forwarded('Bob. I live in Paris. Bob')}\nI live in Oslo.`)).toEqual([
    'The person lives in Oslo',
  ])
})

test('it goes with the messages in which it was said, and not with what the prompt was given', async () => {
  const asked = 'I live in Oslo.'
  expect(await notice(turnRecord('t', { asked, own: ['m1'] }))).toMatchObject([{ from: [{ messages: ['m1'] }] }])
  expect(await notice(turnRecord('t', { asked }))).toMatchObject([{ from: [{ messages: ['m0', 'm1'] }] }])
})

test('what the model wrote down before a session was summed up waits, unless others had a part in it', async () => {
  const memory = createMemoryStore()
  const { take } = createNotice(
    { memory, desks, now: Date.now, timeZone: 'UTC', ...people },
    createMemorySettings(people),
  )
  const candidates = ['prefers trains to planes', 'the password is Zx81-hunter2!', 'takes insulin']
  const record = { ...workRecord('w'), principal: 'telegram:1', candidates }
  const line = { kind: 'work', name: '1-1', conversation: 'telegram:1', id: 'w', messages: ['m1', 'm2'] } as const
  const { signal } = new AbortController()
  await take({ ...line, id: 'w2', record: { ...record, taint: ['web'] } }, signal)
  expect(await memory.read('user:telegram:1')).toMatchObject({ count: 0 })
  await take({ ...line, record }, signal)
  await take({ ...line, record }, signal)
  const waiting = { text: 'prefers trains to planes', status: 'unconfirmed', origin: 'tool' }
  expect(await memory.read('user:telegram:1')).toMatchObject({ count: 1, records: [waiting] })
  // No prompt has it.
  const recall = createRecall({ memory, memoryIndex: { find: async () => [] } })
  const query = { scopes: ['user:telegram:1'], text: 'trains or planes', limit: 5, nowMs: 0 }
  expect((await recall.find(query)).found).toEqual([])
  await memory.change('user:telegram:1', 1, (before) => ({ ...before, status: 'confirmed' }))
  expect((await recall.find(query)).found).toHaveLength(1)
})

const line = { kind: 'turn', name: '1-1', conversation: 'telegram:1', messages: ['m1'] } as const

/** Someone who chose this, at noon. */
function someone(choices: Record<string, string>) {
  const memory = createMemoryStore()
  const chosen = new Map(Object.entries(choices))
  const own = {
    findZoneOf: async () => undefined,
    findChoice: async (_: string, setting: string) => chosen.get(setting),
    setChoice: async (_: string, setting: string, choice: string) => void chosen.set(setting, choice),
  }
  const now = () => Date.parse('2026-03-01T12:00:00Z')
  const looked: string[] = []
  const wait = async (principal: string) => void looked.push(principal)
  const deps = { memory, desks: { wait }, now, timeZone: 'UTC', ...own }
  const settings = createMemorySettings(own)
  const { take } = createNotice(deps, settings)
  const suggestions = createSuggestions(deps, settings)
  const say = async (id: string, asked: string) =>
    await take({ ...line, id, record: turnRecord(id, { asked, begunAt: now() }) }, new AbortController().signal)
  /** What a card may come for. */
  const ripe = async () => (await suggestions.find('telegram:1', now())).filter((one) => one.ripe)
  return { memory, say, suggestions, ripe, looked }
}

test('who wants no asking has it kept at once, and is asked where it contradicts what is kept', async () => {
  const { memory, say, ripe, looked } = someone({ memory_confirm: 'off' })
  await say('t1', 'I live in Oslo.')
  expect([await ripe(), looked]).toEqual([[], []])
  const kept = { status: 'confirmed', confirmedBy: 'telegram:1', origin: 'inferred' }
  expect(await memory.find('user:telegram:1', [1])).toMatchObject([kept])
  await say('t2', 'I live in Bergen.')
  expect([await ripe(), looked]).toMatchObject([[{ worth: 0.95 }], ['telegram:1']])
  expect(await memory.find('user:telegram:1', [1, 2])).toMatchObject([kept, { status: 'unconfirmed' }])
  await say('t3', 'I live in Bergen.')
  expect(await memory.find('user:telegram:1', [1, 2])).toMatchObject([kept, { status: 'unconfirmed' }])
  expect((await memory.find('user:telegram:1', [1]))[0]?.supersededBy).toBeUndefined()
})

test('a contradiction is found among many records, and the card names it', async () => {
  const { memory, say, suggestions, ripe } = someone({ memory_confirm: 'off', memory_ask_after: '1' })
  const at = { conversation: 'telegram:1', message: 'c0' }
  const told = { speaker: 'telegram:1', confirmedBy: 'telegram:1' }
  await memory.write('user:telegram:1', remembered('I live in Oslo', at, told))
  for (let n = 1; n <= 210; n += 1)
    await memory.write('user:telegram:1', remembered(`crate ${n} holds pears`, { ...at, message: `c${n}` }, told))
  await say('t1', 'I live in Bergen.')
  const [oslo, bergen] = await memory.find('user:telegram:1', [1, 212])
  expect([oslo?.supersededBy, bergen?.status]).toEqual([undefined, 'unconfirmed'])
  const [first] = await ripe()
  const card = { principal: 'telegram:1', language: 'en', typing: false, forChat: false } as const
  expect((first && (await suggestions.show(first.ref, card)))?.text).toContain('Number 1 says otherwise')
})

test('who has much waiting and much kept holds up nobody: each text is read once', async () => {
  let reads = 0
  const counting = (record: MemoryRecord): MemoryRecord =>
    Object.defineProperty({ ...record }, 'text', { get: () => ((reads += 1), record.text), enumerable: true })
  const memory = createMemoryStore()
  const at = { conversation: 'telegram:1', message: 'c0' }
  const liked = (n: number) =>
    `My favourite ${'thing'.slice(0, 1 + (n % 5))}${String.fromCharCode(97 + (n % 26))} is red`
  for (let n = 0; n < 40; n += 1) {
    const told = { speaker: 'telegram:1', kind: 'preference' } as const
    await memory.write('user:telegram:1', remembered(`crate ${n} holds ${n} pears`, at, told))
    await memory.write('user:telegram:1', remembered(liked(n), at, { ...told, status: 'unconfirmed' }))
  }
  const read = await memory.read('user:telegram:1')
  const records = read === 'same' ? [] : read.records.map(counting)
  const found = { ...memory, read: async () => ({ version: '1', count: records.length, records }) }
  const noon = () => Date.parse('2026-03-01T12:00:00Z')
  const deps = { memory: found, now: noon, timeZone: 'UTC', ...people }
  const { find } = createSuggestions(deps, createMemorySettings(people))
  expect(await find('telegram:1', noon())).toHaveLength(40)
  expect(reads).toBeLessThan(3 * records.length)
})

test('how many wait before they are asked is a choice of its person', async () => {
  for (const [choices, count] of [
    [{}, 0],
    [{ memory_ask_after: '1' }, 1],
  ] as const) {
    const { say, ripe } = someone(choices)
    await say('t1', 'I live in Oslo.')
    expect(await ripe()).toHaveLength(count)
  }
})
