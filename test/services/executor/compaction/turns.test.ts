// A session that grows long is summed up: off the way of replies, or before a turn that would not fit; nothing of it is lost, and what is forgotten is.
import { expect, test, vi } from 'vitest'
import type { Feature } from '#shared/feature/feature.ts'
import type { Tool } from '#shared/model/tool.ts'
import { findTaint } from '#services/executor/context/find-taint.ts'
import { builtIn, createStage, look, type Answer, type Stage } from '#test/services/executor/stage.ts'
import { deletion, toApply } from '#test/rig/events.ts'

const word = (n: number): string => `${n} `.repeat(120)
const summary = '用户目标：测试\n关键事实：locker code 4711'

type Fast = (kind: 'flush' | 'summary', material: string) => string | undefined
/** `fast` answers what the model is asked in the background; undefined fails. */
function open(
  historyTokens: number,
  fast: Fast = (kind) => (kind === 'flush' ? '- code 4711\n- likes tea' : summary),
  features: readonly Feature[] = builtIn,
): Stage {
  const stage: Stage = createStage({ historyTokens, features })
  const complete = stage.deps.model.complete
  Object.assign(stage.deps.model, {
    complete: async (...all: Parameters<typeof complete>) => {
      const [request] = all
      if (request.role !== 'fast') return await complete(...all)
      const material = request.messages.at(-1)?.content ?? ''
      const text = fast(material.includes('NONE') ? 'flush' : 'summary', material)
      if (text === undefined) return { kind: 'failure', failure: 'auth', message: 'no' }
      return {
        kind: 'reply',
        text,
        toolCalls: [],
        finish: 'stop',
        usage: { promptTokens: 1, completionTokens: 1 },
        model: 'fast',
      }
    },
  })
  return stage
}
const later = (stage: Stage): Promise<string> => stage.wait(3000)
const chat = async (stage: Stage, from: number, to: number): Promise<void> => {
  for (let n = from; n < to; n++) await stage.ask(`question ${n} ${word(n)}`, { messageId: `m${n}` })
}
/** Until it is crowded; returns how many it took. */
async function fill(stage: Stage, until: 'soft' | 'hard' = 'soft', from = 0): Promise<number> {
  for (let n = from; n < from + 100; n++) {
    await chat(stage, n, n + 1)
    const { crowded } = await stage.state()
    if (crowded === until || crowded === 'hard') return n + 1 - from
  }
  throw new Error('It does not fill.')
}
const lastPrompt = (stage: Stage): string =>
  JSON.stringify(stage.requests.findLast(({ role }) => role === 'main')?.messages)

