// Who talks to the bot in two chats at once is asked once a day what is to be kept, in one of them; also where the reader dies and begins again.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createNotice } from '#services/memory/notice.ts'
import { createMemorySettings } from '#services/memory/settings.ts'
import { turnRecord } from '#test/rig/records.ts'
import { createMemoryStore } from '#test/twins/memory-store.ts'

const noon = Date.parse('2026-03-10T12:00:00Z')

function open() {
  const choices = new Map<string, string>()
  const people = {
    // As Redis answers: a moment later.
    findChoice: async (who: string, what: string) => {
      await sleep(2)
      return choices.get(`${who} ${what}`)
    },
    setChoice: async (who: string, what: string, choice: string) => {
      await sleep(2)
      choices.set(`${who} ${what}`, choice)
    },
    findZoneOf: async () => 'UTC',
  }
  const deps = { memory: createMemoryStore(), now: () => noon, timeZone: 'UTC', ...people }
  const notice = createNotice(deps, createMemorySettings(people))
  const asked = 'I live in Oslo. I have two brothers. I like cedar. My dog is called Rex.'
  return async (id: string) => {
    const record = turnRecord(id, { asked, begunAt: noon })
    const line = { kind: 'turn', name: '1-1', conversation: `web:${id}`, id, record, messages: [id] } as const
    return await notice.take(line, new AbortController().signal)
  }
}

test('two chats at once lead to one card', async () => {
  const take = open()
  const letters = (await Promise.all(['t1', 't2', 't3'].map(take))).flat()
  expect(letters).toMatchObject([{ kind: 'letter', letter: 'suggest' }])
})

test('the line that has the card has it again after a death, and no other line', async () => {
  const take = open()
  const first = await take('t1')
  expect(first).toHaveLength(1)
  expect(await take('t2')).toEqual([])
  expect(await take('t1')).toEqual(first)
})
