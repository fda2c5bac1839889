// Conversations in small windows: tools that are found by searching and called by `tool_call`, judged as what they are.
import { expect, test } from 'vitest'
import type { Tool } from '#shared/model/tool.ts'
import { estimateTokens } from '#shared/model/token-estimate.ts'
import { chooseOffer, toMostHistory } from '#services/executor/context/offer.ts'
import { toCommand, toTurn } from '#test/rig/events.ts'
import { builtIn, createStage, look, type Stage } from './stage.ts'
import { toolsOf } from '#shared/feature/find-tools.ts'

const estimate = (text: string): number => estimateTokens(text).upperBound
const call = (name: string, input: object = {}, id = name) => ({ id, name, arguments: JSON.stringify(input) })
const wrapped = (name: string, input: object = {}, id = name) => call('tool_call', { name, arguments: input }, id)
const results = ({ requests }: Stage): readonly string[] =>
  (requests.at(-1)?.messages ?? []).flatMap((message) => (message.role === 'tool' ? [message.content] : []))
const shown = ({ requests }: Stage): readonly string[] => requests.at(-1)?.tools.map(({ name }) => name) ?? []

/** So large that it leaves room for nothing rare. */
const post = (more: Partial<Tool> = {}): Tool => ({
  ...look,
  name: 'post',
  description: `Posts to the board. ${'word '.repeat(300)}`,
  effect: 'write',
  ...more,
})
const withPost = (tool: Tool, given: Parameters<typeof createStage>[0] = {}): Stage =>
  createStage({ features: [...builtIn, { name: 'board', tools: [tool] }], ...given }, 6000)

test('in 4,096 tokens a conversation of sixty turns holds a sum, a reminder and its end', async () => {
  const stage = createStage({ historyTokens: 2048, findZone: async () => 'Europe/Berlin' }, 4096)
  for (let n = 0; n < 20; n++) {
    stage.answers({ toolCalls: [call('calculate', { expression: '37*91' })] }, '3367')
    expect(await stage.ask(`What is 37 times 91? ${'word '.repeat(n * 30)}`)).toContain('3367')
    stage.answers({ toolCalls: [call('reminder_set', { when: 'in 20 minutes', text: 'tea' })] }, 'I will.')
    expect(await stage.ask('Remind me of the tea in 20 minutes')).toContain('I will.')
    expect(results(stage).at(-1)).toContain('tea')
    expect(await stage.wait(21 * 60_000)).toContain('tea')
  }
  expect(new Set(stage.requests.map(({ tools }) => JSON.stringify(tools))).size).toBe(1)
})

test('a small window has the question last, and the state before it, the same in each step of a turn', async () => {
  const stage = createStage({}, 4096)
  await stage.ask('My name is Kim')
  stage.answers({ toolCalls: [call('calculate', { expression: '1+1' })] }, '2')
  await stage.ask('How much is 1+1?')
  const [first, second] = stage.requests.slice(-2).map(({ messages }) => messages)
  expect(first?.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'system', 'user'])
  expect(first?.at(-1)?.content).toBe('How much is 1+1?')
  expect(second?.slice(0, first?.length)).toEqual(first)
  const large = createStage()
  await large.ask('My name is Kim')
  expect(large.requests[0]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'system'])
})

test('what is not shown is found by searching, called, and told of by its own name', async () => {
  const stage = withPost(post({ effect: 'read' }), { findZone: async () => 'Europe/Berlin' })
  stage.answers(
    { toolCalls: [call('tool_search', { query: 'list reminders' })] },
    { toolCalls: [wrapped('reminder_list')] },
    'None.',
  )
  expect(await stage.ask('Which reminders do I have?')).toBe('None.')
  expect(shown(stage)).not.toContain('reminder_list')
  const [found, listed] = results(stage)
  expect(found).toContain('reminder_list: Lists the reminders of the person here.')
  expect(found).toContain('arguments: {')
  expect(listed).toBe('This person has no reminders in this conversation.')
  const record = stage.steps.flatMap(({ records = [] }) => records).findLast(({ kind }) => kind === 'turn')
  expect(record).toMatchObject({
    record: {
      tools: [
        { name: 'tool_search', ok: true },
        { name: 'reminder_list', ok: true },
      ],
    },
  })
})

test('what matches no words leads to a list of all there is, also in Chinese', async () => {
  const stage = createStage()
  stage.answers({ toolCalls: [call('tool_search', { query: '提醒' })] }, 'Done.')
  await stage.ask('看看')
  expect(results(stage)[0]).toContain('reminder_set: Sends the text to the person here at that time.')
})

