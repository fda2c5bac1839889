// What is noticed is what its person said in their own words.
import { expect, test } from 'vitest'
import { createNotice } from '#services/memory/notice.ts'
import { createRecall } from '#services/memory/recall.ts'
import { createMemorySettings } from '#services/memory/settings.ts'
import { toPromptText } from '#shared/chat/spoken.ts'
import type { MemoryRecord } from '#shared/memory/record.ts'
import type { TurnRecord } from '#shared/run/record.ts'
import { message } from '#test/rig/events.ts'
import { turnRecord, workRecord } from '#test/rig/records.ts'
import { createMemoryStore } from '#test/twins/memory-store.ts'

const people = { findChoice: async () => undefined, setChoice: async () => {}, findZoneOf: async () => undefined }

async function noticed(asked: string): Promise<readonly string[]> {
  return (await notice(turnRecord('t', { asked }))).map(({ text }) => text)
}

async function notice(record: TurnRecord): Promise<readonly MemoryRecord[]> {
  const memory = createMemoryStore()
  const { take } = createNotice({ memory, now: Date.now, timeZone: 'UTC', ...people }, createMemorySettings(people))
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
  const { take } = createNotice({ memory, now: Date.now, timeZone: 'UTC', ...people }, createMemorySettings(people))
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
