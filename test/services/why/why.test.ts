// /why: what is told of an answer comes from its record, and of that in a group nothing that is a person's own.
import { expect, test } from 'vitest'
import type { TurnRecord } from '#shared/run/record.ts'
import { explain } from '#services/why/explain.ts'
import { createWhy } from '#services/why/why.ts'
import type { Feature } from '#shared/feature/feature.ts'
import type { ContextPart } from '#shared/feature/context-part.ts'
import { deletion, toApply, toCommand, toTurn } from '#test/rig/events.ts'
import { createStage, failed, look, type Stage } from '#test/services/executor/stage.ts'

const memories: ContextPart = {
  name: 'memories',
  source: 'others',
  maxTokens: 100,
  withinMs: 1000,
  give: async () => ({ text: 'Ann likes tea.', reason: 'asked *about* tea' }),
}

const toWhy = (findStage: () => Stage, micros?: number): Feature =>
  createWhy({
    findTurn: (...by) => findStage().kernel.findTurn(...by),
    costOf: () => micros,
    timeZone: 'Europe/Berlin',
    tellAnswers: async () => ({ lines: [], cameOf: [] }),
  })

function open(micros?: number): Stage {
  const tools: Feature = { name: 'shop', tools: [look], context: [memories] }
  const stage: Stage = createStage({
    features: [tools, toWhy(() => stage, micros)],
  })
  return stage
}
const why = (stage: Stage, more: object = {}): Promise<string> => stage.ask('/why', { as: toCommand('why'), ...more })
const call = (name: string) => ({ id: name, name, arguments: '{}' })

test('it tells the route, the prompt part by part, tools, what others wrote, how it ended, and the cost', async () => {
  const stage = open(1230)
  stage.answers({ toolCalls: [call('look'), call('nothing')] }, 'Tea.')
  await stage.ask('What do I like?', { as: toTurn({ rule: 'query.rest', complex: true }) })
  const lines = (await why(stage)).split('\n')
  expect(lines.slice(0, 3)).toEqual([
    '**How this answer came about**: “What do I like?”',
    '',
    '- What I took it for: question · standard · complex · clear · rule `query.rest`',
  ])
  expect(lines[3]).toMatch(
    /^- What the model was given last, in estimated tokens: \d+ = my instructions \d+, tools \d+ \(1 tool\), this question \d+ \(4 messages\), date and settings \d+, the task and how far it is \d+, `shop\.memories` \d+$/,
  )
  const [sum, ...each] = [...(lines[3] ?? '').matchAll(/(?:tokens: | )(\d+)(?= =|,| \(|$)/g)].map(([, n]) => Number(n))
  expect(each.reduce((all, n) => all + n, 0)).toBe(sum)
  expect(lines.slice(4)).toEqual([
    '  - `shop.memories`: asked about tea',
    '- It had read what others wrote: shop.memories, look',
    '- Tools: `look` ✓, `nothing` failed',
    '- Cost: 20 tokens read, 10 written · `stage` · $0.00123',
  ])
})

test('in a group it tells no reasons, and in another’s words nothing but kinds and counts', async () => {
  const stage = open()
  const group = { group: true, messageId: 'g1', name: 'Ann' } as const
  await stage.ask('What do I like?', group)
  const said = await why(stage, { ...group, messageId: 'g2' })
  expect(said).toContain('`shop.memories`')
  expect(said).not.toContain('tea')
  expect(said).not.toContain('$')
})

test('in reply to what was asked it tells of that, not of the last one', async () => {
  const stage = open()
  await stage.ask('First', { messageId: 'first', as: toTurn({ rule: 'rule.first' }) })
  await stage.ask('Second', { messageId: 'second', as: toTurn({ rule: 'rule.second' }) })
  const reply = (messageId: string) => ({ replyTo: { messageId, fromBot: false, text: 'x' } })
  expect(await why(stage, reply('first'))).toContain('`rule.first`')
  expect(await why(stage)).toContain('`rule.second`')
  expect(await why(stage, reply('never'))).toContain('No answer of the model is on record here')
})

test('on a channel without replies of its own it is asked of an answer by the row that shows it', async () => {
  const stage = open()
  await stage.ask('First', { as: toTurn({ rule: 'rule.first' }) })
  await stage.ask('Second', { as: toTurn({ rule: 'rule.second' }) })
  const [first, second] = await stage.sent()
  const reply = (row = '') => ({ replyTo: { messageId: row, fromBot: true } })
  expect(await why(stage, reply(first?.row))).toContain('`rule.first`')
  expect(await why(stage, reply(second?.row))).toContain('`rule.second`')
  const told = (await stage.sent()).at(-1)
  expect(await why(stage, reply(told?.row))).toContain('No answer of the model is on record here')
})

test('before anything was answered it says what to do', async () => {
  expect(await why(open())).toContain('Greetings and commands are answered without the model.')
})

test('what does not fit any more is counted', async () => {
  const stage: Stage = createStage({ features: [toWhy(() => stage)] }, 6000)
  for (let n = 0; n < 6; n++) await stage.ask(`${n} ${'history '.repeat(500)}`)
  expect(await why(stage)).toMatch(/history \d+ \(\d+ messages; left out \d+\)/)
})

test('in Chinese', async () => {
  const stage = open()
  await stage.ask('我喜欢什么？')
  expect(await why(stage)).toContain('- 我的判断：问题 · 标准 · 明确 · 规则')
})

test('what is forgotten is not told of, and does not hide what was answered after it', async () => {
  const stage = open()
  await stage.ask('aaa', { messageId: 'a', as: toTurn({ rule: 'rule.a' }) })
  await stage.ask('bbb', { messageId: 'b', as: toTurn({ rule: 'rule.b' }) })
  await stage.kernel.forget(deletion('a'), [])
  await stage.put(deletion('a'), toApply('delete'))
  await stage.work()
  expect(await why(stage)).toContain('`rule.b`')
})

test('what was stopped, or rewrote an answer, says so', async () => {
  const stage = open()
  stage.answers(async ({ write }) => {
    write('Rivers')
    await stage.stop()
    return failed('aborted')
  })
  await stage.ask('Tell me')
  expect(await why(stage)).toContain('- It did not come to its end: somebody stopped it')
})

test('what stood before the answer is told, and of work that went on with an answer the answer alone', async () => {
  const record: TurnRecord = {
    v: 1,
    turn: 't1',
    session: 's',
    principal: 'web:owner',
    begunAt: 0,
    endedAt: 1,
    language: 'en',
    class: { type: 'task', depth: 'standard', complex: false, rule: 'again', confidence: 'high' },
    ending: 'answered',
    mark: '(I am not sure about this; please verify)',
    tools: [],
    context: [],
    tokens: { prompt: 1, completion: 1 },
    asked: '> 1. board_post {"text":"Hello"}\n> more\nApproved: 1 board_post',
    answer: 'Posted.',
  }
  expect(explain(record, { language: 'en', isOwn: true, micros: undefined, answered: [] }).split('\n')).toEqual([
    '**How this answer came about**: “Approved: 1 board_post”',
    '',
    '- What I took it for: task · standard · clear · rule `again`',
    '- What I put before the answer: (I am not sure about this; please verify)',
    '- Cost: 1 tokens read, 1 written',
  ])
})