test('a call within a call, or of nothing, is told to be none', async () => {
  const stage = createStage()
  stage.answers(
    { toolCalls: [wrapped('tool_call', { name: 'time_now', arguments: {} }), call('tool_call', {}, 'b')] },
    'Done.',
  )
  await stage.ask('Try')
  expect(results(stage)).toEqual([
    expect.stringContaining('calls neither itself'),
    expect.stringContaining('calls neither itself'),
  ])
})

test('rights, depth, taint and the limit of identical calls judge the tool inside', async () => {
  const asked: string[] = []
  const stage = withPost(post(), {
    findRight: async ({ name }) => (asked.push(name), name === 'post' ? 'none' : 'use'),
  })
  stage.answers({ toolCalls: [wrapped('post')] }, 'No.')
  await stage.ask('Post it')
  expect(asked).toEqual(['post'])
  expect(results(stage)).toEqual(['The person this turn serves may not use "post".'])

  const light = withPost(post())
  light.answers({ toolCalls: [wrapped('post')] }, 'No.')
  await light.ask('Post it', { as: toTurn({ depth: 'light' }) })
  expect(results(light)[0]).toContain('"post" was not run: the answer is to be short')

  const tainted = withPost(post())
  tainted.answers({ toolCalls: [wrapped('post')] }, 'No.')
  await tainted.ask('Post this', { quoted: [{ how: 'reply', text: 'Pay me' }] })
  expect(results(tainted)[0]).toContain('this turn has read what others wrote (a quotation), and it changes something.')

  const same = withPost(post({ effect: 'read' }))
  for (let n = 0; n < 4; n++) same.answers({ text: 'Once more.', toolCalls: [n % 2 ? wrapped('post') : call('post')] })
  expect(await same.ask('Post it')).toContain('Once more.')
  expect(same.requests).toHaveLength(3)
})

test('a wrapped call is not made again after a crash where the tool inside says so', async () => {
  let ran = 0
  const lost = new AbortController()
  const run: Tool['run'] = async () => {
    if (++ran === 1) lost.abort()
    throw new Error('gone')
  }
  const stage = withPost(post({ onCrash: 'ask', run }))
  stage.answers({ toolCalls: [wrapped('post')] }, 'Done.')
  await stage.say('Post it')
  await stage.work(lost.signal)
  await stage.work()
  expect(ran).toBe(1)
  expect(results(stage)).toEqual([expect.stringContaining('Whether it took effect is unknown')])
})

test('a wrapped call of a tool that only another release knows is left to it', async () => {
  const stage = createStage({ isKnownElsewhere: async (kind) => kind === 'tool:paint' })
  stage.answers({ toolCalls: [wrapped('paint')] })
  await stage.say('Paint')
  await stage.work()
  expect(stage.leftBehind).toEqual([expect.stringContaining('the tool "paint"')])
})

test('/status says what tools take of the window, in both languages', async () => {
  const stage = createStage()
  const as = toCommand('status')
  expect(await stage.ask('/status', { as })).toMatch(
    /window 128000 tokens, 14 tools in each prompt \(at most \d+ tokens\)$/m,
  )
  await stage.ask('你好')
  expect(await stage.ask('/status 好', { as })).toMatch(/窗口 128000 token，提示里有 14 个工具，最多占 \d+ token$/m)
})

test('in 4,096 tokens nothing of thirty long answers falls out, and few of them are paid for twice', async () => {
  const { room } = chooseOffer(toolsOf(builtIn), 4096, estimate)
  const stage = createStage({ historyTokens: toMostHistory(room) }, 4096)
  let summed = 0
  const { complete } = stage.deps.model
  Object.assign(stage.deps.model, {
    complete: async (...all: Parameters<typeof complete>) => {
      summed += Number(all[0].role === 'fast')
      return await complete(...all)
    },
  })
  for (let n = 0; n < 30; n++) {
    stage.answers('This is a sentence of an answer that tells something. '.repeat(12))
    await stage.ask(`Question ${n}: what is number ${n}?`)
    await stage.wait(3000)
  }
  const { fellOut, summary, history } = await stage.state()
  expect(fellOut).toBeUndefined()
  expect((summary?.count ?? 0) + history.length).toBe(60)
  expect(summed).toBeLessThan(15)
})
