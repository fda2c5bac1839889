// What was noticed, asked about at the desk: where a press comes again since a worker died after it had saved, or somebody kept the same by other means.
import { expect, test } from 'vitest'
import { createMemorySettings } from '#services/memory/settings.ts'
import { createSuggestions } from '#services/memory/suggest.ts'
import { remembered } from '#test/rig/remembered.ts'
import { wonPress } from '#test/rig/events.ts'
import { createMemoryStore } from '#test/twins/memory-store.ts'

const principal = 'web:ann'
const people = { findChoice: async () => undefined, setChoice: async () => {}, findZoneOf: async () => undefined }
const scope = `user:${principal}`

async function open() {
  const memory = createMemoryStore()
  const suggestions = createSuggestions(
    { memory, now: Date.now, timeZone: 'UTC', ...people },
    createMemorySettings(people),
  )
  const at = { conversation: 'web:home', message: 'm1' }
  const written = await memory.write(scope, remembered('I live in Lyon', at, { status: 'unconfirmed' }))
  const ref = { number: 1, id: 'record' in written ? written.record.id : '' }
  const card = { principal, language: 'en', typing: false, forChat: false } as const
  const answer = async (choice: string, more: { readonly words?: string; readonly typing?: boolean } = {}) => {
    const { words, typing = false } = more
    const event = wonPress({ choice, ...(words === undefined ? {} : { words }) })
    return await suggestions.answer({ event, principal, about: ['m2'] }, ref, { ...card, typing })
  }
  const find = async () => (await memory.find(scope, [1, 2])).map(({ text, status }) => `${text}: ${status}`)
  return { memory, suggestions, ref, card, answer, find }
}

test('a press that comes again tells the same of what is kept', async () => {
  const { answer, find } = await open()
  const kept = [{ number: 1, scope }]
  expect(await answer('yes')).toMatchObject({ kind: 'kept', saved: kept })
  expect(await answer('yes')).toMatchObject({ kind: 'gone', saved: kept })
  expect(await find()).toEqual(['I live in Lyon: confirmed'])
})

test('No takes nothing away that was confirmed meanwhile, and what is forgotten is not kept', async () => {
  const { memory, answer, suggestions, ref, card, find } = await open()
  await memory.change(scope, 1, (before) => ({ ...before, status: 'confirmed' }))
  expect(await answer('no')).toEqual({ kind: 'gone', saved: [] })
  expect(await find()).toEqual(['I live in Lyon: confirmed'])
  await memory.forget('web:home', ['m1'])
  expect(await answer('yes')).toEqual({ kind: 'gone', saved: [] })
  expect(await suggestions.show(ref, card)).toBeUndefined()
})

test.each(['no', 'No thanks', 'nope.', 'don’t', '不用', '别记'])(
  'words that say no keep nothing: %s',
  async (words) => {
    const { answer, find } = await open()
    expect(await answer('', { words })).toEqual({ kind: 'declined' })
    expect(await find()).toEqual([])
  },
)

test.each(['yes', 'ok', 'sure', '好', '记住吧'])('words that say yes keep it: %s', async (words) => {
  const { answer, find } = await open()
  expect(await answer('', { words })).toMatchObject({ kind: 'kept' })
  expect(await find()).toEqual(['I live in Lyon: confirmed'])
})

test('what is typed instead takes its place, and what may not be kept is told', async () => {
  const { answer, find } = await open()
  const typed = async (words: string) => await answer('', { words, typing: true })
  expect(await typed('my password is Zx81-hunter2!')).toMatchObject({ kind: 'refused' })
  expect(await find()).toEqual(['I live in Lyon: unconfirmed'])
  expect(await typed('No city: a village near Lyon')).toMatchObject({ kind: 'kept', saved: [{ number: 2 }] })
  expect(await find()).toEqual(['No city: a village near Lyon: confirmed'])
})

test('what is said again after a No is the same matter to the desk', async () => {
  const { memory, suggestions, answer } = await open()
  const key = async () => (await suggestions.find(principal, Date.now())).map((one) => one.key)
  const [before] = await key()
  expect(await answer('no')).toEqual({ kind: 'declined' })
  expect(await key()).toEqual([])
  const at = { conversation: 'web:home', message: 'm9' } as const
  await memory.write(scope, remembered('I live in Lyon.', at, { status: 'unconfirmed' }))
  expect(await key()).toEqual([before])
  await memory.write(scope, remembered('I play the tuba', at, { status: 'unconfirmed' }))
  expect(new Set(await key()).size).toBe(2)
})
