// What a call of the model is: the request, its reservation and what it is charged at, whatever becomes of it.
import { expect, test } from 'vitest'
import { journalEntry } from '#shared/run/journal.ts'
import type { ModelResult } from '#shared/model/model-port.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { ann, conversation, toTurn } from '#test/rig/events.ts'
import { answer as toReply, createStage, failed, hanging, look, type Stage } from './stage.ts'

/** A stage that tells of each reservation, and of what becomes of it. */
function counted(more: Pick<Partial<ExecutorDeps>, 'reserve' | 'charge' | 'historyTokens' | 'onFeatureFailed'> = {}): {
  stage: Stage
  log: string[]
} {
  const log: string[] = []
  const holders = new Set<string>()
  const stage = createStage({
    features: [{ name: 'tools', tools: [look] }],
    reserve: async (payer, id, { promptTokens, completionTokens }) => {
      log.push(`reserve ${payer.conversation} ${payer.principal} ${promptTokens > 0 && completionTokens > 0}`)
      holders.add(id)
      return undefined
    },
    charge: async (payer, id, { promptTokens, completionTokens }) =>
      void log.push(
        `charge ${payer.conversation} ${payer.principal} ${holders.has(id)} ${promptTokens}+${completionTokens}`,
      ),
    leave: async (id) => void log.push(`leave ${holders.has(id)}`),
    ...more,
  })
  return { stage, log }
}
const about = `${conversation} ${ann}`
const call = { id: 'a', name: 'look', arguments: '{}' }

test.each([
  ['social', 0.7],
  ['command', 0.3],
  ['meta', 0.2],
  ['query', 0.3],
  ['task', 0.6],
] as const)('of a message of type %s the model is asked at temperature %f', async (type, temperature) => {
  const stage = createStage()
  await stage.ask('Tell me', { as: toTurn({ type, depth: 'deep' }) })
  expect(stage.requests[0]).toMatchObject({ role: 'main', temperature, metadata: { depth: 'deep', conversation } })
})

test('each call is reserved before it is made, and charged at what it cost', async () => {
  const { stage, log } = counted()
  stage.answers({ toolCalls: [call] }, 'Done.')
  await stage.ask('Look')
  expect(log).toEqual([
    `reserve ${about} true`,
    `charge ${about} true 10+5`,
    `reserve ${about} true`,
    `charge ${about} true 10+5`,
  ])
})

test('what is reserved is the prompt and the longest answer', async () => {
  const reserved: number[] = []
  const { stage } = counted({
    reserve: async (_, __, most) => (reserved.push(most.promptTokens + most.completionTokens), undefined),
  })
  await stage.ask('Tell me')
  await stage.ask('x'.repeat(4000))
  expect(reserved[0]).toBeGreaterThan(2400)
  expect(reserved[0]).toBeLessThan(3400)
  expect(reserved[1]).toBeGreaterThan((reserved[0] ?? 0) + 1000)
})

test('it is charged at the price of the model that answered', async () => {
  const roles: string[] = []
  const stage = createStage({
    models: { hasFallback: true },
    reserve: async (_, __, { role }) => (roles.push(role), undefined),
    charge: async (_, __, { role }) => void roles.push(role),
  })
  stage.answers(() => failed('auth'), 'The other one.')
  expect(await stage.ask('Tell me')).toContain('The other one.')
  expect(roles).toEqual(['main', 'fallback'])
})

test('a call that failed is charged at nothing', async () => {
  const { stage, log } = counted()
  stage.answers(() => failed('auth'))
  await stage.ask('Look')
  expect(log.at(-1)).toBe(`charge ${about} true 0+0`)
})

test('a call that was aborted is charged at its prompt and the aim of its answer', async () => {
  const spent: { promptTokens: number; completionTokens: number }[] = []
  const { stage } = counted({ charge: async (_, __, usage) => void spent.push(usage) })
  const { answer, written } = hanging('Rivers')
  stage.answers(answer)
  await stage.say('Tell me')
  const working = stage.work()
  await written
  await stage.stop()
  await working
  expect(spent).toHaveLength(1)
  expect(spent[0]?.promptTokens).toBeGreaterThan(100)
  expect(spent[0]?.completionTokens).toBe(800)
})

test('an aborted call never counts for more than its longest answer', async () => {
  const spent: number[] = []
  const { stage } = counted({ charge: async (_, __, { completionTokens }) => void spent.push(completionTokens) })
  const { answer, written } = hanging('汉'.repeat(9000))
  stage.answers(answer)
  await stage.say('Tell me')
  const working = stage.work()
  await written
  await stage.stop()
  await working
  expect(spent).toEqual([2400])
})

test('a budget that is used up ends the turn before the model is asked, and nothing is charged', async () => {
  const { stage, log } = counted({ reserve: async () => 'LIMIT' })
  expect(await stage.ask('Look')).toContain('Send `LIMIT` to raise it at once')
  expect(stage.requests).toEqual([])
  expect(log).toEqual([])
})

test('a reservation of a turn that was stopped meanwhile is given back', async () => {
  const { stage, log } = counted()
  const { append } = stage.kernel
  let appends = 0
  Object.assign(stage.kernel, {
    async append(...all: Parameters<typeof append>) {
      if (++appends === 1) await stage.stop()
      return await append(...all)
    },
  })
  await stage.ask('Look')
  expect(stage.requests).toEqual([])
  expect(log).toEqual([`reserve ${about} true`, `charge ${about} true 0+0`])
})

