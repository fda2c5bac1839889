// The card of noticed things, where its press comes again: a worker died after it had saved, or somebody kept the same by other means.
import { expect, test } from 'vitest'
import { answerSuggested } from '#services/memory/suggest.ts'
import { remembered } from '#test/rig/remembered.ts'
import { wonPress } from '#test/rig/events.ts'
import { createMemoryStore } from '#test/twins/memory-store.ts'

const principal = 'web:ann'
const people = { findChoice: async () => undefined, setChoice: async () => {}, findZoneOf: async () => undefined }

async function openCard() {
  const memory = createMemoryStore()
  const deps = { memory, now: Date.now, timeZone: 'UTC', ...people }
  const at = { conversation: 'web:home', message: 'm1' }
  const written = await memory.write(`user:${principal}`, remembered('I live in Lyon', at, { status: 'unconfirmed' }))
  const id = 'record' in written ? written.record.id : ''
  const payload = { v: 1, principal, left: [{ number: 1, id }], of: 1, kept: 0, language: 'en' }
  const press = async (choice: string) => {
    const event = wonPress({ choice, payload: JSON.stringify(payload) })
    const [shown] = await answerSuggested(deps, { event, principal, about: ['m2'] })
    return shown?.kind === 'send' ? shown.text : shown?.kind
  }
  return { memory, press }
}

test('a press that comes again says the same', async () => {
  const { memory, press } = await openCard()
  expect(await press('save')).toContain('Kept 1 of 1')
  expect(await press('save')).toContain('Kept 1 of 1')
  expect(await memory.find(`user:${principal}`, [1])).toMatchObject([{ status: 'confirmed', confirmedBy: principal }])
})

test('No takes nothing away that was confirmed meanwhile, and what is forgotten is not kept', async () => {
  const { memory, press } = await openCard()
  await memory.change(`user:${principal}`, 1, (before) => ({ ...before, status: 'confirmed' }))
  await press('no')
  expect(await memory.find(`user:${principal}`, [1])).toHaveLength(1)
  await memory.forget('web:home', ['m1'])
  expect(await press('save')).toContain('nothing is kept')
})