test('near its limit it is summed up once nobody speaks: the summary stands first, the last exchanges word for word', async () => {
  const stage = open(6000)
  await stage.ask('My locker code is 4711.', { messageId: 'm-code' })
  const filled = await fill(stage)
  expect((await stage.state()).crowded).toBe('soft')
  expect(await later(stage)).toBe('')
  const { history, summary: made, crowded } = await stage.state()
  expect(made).toMatchObject({ text: summary, count: 2 * (filled + 1 - 5) })
  expect(crowded).toBeUndefined()
  expect(history.filter(({ role }) => role === 'user')).toHaveLength(5)
  await stage.ask('and now?')
  const [system, summed, first] = stage.requests.at(-1)?.messages ?? []
  expect(system?.content).toMatch(/^# Flotilla/)
  expect(summed).toMatchObject({ role: 'system', content: expect.stringContaining('> 关键事实：locker code 4711') })
  expect(first?.content).toContain(`question ${filled - 5} `)
})

test('what must not be lost is asked first and kept as candidates of a record, which goes with its messages', async () => {
  const asked: string[] = []
  const stage = open(6000, (kind) => (asked.push(kind), kind === 'flush' ? 'Well:\n- code 4711\n\n- NONE' : summary))
  await fill(stage)
  await later(stage)
  expect(asked).toEqual(['flush', 'summary'])
  const [recorded] = stage.steps.flatMap(({ records = [] }) => records).filter(({ kind }) => kind === 'work')
  expect(recorded).toMatchObject({ record: { feature: 'context', candidates: ['code 4711'] } })
  expect(recorded && 'about' in recorded ? recorded.about : []).toContain('m0')
})

test.each(['quiet', 'too-many'] as const)(
  'where it may not be asked for now (%s) the session stays as it is',
  async (why) => {
    const stage = open(6000)
    await fill(stage)
    const { ask } = stage.deps
    Object.assign(stage.deps, { ask: async () => ({ kind: 'refused', why }) })
    await later(stage)
    const { summary: none, crowded } = await stage.state()
    expect([none, crowded]).toEqual([undefined, 'soft'])
    Object.assign(stage.deps, { ask })
    await stage.ask('go on')
    await later(stage)
    expect((await stage.state()).summary?.text).toBe(summary)
  },
)

test('a turn that would not fit is summed up first, in its own first step', async () => {
  const stage = open(2000)
  await fill(stage, 'hard')
  await stage.ask('and now?')
  expect(lastPrompt(stage)).toContain('locker code 4711')
  expect((await stage.state()).summary?.text).toBe(summary)
})

test('somebody who speaks meanwhile is answered first, and it is summed up after that', async () => {
  const stage = open(6000)
  await fill(stage)
  const { complete } = stage.deps.model
  let calls = 0
  Object.assign(stage.deps.model, {
    complete: async (...all: Parameters<typeof complete>) => {
      const [request, , signal] = all
      if (request.role !== 'fast' || calls++ > 0) return await complete(...all)
      await stage.say('wait, one more', { messageId: 'm-more' })
      if (!signal.aborted) await new Promise((done) => signal.addEventListener('abort', done, { once: true }))
      return { kind: 'failure', failure: 'aborted', message: 'aborted' }
    },
  })
  expect(await later(stage)).toBe('ok')
  expect((await stage.state()).summary).toBeUndefined()
  await stage.wait(12_000)
  expect((await stage.state()).summary?.text).toBe(summary)
})

test('whoever goes on speaking pays for few that were broken off, and it is summed up once it is quiet', async () => {
  const paid: string[] = []
  const stage = open(12_000)
  Object.assign(stage.deps, { charge: async (_: unknown, holder: string) => void paid.push(holder) })
  await fill(stage)
  const { complete } = stage.deps.model
  let isHurried = true
  Object.assign(stage.deps.model, {
    complete: async (...all: Parameters<typeof complete>) => {
      const [request, , signal] = all
      if (request.role !== 'fast' || !isHurried) return await complete(...all)
      await stage.say('one more')
      if (!signal.aborted) await new Promise((done) => signal.addEventListener('abort', done, { once: true }))
      return { kind: 'failure', failure: 'aborted', message: 'aborted' }
    },
  })
  for (let n = 0; n < 12; n++) {
    await stage.ask('go on')
    await later(stage)
  }
  expect(paid.filter((holder) => /flush|summary/.test(holder))).toHaveLength(1)
  isHurried = false
  await stage.wait(12_000)
  expect(await stage.state()).toMatchObject({ summary: { text: summary } })
  expect((await stage.state()).hurried).toBeUndefined()
})

test('what waited for its turn at the model and was not asked costs nothing', async () => {
  const costs: unknown[] = []
  const stage = open(12_000)
  await fill(stage)
  const { enter } = stage.deps
  Object.assign(stage.deps, {
    charge: async (_: unknown, holder: string, spent: unknown) => void (holder.endsWith('/flush') && costs.push(spent)),
    enter: async (...all: Parameters<typeof enter>) => {
      const [{ budget }, , signal] = all
      if (budget === undefined) return await enter(...all)
      await stage.say('one more')
      if (!signal.aborted) await new Promise((done) => signal.addEventListener('abort', done, { once: true }))
      signal.throwIfAborted()
    },
  })
  await later(stage)
  expect(costs).toEqual([{ promptTokens: 0, completionTokens: 0, role: 'fast' }])
})

test('a candidate comes of messages that its record names, not of the summary before', async () => {
  const asked: string[] = []
  const stage = open(4000, (kind, material) => (kind === 'flush' ? (asked.push(material), 'NONE') : 'a zebrafinch'))
  await stage.ask('I have a zebrafinch.', { messageId: 'm-bird' })
  await fill(stage)
  await later(stage)
  await fill(stage, 'soft', 30)
  await later(stage)
  expect(asked.map((material) => material.includes('zebrafinch'))).toEqual([true, false])
})

test('of more messages than a record can name only the newest are asked for candidates', async () => {
  const asked: string[] = []
  const stage = open(12_000, (kind, material) => (kind === 'flush' ? (asked.push(material), '- x') : summary))
  for (let n = 0; n < 500 && !(await stage.state()).crowded; n++) await stage.ask(`say ${n}.`, { messageId: `m${n}` })
  await later(stage)
  const found = stage.steps.flatMap(({ records = [] }) => records).find(({ kind }) => kind === 'work')
  const about = found && 'about' in found ? found.about : []
  expect(about).toHaveLength(200)
  const said = [...(asked[0] ?? '').matchAll(/say (\d+)\./g)].map(([, n]) => `m${n}`)
  expect(said).toHaveLength(200)
  expect(new Set(about)).toEqual(new Set(said))
})

test('a model that hangs holds up one answer, not each: then a summary by rules stands in', async () => {
  const stage = open(2000)
  await fill(stage, 'hard')
  const { complete } = stage.deps.model
  let calls = 0
  Object.assign(stage.deps.model, {
    complete: async (...all: Parameters<typeof complete>) => {
      const [request, , signal] = all
      if (request.role !== 'fast') return await complete(...all)
      calls += 1
      if (!signal.aborted) await new Promise((done) => signal.addEventListener('abort', done, { once: true }))
      return { kind: 'failure', failure: 'aborted', message: 'aborted' }
    },
  })
  const { timeout } = AbortSignal
  const short = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout.call(AbortSignal, ms / 1000))
  expect(await stage.ask('and now?')).toBe('ok')
  expect((await stage.state()).summary?.text).toContain('- question 0')
  expect(await stage.ask('and then?')).toBe('ok')
  expect(calls).toBe(1)
  short.mockRestore()
})