test('an error that is no failure of the model gives its permit back, and ends the turn', async () => {
  const told: unknown[] = []
  const { stage, log } = counted({ onFeatureFailed: (_, error) => void told.push(error) })
  stage.answers(async () => await Promise.reject(new Error('bug')))
  expect(await stage.ask('Look')).toContain('put it aside')
  expect(told).toEqual([new Error('bug')])
  expect(log).toEqual([`reserve ${about} true`, 'leave true'])
})

test('a prompt that the endpoint says is too long is tried once more with three quarters of the room', async () => {
  const { stage, log } = counted({ historyTokens: 64_000 })
  for (let n = 0; n < 6; n++) await stage.ask(`${n} ${'history '.repeat(3000)}`)
  log.length = 0
  const before = stage.requests.length
  stage.answers(() => failed('too-long'), 'It fits.')
  expect(await stage.ask('And now?')).toBe('It fits.')
  const [whole, shorter] = stage.requests.slice(before).map((request) => JSON.stringify(request.messages).length)
  expect(stage.requests).toHaveLength(before + 2)
  expect(shorter).toBeLessThan((whole ?? 0) * 0.85)
  expect(shorter).toBeGreaterThan((whole ?? 0) * 0.3)
  expect(log).toEqual([
    `reserve ${about} true`,
    `charge ${about} true 0+0`,
    `reserve ${about} true`,
    `charge ${about} true 10+5`,
  ])
})

test('what is too long then too ends the turn, and says what to do', async () => {
  const { stage } = counted({ historyTokens: 64_000 })
  for (let n = 0; n < 6; n++) await stage.ask(`${n} ${'history '.repeat(3000)}`)
  stage.answers(
    () => failed('too-long'),
    () => failed('too-long'),
  )
  expect(await stage.ask('And now?')).toContain('too long for the model. Begin anew with /new')
  expect(stage.requests).toHaveLength(8)
})

test('a short question is not cut for a prompt that is too long without it', async () => {
  const { stage } = counted()
  stage.answers(() => failed('too-long'))
  expect(await stage.ask('And now?')).toContain('too long for the model. Begin anew with /new')
  expect(stage.requests).toHaveLength(1)
})

test('what cannot be charged stops nobody', async () => {
  const { stage } = counted({ charge: async () => await Promise.reject(new Error('no Redis')) })
  expect(await stage.ask('Look')).toBe('ok')
})

test('a model that aborts by itself leaves the turn to the next worker', async () => {
  const { stage } = counted()
  stage.answers(() => failed('aborted'))
  expect(await stage.ask('Look')).toBe('')
  await stage.work()
  expect((await stage.sent()).map(({ text }) => text)).toEqual(['ok'])
})

test('a failure that came with a stop is the end that the stop says', async () => {
  const { stage } = counted()
  stage.answers(async ({ write }) => {
    write('Rivers')
    await stage.stop()
    return failed('auth')
  })
  expect(await stage.ask('Tell me')).toBe('Rivers\n\n(Stopped.)')
})

test('each step of the model is journaled with its number, its attempt and its cost', async () => {
  const { stage } = counted()
  const broken: ModelResult = failed('timeout')
  stage.answers(() => broken, { text: 'Looking.', toolCalls: [call] }, { text: 'Cut', finish: 'length' })
  await stage.ask('Look')
  const entries = stage.steps.flatMap((step) => step.entries)
  expect(entries.flatMap((entry) => (entry.t === 'llm:req' ? [[entry.step, entry.attempt, entry.role]] : []))).toEqual([
    [0, 1, 'main'],
    [0, 2, 'main'],
    [1, 1, 'main'],
  ])
  const usage = { promptTokens: 10, completionTokens: 5 }
  expect(entries.filter((entry) => entry.t === 'llm:fin')).toMatchObject([
    { step: 0, text: 'Looking.', toolCalls: [call], usage, model: 'stage' },
    { step: 1, text: 'Cut', toolCalls: [], usage, broke: 'length' },
  ])
  expect(entries.find((entry) => entry.t === 'llm:fin')).not.toHaveProperty('broke')
})

test('every entry of the journal has the shape in which it is read again', async () => {
  const { stage } = counted()
  stage.answers(async (asked) => {
    await stage.say('And here')
    return await toReply(asked, { toolCalls: [call] })
  }, 'Done.')
  await stage.ask('Look')
  const entries = stage.steps.flatMap((step) => step.entries)
  expect(new Set(entries.map(({ t }) => t)).size).toBe(7)
  for (const entry of entries) expect(journalEntry.parse(entry)).toEqual(entry)
})

test('no two steps of a conversation have one key', async () => {
  const { stage } = counted()
  stage.answers({ toolCalls: [call] }, { toolCalls: [{ ...call, id: 'b' }] }, 'Done.')
  await stage.ask('Look')
  await stage.ask('Again')
  const keys = stage.steps.map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
})

test('a step of the model that called a tool is progress, an attempt alone is none', async () => {
  const { stage } = counted()
  stage.answers({ toolCalls: [call] }, 'Done.')
  await stage.ask('Look')
  const told = stage.steps.map(({ entries, progress }) => [entries.at(-1)?.t, progress ?? false])
  expect(told).toEqual([
    ['llm:req', false],
    ['llm:fin', true],
    ['tool:req', false],
    ['tool:fin', true],
    ['llm:req', false],
    ['turn:fin', true],
  ])
})

test('of a message that was cut to fit the person is told', async () => {
  const stage = createStage({}, 8000)
  expect(await stage.ask(`begin ${'word '.repeat(6000)}end`)).toContain('Your message was too long')
  expect(await createStage().ask('Tell me')).toBe('ok')
})
