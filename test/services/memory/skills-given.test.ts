// What a turn's prompt has of skills, and what people's reactions make of their outcomes.
import { expect, test } from 'vitest'
import { readAll } from '#services/memory/file/read-all.ts'
import { createMemoryPart } from '#services/memory/part.ts'
import { createRecall } from '#services/memory/recall.ts'
import { createMemorySettings } from '#services/memory/settings.ts'
import { createSkillOutcomes } from '#services/memory/skill-outcomes.ts'
import { createSkillPart } from '#services/memory/skill-part.ts'
import type { ContextTurn } from '#shared/feature/context-part.ts'
import type { NewRecord } from '#shared/memory/record.ts'
import type { Skill } from '#shared/memory/skill.ts'
import { estimateTokens } from '#shared/model/token-estimate.ts'
import type { RecordLine } from '#shared/run/record.ts'
import { turnRecord } from '#test/rig/records.ts'
import { remembered } from '#test/rig/remembered.ts'
import { createMemoryStore } from '#test/twins/memory-store.ts'

const turn: ContextTurn = {
  conversation: 'telegram:1',
  principal: 'telegram:1',
  group: false,
  people: {},
  language: 'en',
  session: 's1',
  budgetTokens: 1200,
  slice: undefined,
  asked: 'Please write the quarterly harbour report',
  depth: 'standard',
  holds: () => false,
}
const { signal } = new AbortController()
const own = 'user:telegram:1'

const skillOf = (name: string, more: Partial<Skill> = {}): Skill => ({
  skillId: 'x_v1',
  name,
  description: name,
  triggers: [name],
  steps: [{ action: 'count the boats' }, { action: 'draw a chart', details: 'in blue', tools: ['web_search'] }],
  version: 1,
  history: ['v1'],
  ...more,
})

let count = 0
function taught(skill: Skill, more: Partial<NewRecord> = {}): NewRecord {
  count += 1
  const whose = { speaker: 'telegram:1', confirmedBy: 'telegram:1' } as const
  const at = { conversation: 'telegram:1', message: `m${count}` }
  return remembered(skill.name, at, { kind: 'skill', skill, ...whose, ...more })
}

function open() {
  const memory = createMemoryStore()
  const settings = createMemorySettings({ findChoice: async () => undefined, setChoice: async () => {} })
  const recall = createRecall({ memory, memoryIndex: { find: async () => [] } })
  const deps = { now: Date.now, timeZone: 'UTC' }
  return {
    memory,
    recall,
    part: createSkillPart(deps, { recall, settings }),
    records: createMemoryPart(deps, { recall, settings }),
  }
}

test('steps are given with who taught them, as data, with where they come from', async () => {
  const { memory, part, records } = open()
  await memory.write(own, taught(skillOf('quarterly harbour report')))
  const given = await part.give(turn, signal)
  expect(given?.text).toContain(
    'follow its steps — skill #1 “quarterly harbour report”, taught by the person you talk to on 2023-11-14:\n1. count the boats\n2. draw a chart — in blue (tools: web_search)',
  )
  expect(given).toMatchObject({
    reason: 'steps of skill number 1',
    source: 'person',
    about: [{ conversation: 'telegram:1', messages: ['m1'] }],
  })
  // It is in no other part, and a turn about something else has nothing of it.
  expect(await records.give(turn, signal)).toBeUndefined()
  expect(await part.give({ ...turn, asked: 'How is the weather?' }, signal)).toBeUndefined()
  expect(await part.give({ ...turn, asked: '  ' }, signal)).toBeUndefined()
})

test('what is half like it is a reference, in Chinese too, and two at most are given', async () => {
  const { memory, part } = open()
  await memory.write(own, taught(skillOf('quarterly harbour report')))
  await memory.write(own, taught(skillOf('harbour report of boats')))
  await memory.write(own, taught(skillOf('harbour report')))
  const given = await part.give({ ...turn, language: 'zh', asked: 'the harbour report' }, signal)
  expect(given?.reason).toBe('学会的流程，第 3 条；供参考的流程，第 2 条')
  expect(given?.text).toContain('它不给任何权限')
})

