// What features and readers ask a model, with the fleet's real gate, budgets and quiet between, and a simulated endpoint over HTTP.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { askBy, openModelCalls, openAsk } from '#infra/processes/asking.ts'
import { loadModel } from '#infra/processes/model.ts'
import { startReaders } from '#infra/processes/readers.ts'
import type { Ask, ModelPayer } from '#shared/model/ask.ts'
import type { FoundModel } from '#infra/models/find-model.ts'
import type { Feature } from '#shared/feature/feature.ts'
import type { Projection } from '#shared/feature/projection.ts'
import { startFleet, until, type Fleet } from '#test/rig/fleet.ts'

const facts = z.strictObject({ facts: z.array(z.string()) })
const places = 16
const share = places / 8

let fleet: Fleet
let found: FoundModel
/** It tries again soon. */
let ask: Ask
beforeAll(async () => {
  fleet = await startFleet({
    env: {
      FLOTILLA_OWNERS: 'web:owner',
      FLOTILLA_ALLOW: '*',
      FLOTILLA_MODEL_CONCURRENCY: String(places),
      FLOTILLA_DAILY_TOKENS_PERSON: '100000',
    },
  })
  found = await loadModel(fleet.runtime.settings)
  ask = askBy(openModelCalls(fleet.runtime, found, { trouble: () => {}, retryDelaysMs: [10, 20] }))
})
beforeEach(() => fleet.model.clearScript())
afterAll(() => fleet[Symbol.asyncDispose]())

const payer: ModelPayer = { conversation: 'web:room', principal: 'web:owner', budget: 'curiosity' }
const patience = (): AbortSignal => AbortSignal.timeout(20_000)
const toQuestion = (id: string, content: string) =>
  ({ id, messages: [{ role: 'user', content }], maxOutputTokens: 20 }) as const
const spentBy = async (budget: 'reflection' | 'curiosity') =>
  (await fleet.runtime.modelGate.spent(fleet.runtime.payer({ ...payer, budget }))).work

/** Keeps what a turn told, as the model sees it. */
function createNoter(asks: Ask, kept: string[]): Feature {
  const notes: Projection = {
    name: 'notes',
    async take(line, signal) {
      if (line.kind !== 'turn') return []
      const who = { conversation: line.conversation, principal: line.record.principal, budget: 'reflection' } as const
      const request = { ...toQuestion(`${line.id}/noter`, `NOTE ${line.record.asked}`), schema: facts }
      const result = await asks(who, request, signal)
      if (result.kind === 'answered') kept.push(...result.value.facts)
      return []
    },
  }
  return { name: 'noter', after: [notes] }
}

test('a reader asks what its dependency is, gets a value of its shape, and owners see in /status what it cost', async () => {
  fleet.model.script({ when: { text: 'NOTE' }, answer: { kind: 'text', text: '```json\n{"facts":["tea"]}\n```' } })
  const kept: string[] = []
  const reflection = startReaders(fleet.runtime, [createNoter(openAsk(fleet.runtime, found), kept)], 'reflection')
  await fleet.ask('I like tea, you know?')
  expect(await until(() => kept.length > 0 && kept)).toEqual(['tea'])
  await reflection.stop(0)
  const { tokens, calls } = await spentBy('reflection')
  expect([tokens > 0, calls]).toEqual([true, 1])
  const { text } = await fleet.ask('/status', { slash: 'status' })
  expect(text).toContain(`Today, of that in the background (reflection): ${tokens} tokens; 1 call`)
  const others = await fleet.ask('/status', { slash: 'status', principal: 'web:ann', conversation: 'web:ann' })
  expect(others.text).not.toContain('background')
})

test('the endpoint is told what is wrong with an answer, over its own protocol, once', async () => {
  fleet.model.script({ when: { text: 'That is not the JSON' }, answer: { kind: 'text', text: '{"facts":[]}' } })
  fleet.model.script({ when: { text: 'LOOK' }, answer: { kind: 'text', text: '{"facts":"none"}' } })
  const result = await ask(payer, { ...toQuestion('q1', 'LOOK'), schema: facts }, patience())
  expect(result).toMatchObject({ kind: 'answered', value: { facts: [] } })
})

