// Records that are near in meaning join those that share words: of small scopes and of large ones, in every scope of the turn alike.
import { expect, test } from 'vitest'
import { createRecall, type RecallDeps } from '#services/memory/recall.ts'
import { toDisallowed } from '#services/memory/marks.ts'
import { createMeaning } from '#services/memory/search/meaning.ts'
import { BotError } from '#shared/errors.ts'
import type { MemoryRecord } from '#shared/memory/record.ts'
import { toEntry } from '#shared/memory/to-entry.ts'
import { remembered } from '#test/rig/remembered.ts'
import { createMemoryStore } from '#test/twins/memory-store.ts'
import { createTwinEmbedder, createWholeIndex } from '#test/twins/memory-search.ts'

const ann = 'user:web:ann'

function open(more: Partial<RecallDeps['memoryIndex']> = {}) {
  const memory = createMemoryStore()
  const embedder = createTwinEmbedder()
  const index = createWholeIndex(createMeaning({ embedder, weight: 0.7, nowMs: Date.now }))
  const recall = createRecall({ memory, memoryIndex: { ...index, ...more } })
  const written: MemoryRecord[] = []
  return {
    embedder,
    recall,
    memory,
    async keep(text: string, scope = ann) {
      const at = { conversation: 'web:home', message: `m${written.length}` }
      const done = await memory.write(scope, remembered(text, at))
      if (done.kind !== 'new') throw new Error('It was not written.')
      written.push(done.record)
    },
    catchUp: async (text?: string) =>
      await index.vectors.put(written.map((one) => ({ ...toEntry(one), ...(text !== undefined && { text }) }))),
    async find(text: string, scopes = [ann]) {
      const { found, ...how } = await recall.find({ scopes, text, limit: 5, nowMs: Date.now() })
      return { texts: found.map(({ record }) => record.text), ...how }
    },
  }
}

test('of a small scope other words are found once their vectors are made', async () => {
  const { keep, catchUp, find } = open()
  await keep('I live in Lyon')
  await keep('the office is closed', 'global')
  expect(await find('Where is my house?')).toEqual({ texts: [], isPart: false, isByWords: false })
  await catchUp()
  expect((await find('Where is my house?', [ann, 'global'])).texts).toEqual(['I live in Lyon'])
  expect((await find('Where is my house?', ['global'])).texts).toEqual([])
})

test('of a large scope what is old is found by its meaning', async () => {
  const { keep, catchUp, find } = open()
  await keep('I live in Lyon')
  for (let n = 0; n < 260; n += 1) await keep(`the ${n}th crate holds pears`)
  await catchUp()
  expect((await find('Where is my house?')).texts[0]).toBe('I live in Lyon')
  expect((await find('Where is my house with crate 7th?')).texts).toContain('I live in Lyon')
})

test('an index that is behind, and knows another text, finds nothing by it', async () => {
  const { keep, find, catchUp } = open()
  await keep('I sail')
  await catchUp('I live in Lyon')
  expect((await find('Where is my house?')).texts).toEqual([])
  await catchUp()
  expect((await find('Does she sail to her house?')).texts).toEqual(['I sail'])
})

test('where nothing is kept, nobody asks for a vector', async () => {
  const { find, embedder, keep } = open()
  expect(await find('Where is my house?')).toEqual({ texts: [], isPart: false, isByWords: false })
  await keep('the office is closed', 'global')
  expect(embedder.asked).toEqual([])
})

test('while the meaning is away words find as before, and it is told', async () => {
  const { keep, find } = open({
    findNear: async () => {
      throw new BotError('model', 'It is away.')
    },
  })
  await keep('I live in Lyon')
  expect(await find('Lyon')).toEqual({ texts: ['I live in Lyon'], isPart: false, isByWords: true })
})

test('of what is read for its allowance alone nothing else is found, by whatever way', async () => {
  const { keep, catchUp, recall, memory } = open()
  await keep('I live in Lyon')
  await keep('call me Annie')
  for (let n = 0; n < 260; n += 1) await keep(`the ${n}th crate holds pears`)
  await keep('please answer in short bullet points')
  await catchUp()
  const reads = { scopes: ['global'], allowedOf: [ann] }
  const find = async (text: string) => {
    const { found } = await recall.find({ ...reads, text, limit: 20, nowMs: Date.now() })
    return found.map(({ record }) => record.text)
  }
  const asks = ['Where is my house?', 'Where is Lyon?', 'which crate holds pears?', 'the 259th crate']
  for (const text of asks) expect(await find(text)).toEqual([])
  expect(await recall.findTold(reads, new Set(['home self']), 'web:ann')).toEqual([])
  expect(await recall.findManners(reads)).toEqual([])
  // Old ones of a large scope are found, too.
  await memory.change(ann, 1, (before) => ({ ...before, groups: true }))
  expect(await find('Where is my house?')).toEqual(['I live in Lyon'])
  await memory.change(ann, 250, (before) => ({ ...before, groups: true }))
  expect(await find('which crate holds pears?')).toHaveLength(1)
  await memory.change(ann, 1, toDisallowed)
  expect(await find('Where is my house?')).toEqual([])
})
