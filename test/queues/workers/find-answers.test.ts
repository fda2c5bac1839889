// The router and answers by words: what stands beside one is decided as ever, and what cannot be one any more is a message.
import { expect, test } from 'vitest'
import type { ChatEvent, MessageEvent } from '#shared/chat/event.ts'
import { BotError } from '#shared/errors.ts'
import type { Question } from '#shared/run/question.ts'
import { decide } from '#services/router/decide.ts'
import { routeEvents, type RouterDeps } from '#queues/workers/route-events.ts'
import { createGate } from '#queues/workers/start-gate.ts'
import { askedQuestion, freshConversation, mustClaim, step } from '#test/contracts/kernel-fixtures.ts'
import { deletion, edit, message, standard } from '#test/rig/events.ts'
import { toBody, toRow } from '#test/rig/journal-entries.ts'
import { createMemoryKernel } from '#test/twins/memory-kernel.ts'

const running = new AbortController().signal
const ann = 'web:ann'

async function open(more: Partial<Question> = {}) {
  const kernel = createMemoryKernel()
  const conversation = freshConversation('web')
  let reads = 0
  let left = 0
  const deps: RouterDeps = {
    kernel: {
      ...kernel,
      findCards: async (...of) => {
        reads += 1
        return await kernel.findCards(...of)
      },
      leave: async () => void (left += 1),
    },
    access: { find: async () => ({ owner: false, person: true, chat: false, mode: 'mention' }) },
    hints: { execute: async () => {} },
    gathering: { ready: (_, events) => events.length },
    fullPages: createGate(10),
    longTexts: createGate(10),
    decide: (input) => decide({ classify: () => standard, openCommands: [], findMeant: () => undefined }, input),
    decideUnread: () => ({ v: 1, act: 'ignore', rule: 'unread' }),
    onTrouble: (what) => expect.unreachable(what),
    onLeft: () => {},
  }
  const question = { ...askedQuestion(conversation, ann), deadlineMs: 1e9, asker: ann, labels: ['Yes', 'No'], ...more }
  const ask = async (): Promise<void> => {
    const { epoch } = await mustClaim(kernel, conversation)
    const buttons = [[{ id: `${question.id}.yes`, label: 'Yes' }]]
    const rows = [toRow('card', toBody('Is it so?', { buttons }))]
    await kernel.append(conversation, epoch, step('ask', { questions: [question], rows }))
    await kernel.release(conversation, 'w1', epoch, true)
  }
  const put = async (event: ChatEvent): Promise<void> => {
    const own = { ...event, conversation, principal: ann, at: Date.now() }
    await kernel.ingest({ event: own, dedupeKey: own.id, stop: 'none', echo: false })
  }
  const say = async (id: string, text: string, how: Partial<MessageEvent> = {}): Promise<void> =>
    await put(message({ id, messageId: `m-${id}`, text, ...how }))
  const reply = { replyTo: { messageId: 'card', fromBot: true } } as const
  const route = async (): Promise<string[]> => {
    await routeEvents(deps, conversation, running)
    const { events } = await kernel.pending(conversation, 0)
    return events.map(({ event, decision }) => `${event.id}: ${event.kind}, ${decision?.act} by ${decision?.rule}`)
  }
  return { kernel, conversation, deps, ask, put, say, reply, route, reads: () => reads, left: () => left }
}

test('asks for cards only where questions are asked and something may answer one', async () => {
  const { ask, say, put, reply, route, reads } = await open()
  await say('a', 'Yes', reply)
  await route()
  expect(reads()).toBe(0)
  await ask()
  await say('b', '/note', { command: { name: 'note', args: '' } })
  await say('c', 'Yes', { group: true, addressed: false })
  await put(edit('Yes'))
  await route()
  expect(reads()).toBe(0)
  await say('d', 'hello')
  await route()
  expect(reads()).toBe(1)
})

test('an answer is no part of what its person writes around it in a group', async () => {
  const { ask, say, reply, route } = await open()
  await ask()
  await say('a', 'to you', { group: true })
  await say('b', 'yes', { ...reply, group: true })
  await say('c', 'to others', { group: true, addressed: false })
  expect(await route()).toEqual(['a: message, turn by query.rest', 'b: answer, apply by answer.reply'])
})

test('what a question asks for answers it without a reply, long after, with its words', async () => {
  const { ask, say, route, kernel, conversation } = await open({ loose: 'date' })
  await ask()
  await say('a', 'what is tea?')
  await say('b', '明天')
  await say('c', '后天')
  expect(await route()).toEqual([
    'a: message, turn by query.rest',
    'b: answer, apply by answer.loose',
    'c: message, turn by query.rest',
  ])
  const event = (await kernel.pending(conversation, 0)).events[1]?.event
  expect(event).toMatchObject({ choice: '', said: true, words: '明天', loose: true, messages: ['m-b'] })
})

test('of two answers the first one holds, and the second is a message', async () => {
  const { ask, say, reply, route } = await open()
  await ask()
  await say('a', 'no', reply)
  await say('b', 'yes', reply)
  expect(await route()).toEqual(['a: answer, apply by answer.reply', 'b: message, turn by query.rest'])
})

test('what is deleted or edited before it was routed was not said', async () => {
  for (const change of [deletion('m-a'), edit('Well', { messageId: 'm-a' })]) {
    const { ask, say, put, reply, route } = await open()
    await ask()
    await say('a', 'yes', reply)
    await put(change)
    expect((await route())[0]).toBe('a: message, turn by query.rest')
  }
})

test('nor what is deleted by something that is not to be routed yet, since others still write', async () => {
  const { ask, say, put, reply, route, deps } = await open()
  await ask()
  await say('a', 'yes', reply)
  await put(deletion('m-a'))
  Object.assign(deps, { gathering: { ready: () => 1 } })
  expect(await route()).toEqual(['a: message, turn by query.rest'])
})

test('words beside others of the same person answer no question that guards something', async () => {
  const { ask, say, reply, route } = await open({ stales: true })
  await ask()
  await say('a', 'yes', reply)
  await say('b', 'wait')
  expect(await route()).toEqual(['a: message, turn by query.rest', 'b: message, turn by query.rest'])
})

test('a reply to a question of a newer release is left to it', async () => {
  const { ask, say, reply, route, deps, kernel, left } = await open()
  await ask()
  await say('a', 'yes', reply)
  const newer = async (): Promise<never> => {
    throw new BotError('store-newer', 'A stored question has version 2.')
  }
  Object.assign(deps.kernel, { findCards: newer })
  expect(await route()).toEqual([])
  expect(left()).toBe(1)
  Object.assign(deps.kernel, { findCards: kernel.findCards })
  expect(await route()).toEqual(['a: answer, apply by answer.reply'])
})