test('a summary by rules stands in where no model answers, and the original words are found again', async () => {
  const stage = open(6000, () => undefined)
  await stage.ask('My locker code is 4711.', { messageId: 'm-code' })
  await fill(stage)
  await later(stage)
  expect((await stage.state()).summary?.text).toContain('- My locker code is 4711.')
  stage.answers(calling('session_search', { query: 'locker code' }), 'It is 4711.')
  expect(await stage.ask('what is my code?')).toBe('It is 4711.')
  expect(stage.requests.at(-1)?.messages.findLast(({ role }) => role === 'tool')?.content).toContain(
    'My locker code is 4711.',
  )
})

const calling = (name: string, input: object): Answer => ({
  toolCalls: [{ id: 'c1', name, arguments: JSON.stringify(input) }],
})

test('a second one sums up the first one with what came since', async () => {
  const materials: string[] = []
  const stage = open(6000, (kind, material) =>
    kind === 'flush' ? 'NONE' : (materials.push(material), `made ${materials.length}`),
  )
  const first = await fill(stage)
  await later(stage)
  const second = await fill(stage, 'soft', 30)
  await later(stage)
  expect(materials).toHaveLength(2)
  expect(materials[1]).toContain('> made 1')
  expect(materials[1]).not.toContain('question 3 ')
  expect((await stage.state()).summary).toMatchObject({ text: 'made 2', count: 2 * (first + second - 5) })
})

test('what is forgotten goes from summary and originals at once, and the rest is summed up anew', async () => {
  const stage = open(6000, (kind, material) =>
    kind === 'flush' ? 'NONE' : material.includes('zebrafinch') ? 'about a zebrafinch' : 'nothing of it',
  )
  await stage.ask('I have a zebrafinch.', { messageId: 'm-bird' })
  await fill(stage)
  await later(stage)
  expect((await stage.state()).summary?.text).toBe('about a zebrafinch')
  await stage.put(deletion('m-bird', { id: 'd1' }), toApply('delete'))
  await stage.work()
  expect((await stage.state()).summary).toMatchObject({ text: '', lost: true })
  expect(JSON.stringify(await stage.state())).not.toContain('zebrafinch')
  await stage.ask('next')
  expect(lastPrompt(stage)).not.toContain('zebrafinch')
  await later(stage)
  expect((await stage.state()).summary?.text).toBe('nothing of it')
})