test('a 429 of one budget pauses that alone: others are answered meanwhile, and an abort ends the wait', async () => {
  const refusal = { kind: 'error', status: 429, retryAfterS: 60 } as const
  fleet.model.script({ when: { text: 'REFUSED' }, answer: refusal })
  const leaving = new AbortController()
  const refused = ask(payer, toQuestion('q2', 'REFUSED'), leaving.signal)
  await expect.poll(() => fleet.redis.admin.exists('fl:{model}:pause:curiosity')).toBe(1)
  const other = await ask({ ...payer, budget: 'reflection' }, toQuestion('q3', 'OTHER'), patience())
  expect(other).toMatchObject({ kind: 'answered', value: 'echo: OTHER' })
  await fleet.ask('a question, why?')
  const held = ask(payer, toQuestion('q3b', 'PAUSED'), AbortSignal.timeout(150))
  await expect(held).rejects.toThrow()
  leaving.abort(new Error('The process stops.'))
  await expect(refused).rejects.toThrow('The process stops.')
  await fleet.redis.admin.del('fl:{model}:pause:curiosity')
  expect(JSON.stringify(fleet.model.ledger.entries)).not.toContain('PAUSED')
})

test('of the places of the fleet a budget has an eighth, and people are answered beside it', async () => {
  fleet.model.script({ when: { text: 'HELD' }, gate: { name: 'held' }, answer: { kind: 'echo' } })
  const all = Array.from({ length: 3 * share }, (_, n) => ask(payer, toQuestion(`held-${n}`, `HELD ${n}`), patience()))
  const under = (): Promise<number> => fleet.redis.admin.zcard('fl:{model}:places:curiosity')
  await expect.poll(under).toBe(share)
  await fleet.ask('a question, why?')
  expect(await under()).toBe(share)
  fleet.model.open('held')
  expect((await Promise.all(all)).every(({ kind }) => kind === 'answered')).toBe(true)
})

test('once an owner has said /quiet on, a call in the background is broken off within seconds, and none is begun', async () => {
  fleet.model.script({ when: { text: 'LONG' }, gate: { name: 'never' }, answer: { kind: 'echo' } })
  const before = await spentBy('curiosity')
  const running = ask(payer, toQuestion('long', 'LONG'), patience())
  await expect.poll(() => fleet.model.ledger.entries.some((entry) => JSON.stringify(entry).includes('LONG'))).toBe(true)
  await fleet.runtime.quiet.setQuiet(true, 'web:owner')
  const begunMs = Date.now()
  try {
    expect(await running).toEqual({ kind: 'refused', why: 'quiet' })
    expect(Date.now() - begunMs).toBeLessThan(5000)
    expect(await ask(payer, toQuestion('next', 'NEXT'), patience())).toEqual({ kind: 'refused', why: 'quiet' })
    await fleet.ask('a question, why?')
  } finally {
    await fleet.runtime.quiet.setQuiet(false, 'web:owner')
  }
  expect((await spentBy('curiosity')).tokens).toBeGreaterThan(before.tokens)
  expect(JSON.stringify(fleet.model.ledger.entries)).not.toContain('NEXT')
})

test('where the budget of a person is used up, the model is not asked', async () => {
  const ann = { ...payer, principal: 'web:ann', conversation: 'web:ann' }
  await fleet.runtime.modelGate.reserve(fleet.runtime.payer(ann), 'used', { tokens: 99_999, micros: 0 })
  expect(await ask(ann, toQuestion('q4', 'PAID'), patience())).toEqual({ kind: 'refused', why: 'over-budget' })
  expect(JSON.stringify(fleet.model.ledger.entries)).not.toContain('PAID')
})
