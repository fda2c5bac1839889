// What another release stored: its fields stay, and what this one cannot know is told from what nobody can.
import { expect, test } from 'vitest'
import { chatEvent } from '#shared/chat/event.ts'
import { decision } from '#shared/chat/decision.ts'
import { BotError } from '#shared/errors.ts'
import { journalEntry } from '#shared/run/journal.ts'
import { outBody } from '#shared/run/out-row.ts'
import { readStored, withUnknown } from '#shared/stored-json.ts'
import { message } from '#test/rig/events.ts'
import { z } from 'zod'

const code = (read: () => unknown): string => {
  try {
    return JSON.stringify(read())
  } catch (error) {
    return error instanceof BotError ? error.code : String(error)
  }
}
const event = message({ id: 'm1', text: 'hello' })

test('fields that only a newer release knows are there when it is stored again, at every depth', () => {
  const newer = { ...event, mood: 'good', replyTo: { messageId: 'a', fromBot: false, seenAt: 5 } }
  expect(readStored('event', chatEvent, JSON.stringify(newer))).toEqual(newer)
})

test('a kind or a version that this release does not know is of a newer one', () => {
  const unknown = [
    [chatEvent, { ...event, kind: 'poll' }],
    [chatEvent, { ...event, v: 2 }],
    [decision, { v: 1, act: 'delegate', rule: 'x' }],
    [journalEntry, { v: 1, at: 1, turn: 't', t: 'plan:fin' }],
    [outBody, { v: 1, kind: 'poll', answers: [], language: 'en' }],
    [outBody, { v: 3, kind: 'send', parts: [] }],
  ] as const
  for (const [schema, json] of unknown)
    expect(code(() => readStored<unknown>('thing', schema, JSON.stringify(json)))).toBe('store-newer')
})

test('what no release can have stored is corrupt', () => {
  const corrupt = [
    [chatEvent, { ...event, at: 'noon' }],
    [chatEvent, { ...event, v: 0 }],
    [chatEvent, { ...event, v: '2' }],
    [chatEvent, { ...event, kind: 7 }],
    [chatEvent, 'hello'],
    [chatEvent, null],
    // Below the first level a version says nothing: the thing itself says that it is of this release.
    [outBody, { v: 1, kind: 'send', text: 'a', answers: [], language: 'en', file: { v: 2 } }],
  ] as const
  for (const [schema, json] of corrupt)
    expect(code(() => readStored<unknown>('thing', schema, JSON.stringify(json)))).toBe('store-corrupt')
  expect(code(() => readStored('event', chatEvent, '{"v":'))).toBe('store-corrupt')
})

test('what a feature’s schema left out of its slice stands beside what it read', () => {
  const schema = z.object({ list: z.array(z.object({ id: z.string() })) })
  const stored = { list: [{ id: 'a', color: 'red' }], extra: true }
  expect(withUnknown(stored, schema.parse(stored))).toEqual(stored)
})

test('an older shape that a schema reads as a new one does not come back', () => {
  const now = z.object({ count: z.number() })
  const schema = z.union([now, z.object({ former: z.number() }).transform(({ former }) => ({ count: former }))])
  const stored = { former: 1 }
  expect(withUnknown(stored, schema.parse(stored))).toEqual({ count: 1 })
  const defaulted = z.object({ count: z.number().default(1) })
  expect(withUnknown(stored, defaulted.parse(stored))).toEqual({ count: 1 })
})
