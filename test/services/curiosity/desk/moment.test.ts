// When a card comes by itself.
import { expect, test } from 'vitest'
import { createMoment } from '#services/curiosity/desk/moment.ts'
import { createDeskSettings } from '#services/curiosity/desk/settings.ts'
import type { DeskSource } from '#shared/desk/source.ts'
import { createMemoryStore } from '#test/twins/memory-store.ts'
import { recordOf } from '#test/rig/turn-of.ts'

const noon = Date.parse('2027-03-22T12:00:00Z')
const dayMs = 86_400_000
const waiting: DeskSource = {
  name: 'questions',
  find: async () => [
    {
      ref: { number: 1, id: 'a' },
      key: 'a',
      kind: 'words',
      text: 'How long is the slot?',
      worth: 0.7,
      since: noon - 2 * dayMs,
      ripe: true,
      from: [],
    },
  ],
  show: async () => undefined,
  answer: async () => ({ kind: 'gone', saved: [] }),
  close: async () => {},
}

/** How many letters bring one, where the last answer of the direct chat came so long ago, ms. */
async function bringsAfter(agoMs: number): Promise<number> {
  const people = { findChoice: async () => undefined, setChoice: async () => {} }
  const { tick, work } = createMoment({
    memory: createMemoryStore(),
    sources: [waiting],
    desks: {
      find: async () => ({ version: '' }),
      write: async () => true,
      wait: async () => {},
      findWaiting: async () => ['telegram:1'],
      findKnown: async () => [],
    },
    settings: createDeskSettings(people),
    now: () => noon,
    timeZone: 'UTC',
    findZoneOf: async () => 'UTC',
    findDirect: async () => 'telegram:1',
    mayTalk: async () => true,
    isClosed: async () => false,
    findTurn: async () => ({ turn: 't', record: recordOf('hello', { endedAt: noon - agoMs }), about: [] }),
    isQuiet: async () => false,
  })
  const { signal } = new AbortController()
  const [job] = (await tick?.run(noon, signal)) ?? []
  return job && work ? (await work({ ...job, name: `${job.name}@${noon}` }, signal)).length : -1
}

test('brings nothing by itself before two minutes are quiet', async () => {
  expect(await bringsAfter(5000)).toBe(0)
  expect(await bringsAfter(119_000)).toBe(0)
  expect(await bringsAfter(121_000)).toBe(1)
  expect(await bringsAfter(dayMs)).toBe(1)
})
