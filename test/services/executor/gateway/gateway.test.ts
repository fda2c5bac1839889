// The one way to a tool: what reaches it, what its result may be, and what becomes of whatever it throws.
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Tool } from '#shared/model/tool.ts'
import { mostArtifactBytes } from '#shared/run/artifact.ts'
import { runTool, type GatewayDeps, type ToolOutcome } from '#services/executor/gateway/gateway.ts'
import type { Known } from '#services/executor/gateway/reach.ts'
import { look } from '#test/services/executor/stage.ts'
import { toolContext } from '#test/rig/tool-context.ts'

const nothing: Known = { own: [], quoted: [], others: [], searches: [], pages: [] }
const bare: GatewayDeps = {
  tools: [],
  refuse: () => undefined,
  findRight: async () => 'use',
  isApproved: false,
  approvals: undefined,
  known: () => nothing,
  read: () => [],
  timeoutMs: 1000,
}

async function run(
  tool: Tool['run'],
  {
    input = '{}',
    signal = new AbortController().signal,
    ...more
  }: Partial<GatewayDeps> & {
    readonly input?: string
    readonly signal?: AbortSignal
  } = {},
): Promise<ToolOutcome> {
  const deps = { ...bare, tools: [{ ...look, run: tool }], ...more }
  return await runTool(deps, { id: 'a', name: 'look', arguments: input }, toolContext, signal)
}
const echo: Tool['run'] = async (input) => ({ text: JSON.stringify(input), source: 'own' })

test('a tool gets its parsed input and the toolContext of the turn, and its result is its own', async () => {
  const seen: unknown[] = []
  const outcome = await run(async (...all) => (seen.push(all.slice(0, 2)), { text: 'found', source: 'own' }), {
    input: '{"at":1}',
  })
  expect(seen).toEqual([[{ at: 1 }, toolContext]])
  expect(outcome).toEqual({ ok: true, text: 'found', source: 'own' })
})

test('a call without arguments is one with none', async () => {
  expect(await run(echo, { input: '' })).toMatchObject({ ok: true, text: '{}' })
})

test.each([
  ['no JSON', '{'],
  ['a list', '[1]'],
  ['a text', '"x"'],
  ['nothing', 'null'],
  ['a number', '7'],
  ['what would change a prototype', '{"a":{"__proto__":{"a":1}}}'],
  ['the same in other letters', '{"\\u005f_proto__":1}'],
])('arguments that are %s are told of, and the tool does not run', async (_, input) => {
  const outcome = await run(async () => await Promise.reject(new Error('it ran')), { input })
  expect(outcome).toEqual({
    ok: false,
    text: 'The arguments of "look" are not one JSON object. Send one.',
    source: 'own',
    malformed: true,
  })
})

test.each([
  [
    'nested deep',
    `{"a":${'['.repeat(2000)}1${']'.repeat(2000)}}`,
    'are nested more than 32 levels deep. Send flatter ones.',
  ],
  ['of many values', `{"a":[${'1,'.repeat(30_000)}1]}`, 'hold more than 5000 values. Send fewer at once.'],
])(
  'arguments that are %s are a mistake of the model, told before anybody is asked about them',
  async (_, input, why) => {
    const isAsked = async (): Promise<never> => await Promise.reject(new Error('somebody was asked'))
    const approvals = { isCovered: isAsked, isFull: () => false, refuse: isAsked }
    const deps = {
      ...bare,
      tools: [{ ...look, effect: 'write' as const }],
      approvals,
      findRight: async () => 'ask' as const,
    }
    const outcome = await runTool(
      deps,
      { id: 'a', name: 'look', arguments: input },
      toolContext,
      new AbortController().signal,
    )
    expect(outcome).toEqual({ ok: false, text: `The arguments of "look" ${why}`, source: 'own', malformed: true })
  },
)

test('arguments of wrong types are told of by their names, in words of our own', async () => {
  const schema = z.object({ url: z.string(), page: z.number().max(5) })
  const outcome = await run(async (input) => ({ text: schema.parse(input).url, source: 'own' }), {
    input: '{"page":9}',
  })
  expect(outcome).toMatchObject({ ok: false, source: 'own', malformed: true })
  expect(outcome.text).toMatch(/^The arguments of "look" do not fit\. "url": .*; "page": /)
})

test('of a result that is endless so much is taken as can be kept, and never half a character', async () => {
  const outcome = await run(async () => ({ text: 'x'.repeat(1_000_000), source: 'own' }))
  expect(outcome.text).toHaveLength(mostArtifactBytes + 1)
  const mended = await run(async () => ({ text: `${'x'.repeat(mostArtifactBytes)}😀`, source: 'own' }))
  expect(mended.text.endsWith('x\ufffd')).toBe(true)
})

test('a tool that is not there is named by so much of its name as fits a line', async () => {
  const call = { id: 'a', name: 'n'.repeat(70), arguments: '' }
  expect(await runTool(bare, call, toolContext, new AbortController().signal)).toEqual({
    ok: false,
    text: `There is no tool "${'n'.repeat(64)}".`,
    source: 'own',
    malformed: true,
  })
})

test('a tool that the person may not use does not run', async () => {
  const outcome = await run(async () => await Promise.reject(new Error('it ran')), { findRight: async () => 'none' })
  expect(outcome).toEqual({
    ok: false,
    text: 'The person this turn serves may not use "look".',
    source: 'own',
    refused: { why: 'rules' },
  })
})

test('however many addresses stand in its input, what was read is looked through once, and for so many of them', async () => {
  let asked = 0
  const known = Array.from({ length: 300 }, (_, i) => `a.test/d?e${i}`)
  const deps = {
    ...bare,
    tools: [{ ...look, effect: 'write-local' as const, run: echo }],
    read: () => (asked++, [known.join(' ')]),
  }
  const input = JSON.stringify({ all: known })
  const tainted = { ...toolContext, taint: ['look'] }
  const { text } = await runTool(
    deps,
    { id: 'a', name: 'look', arguments: input },
    tainted,
    new AbortController().signal,
  )
  expect(asked).toBe(1)
  expect(text.match(/\?e\d+/g)).toHaveLength(200)
})

test('what a tool throws may repeat what it read: it counts as the words of others, and is cut', async () => {
  expect(await run(async () => await Promise.reject(new Error('e'.repeat(600))))).toEqual({
    ok: false,
    failure: { afterMs: undefined },
    text: `"look" failed: ${'e'.repeat(500)}`,
    source: 'others',
  })
  expect((await run(async () => await Promise.reject('plain'))).text).toBe('"look" failed: plain')
})

test('a tool that takes too long is aborted', async () => {
  const outcome = await run(
    async (_, __, signal) =>
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('late')))),
    { timeoutMs: 5 },
  )
  expect(outcome).toMatchObject({ ok: false, text: '"look" failed: late' })
})

test('an abort of the turn is no failure of the tool: it is thrown', async () => {
  const turn = new AbortController()
  const running = run(
    async (_, __, signal) =>
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
    { signal: turn.signal },
  )
  turn.abort()
  await expect(running).rejects.toThrow()
})