test('nobody is given what others were taught, nor what nobody confirmed or others had a part in', async () => {
  const { memory, part } = open()
  await memory.write('user:telegram:2', taught(skillOf('quarterly harbour report')))
  await memory.write(own, taught(skillOf('quarterly harbour report'), { origin: 'inferred' }))
  await memory.write(own, taught(skillOf('quarterly harbour report'), { status: 'unconfirmed' }))
  await memory.write(own, taught(skillOf('quarterly harbour report'), { taint: ['web'] }))
  expect(await part.give(turn, signal)).toBeUndefined()
  const group = { ...turn, conversation: 'telegram:-5', group: true }
  await memory.write('chat:telegram:-5', taught(skillOf('quarterly harbour report'), { speaker: 'telegram:9' }))
  expect(await part.give(group, signal)).toMatchObject({ source: 'others' })
})

test('steps that do not fit are left out whole, and that is said', async () => {
  const { memory, part } = open()
  const steps = Array.from({ length: 20 }, (_, n) => ({ action: `${'paint the hull of the boat '.repeat(5)}${n}` }))
  await memory.write(own, taught(skillOf('quarterly harbour report', { steps })))
  const given = await part.give({ ...turn, budgetTokens: 500 }, signal)
  const text = typeof given?.text === 'string' ? given.text : ''
  expect(estimateTokens(text).upperBound).toBeLessThan(520)
  expect(text).toMatch(/\(\d+ more steps do not fit here: \/skills 1\)$/)
})

test('a new version is another record, even with the same words', async () => {
  const { memory, recall } = open()
  expect(await memory.write(own, taught(skillOf('tea')))).toMatchObject({ kind: 'new' })
  expect(await memory.write(own, taught(skillOf('tea', { version: 2 })))).toMatchObject({ kind: 'new' })
  expect(await recall.findSkills({ scopes: [own], text: 'tea', nowMs: 0 })).toHaveLength(2)
})

test('MEMORY.md has no skills, so that none goes with a line that is missing there', async () => {
  const { memory } = open()
  await memory.write(own, taught(skillOf('tea')))
  await memory.write(own, remembered('I like tea', { conversation: 'telegram:1', message: 'm' }))
  expect((await readAll(memory, own)).records).toMatchObject([{ number: 2, kind: 'fact' }])
})

test('a reaction counts once for each turn, and a changed mind takes it back', async () => {
  const { memory } = open()
  await memory.write(own, taught(skillOf('tea')))
  const context = [
    { name: 'memory.skills', reason: 'steps of skill number 1' },
    { name: 'memory.records', reason: 'kept as number 9' },
  ]
  const record = turnRecord('t1', { principal: 'telegram:1', context })
  const findTurn = async (_: string, by: 'last' | { readonly message: string }) =>
    by !== 'last' && by.message === 'm7' ? { record, about: ['m7'] } : undefined
  const outcomes = createSkillOutcomes({ memory, records: { findTurn } })
  const line = (value: string, message = 'm7'): RecordLine => ({
    name: '1-1',
    conversation: 'telegram:1',
    kind: 'feedback',
    id: 'x',
    feedback: { v: 1, what: 'reaction', by: 'telegram:1', value },
    messages: [message],
  })
  const said: unknown[] = []
  for (const one of [line('👍'), line('👍'), line('👎'), line('🤔'), line('👍', 'm8'), line('')]) {
    await outcomes.take(one, signal)
    const [{ skill } = {}] = await memory.find(own, [1])
    said.push(skill?.outcomes && [skill.outcomes.good, skill.outcomes.bad])
  }
  expect(said).toEqual([
    [1, 0],
    [1, 0],
    [0, 1],
    [0, 1],
    [0, 1],
    [0, 0],
  ])
})
