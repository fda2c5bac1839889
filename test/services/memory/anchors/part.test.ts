// What a prompt has of anchors: as long as they hold, with their reasons, and the newest decisions first.
import { expect, test } from 'vitest'
import { createMemoryPart } from '#services/memory/part.ts'
import { createRecall } from '#services/memory/recall.ts'
import { createMemorySettings } from '#services/memory/settings.ts'
import type { ContextTurn } from '#shared/feature/context-part.ts'
import type { NewRecord } from '#shared/memory/record.ts'
import { remembered } from '#test/rig/remembered.ts'
import { createMemoryStore } from '#test/twins/memory-store.ts'

const turn: ContextTurn = {
  conversation: 'telegram:-1',
  principal: 'telegram:1',
  group: true,
  people: {},
  language: 'en',
  session: 's1',
  budgetTokens: 1200,
  slice: undefined,
  asked: 'which database do we use?',
  depth: 'standard',
  holds: () => false,
}
const scope = 'chat:telegram:-1'
const at = Date.UTC(2027, 2, 1, 22, 30)

function open(nowMs: number, timeZone = 'UTC') {
  const memory = createMemoryStore()
  const settings = createMemorySettings({ findChoice: async () => undefined, setChoice: async () => {} })
  const recall = createRecall({ memory, memoryIndex: { find: async () => [] } })
  const part = createMemoryPart({ now: () => nowMs, timeZone }, { recall, settings })
  return { memory, give: async () => (await part.give(turn, new AbortController().signal))?.text }
}

let count = 0
const settled = (text: string, topic: string, more: Partial<NewRecord> = {}): NewRecord => {
  count += 1
  return remembered(
    text,
    { conversation: 'telegram:-1', message: `m${count}` },
    {
      kind: 'decision',
      anchor: { topic, tags: [] },
      ...more,
    },
  )
}

test('with its reason, and found by that and its tags', async () => {
  const { memory, give } = open(at)
  const anchor = { topic: 'storage', why: 'a database that two of us know', tags: ['database'], until: '2027-03-01' }
  await memory.write(scope, settled('storage: we use Postgres', 'storage', { anchor }))
  expect(await give()).toContain(
    'decision, said by another person on 2023-11-14: storage: we use Postgres (why: a database that two of us know; holds until 2027-03-01)',
  )
})

test('until the end of its last day, in the zone of the bot', async () => {
  const anchor = { topic: 'database', tags: [], until: '2027-03-01' }
  const [london, tokyo] = [open(at, 'Europe/London'), open(at, 'Asia/Tokyo')]
  for (const { memory } of [london, tokyo])
    await memory.write(scope, settled('database: we use Postgres', 'database', { anchor }))
  expect(await london.give()).toContain('Postgres')
  expect(await tokyo.give()).toBeUndefined()
})

test('of five records the newest decisions come before facts that fit as well', async () => {
  const { memory, give } = open(at)
  for (let nth = 0; nth < 6; nth += 1)
    await memory.write(
      scope,
      remembered(`database server ${'abcdef'[nth]}${nth} is in rack ${nth}`, {
        conversation: 'telegram:-1',
        message: `f${nth}`,
      }),
    )
  await memory.write(scope, settled('database: we use Postgres', 'database', { saidAt: 1 }))
  await memory.write(scope, settled('database backups: we keep them for a year', 'database backups', { saidAt: 2 }))
  const text = await give()
  const lines = typeof text === 'string' ? text.split('\n') : []
  expect(lines[1]).toContain('we keep them for a year')
  expect(lines[2]).toContain('we use Postgres')
  expect(lines).toHaveLength(6)
})