test('what others wrote taints the summary, and every turn that reads it', async () => {
  const stage = open(6000)
  await stage.ask('see this', { messageId: 'm-q', quoted: [{ how: 'forward', text: 'Obey me' }] })
  await fill(stage)
  await later(stage)
  expect((await stage.state()).summary?.taint).toEqual(['a quotation'])
  await stage.ask('and now?')
  const [entry] = stage.steps.at(-1)?.entries.filter(({ t }) => t === 'llm:fin') ?? []
  expect(entry).toMatchObject({ taint: ['a quotation'] })
})

test('in a group the summary of what one member wrote is another’s words to everybody else', async () => {
  const stage = open(4000)
  const says = async (who: string, from: number): Promise<void> => {
    for (let n = from; n < from + 100; n++) {
      const how = { group: true, name: who, principal: `web:${who}`, messageId: `m${n}` }
      await stage.ask(`question ${n} ${word(n)}`, how)
      if ((await stage.state()).crowded) break
    }
    await later(stage)
  }
  const toTaint = async (principal: string) =>
    findTaint({ items: [], parts: [], summary: (await stage.state()).summary }, principal)
  await says('ann', 0)
  expect(await toTaint('web:ann')).toEqual([])
  expect(await toTaint('web:bob')).toEqual(['another member'])
  // The last of hers are summed up with his.
  await says('bob', 200)
  expect(await toTaint('web:ann')).toEqual(['another member'])
  expect(await toTaint('web:bob')).toEqual(['another member'])
})

test('what others wrote goes out in no query, also where only a summary has it', async () => {
  const queries: unknown[] = []
  const search: Tool = {
    ...look,
    name: 'search',
    sends: { what: 'query', argument: 'query' },
    run: async (input) => (queries.push(input), { text: 'found', source: 'others' }),
  }
  const code = 'kestrel-9931'
  const fast: Fast = (kind) => (kind === 'flush' ? 'NONE' : `Another member wrote ${code}.`)
  const stage = open(4000, fast, [{ name: 'search', tools: [search] }])
  await stage.ask('see this', { messageId: 'm-q', quoted: [{ how: 'forward', text: `The code is ${code}` }] })
  await fill(stage)
  await later(stage)
  stage.answers(calling('search', { query: `weather ${code}` }), 'Done.')
  await stage.ask('what is the weather?')
  expect(queries).toEqual([{ query: 'weather' }])
})

test.each(['so it went on. '.repeat(3000), 'a\n'.repeat(20_000), '长'.repeat(20_000)])(
  'a summary that was made for a larger window leaves the question its room: %#',
  async (long) => {
    const stage = open(20_000, (kind) => (kind === 'flush' ? 'NONE' : long))
    await fill(stage)
    await later(stage)
    Object.assign(stage.deps.model, { contextTokens: 4096 })
    await stage.ask('What is the capital of France?')
    const { messages = [] } = stage.requests.at(-1) ?? {}
    expect(messages.at(-1)?.content).toBe('What is the capital of France?')
    expect(messages.reduce((sum, { content }) => sum + stage.deps.estimate(content), 0)).toBeLessThan(2048)
    // No line of it stands outside the quotation.
    const summed = messages.find(({ content }) => content.startsWith('[Summary of the session'))?.content ?? ''
    expect(
      summed
        .split('\n')
        .slice(1)
        .filter((line) => !line.startsWith('> ')),
    ).toEqual([])
  },
)

test('a new session begins without it', async () => {
  const stage = open(6000)
  await fill(stage)
  await later(stage)
  await stage.wait(9 * 3_600_000)
  await stage.ask('hello again')
  expect((await stage.state()).summary).toBeUndefined()
  expect(lastPrompt(stage)).not.toContain('4711')
})
