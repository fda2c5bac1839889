// Several calls in one answer: at once where all of them only read, in order where one changes something; what ends early, hangs, fails, is
// stopped or lost on the way.
import { storable } from '#shared/feature/slice.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { PromptMessage } from '#shared/model/model-port.ts'
import { artifacts } from '#services/artifacts/artifacts.ts'
import { toAddress } from '#shared/model/addresses.ts'
import type { Tool } from '#shared/model/tool.ts'
import { conversation } from '#test/rig/events.ts'
import { createStage, look, type Stage } from './stage.ts'

const call = (name: string, id = name, input = '{}') => ({ id, name, arguments: input })
const reads = (name: string, run: Tool['run'], more: Partial<Tool> = {}): Tool => ({ ...look, name, run, ...more })
const open = (tools: readonly Tool[], more: Parameters<typeof createStage>[0] = {}): Stage =>
  createStage({ features: [{ name: 'tools', tools }], ...more })
const results = ({ requests }: Stage): readonly string[] =>
  (requests.at(-1)?.messages ?? []).flatMap((message: PromptMessage) =>
    message.role === 'tool' ? [`${message.callId}: ${message.content}`] : [],
  )
const numbers = z.number()
const said = (text: string) => ({ text, source: 'own' }) as const

test('calls that only read run at once, and their results stand in the order of the calls', async () => {
  const ended: string[] = []
  const gates = new Map(['a', 'b', 'c'].map((name) => [name, Promise.withResolvers<void>()]))
  const before: Record<string, string> = { a: 'b', b: 'c' }
  const tools = ['a', 'b', 'c'].map((name) =>
    reads(name, async () => {
      // Each waits for the one after it: one after another they would never end.
      await gates.get(before[name] ?? '')?.promise
      gates.get(name)?.resolve()
      ended.push(name)
      return said(`${name} found`)
    }),
  )
  const stage = open(tools)
  stage.answers({ toolCalls: [call('a'), call('b'), call('c')] }, 'Done.')
  expect(await stage.ask('Look')).toBe('Done.')
  expect(ended).toEqual(['c', 'b', 'a'])
  expect(results(stage)).toEqual(['a: a found', 'b: b found', 'c: c found'])
  const written = stage.steps.map(({ entries }) => entries.map(({ t }) => t).join(' '))
  expect(written.filter((step) => step.includes('tool'))).toEqual([
    'tool:req tool:req tool:req',
    'tool:fin',
    'tool:fin',
    'tool:fin',
  ])
  const { history } = await stage.state()
  expect(history.map((item) => (item.role === 'tool' ? item.callId : item.role))).toEqual([
    'user',
    'assistant',
    'a',
    'b',
    'c',
    'assistant',
  ])
})

test('one that hangs and one that fails lose the others nothing', async () => {
  const stage = open(
    [
      reads('hangs', async () => await new Promise(() => {})),
      reads('fails', async () => await Promise.reject(new Error('no such page'))),
      reads('finds', async () => said('found')),
    ],
    { toolTimeoutMs: 20 },
  )
  stage.answers({ toolCalls: [call('hangs'), call('fails'), call('finds')] }, 'Done.')
  expect(await stage.ask('Look')).toBe('Done.')
  const [hung, failed, found] = results(stage)
  expect(hung).toContain('"hangs" failed: ')
  expect(failed).toBe('fails: "fails" failed: no such page')
  expect(found).toBe('finds: found')
})

test('at most eight run at a time', async () => {
  let running = 0
  let most = 0
  const run: Tool['run'] = async () => {
    most = Math.max(most, ++running)
    await new Promise((done) => setImmediate(done))
    running -= 1
    return said('found')
  }
  const stage = open([reads('look', run)])
  stage.answers({ toolCalls: Array.from({ length: 20 }, (_, i) => call('look', `c${i}`, `{"at":${i}}`)) }, 'Done.')
  expect(await stage.ask('Look')).toBe('Done.')
  expect(most).toBe(8)
  expect(results(stage)).toHaveLength(20)
})

test('where one of them changes something they run one after another', async () => {
  const order: string[] = []
  const step =
    (name: string): Tool['run'] =>
    async () => {
      order.push(`${name} begins`)
      await new Promise((done) => setImmediate(done))
      order.push(`${name} ends`)
      return said(name)
    }
  const stage = open([reads('look', step('look')), reads('keep', step('keep'), { effect: 'write-local' })])
  stage.answers({ toolCalls: [call('look'), call('keep'), call('look', 'again', '{"at":1}')] }, 'Done.')
  await stage.ask('Look and keep')
  expect(order).toEqual(['look begins', 'look ends', 'keep begins', 'keep ends', 'look begins', 'look ends'])
})

test('what they change of a slice adds up', async () => {
  const counts = { text: 'counted', source: 'own', effects: [{ kind: 'change', change: 1 }] } as const
  const tools = [reads('count', async () => counts)]
  const slice = { schema: storable(numbers), fresh: 0, fold: (sum: unknown, by: unknown) => Number(sum) + Number(by) }
  const stage = createStage({ features: [{ name: 'counter', slice, tools }] })
  stage.answers({ toolCalls: ['a', 'b', 'c'].map((id) => call('count', id, `{"at":"${id}"}`)) }, 'Done.')
  await stage.ask('Count')
  expect((await stage.state()).slices.get('counter')).toBe(3)
})

test('a stop while they run ends the turn at once; what had ended is remembered, of the rest nobody knows', async () => {
  const kept = Promise.withResolvers<void>()
  const stage = open([
    reads('quick', async () => said('found')),
    reads('slow', async () => await new Promise(() => {})),
  ])
  const { append } = stage.kernel
  Object.assign(stage.kernel, {
    async append(...all: Parameters<typeof append>) {
      const result = await append(...all)
      if (all[2].key.endsWith('/fin')) kept.resolve()
      return result
    },
  })
  stage.answers({ text: 'Looking.', toolCalls: [call('slow'), call('quick')] })
  await stage.say('Look')
  const working = stage.work()
  await kept.promise
  const at = performance.now()
  await stage.stop()
  await working
  expect(performance.now() - at).toBeLessThan(1000)
  expect((await stage.sent()).map(({ text }) => text)).toEqual(['Looking.\n\n(Stopped.)'])
  expect((await stage.state()).history.filter(({ role }) => role === 'tool').map(({ text }) => text)).toEqual([
    'found',
    '[Interrupted. Whether it took effect is unknown.]',
  ])
})

test('a worker lost at any step leaves the same end, and no call that had ended is made again', async () => {
  const names = ['a', 'b', 'c']
  async function talk(loseAt?: number, side: 'before' | 'after' = 'after') {
    const stored = new Set<string>()
    const again: string[] = []
    const stage = open(
      names.map((name) =>
        reads(name, async () => {
          if (stored.has(name)) again.push(name)
          return said(`${name} found`)
        }),
      ),
    )
    const { append } = stage.kernel
    Object.assign(stage.kernel, {
      async append(...all: Parameters<typeof append>) {
        const result = await append(...all)
        for (const entry of all[2].entries) if (entry.t === 'tool:fin' && result.kind === 'OK') stored.add(entry.callId)
        return result
      },
    })
    let asked = 0
    stage.answers(
      ...Array.from({ length: 6 }, () => ({ request }: { request: { messages: readonly PromptMessage[] } }) => {
        asked += 1
        const isFirst = !request.messages.some(({ role }) => role === 'tool')
        const reply = { kind: 'reply', usage: { promptTokens: 10, completionTokens: 5 }, model: 'stage' } as const
        return isFirst
          ? { ...reply, text: '', finish: 'tool-calls' as const, toolCalls: names.map((name) => call(name)) }
          : { ...reply, text: 'Done.', finish: 'stop' as const, toolCalls: [] }
      }),
    )
    if (loseAt !== undefined) stage.loseAt(loseAt, side)
    await stage.say('Look')
    await stage.work()
    await stage.work()
    expect(again).toEqual([])
    expect(asked).toBeLessThanOrEqual(3)
    return { sent: (await stage.sent()).map(({ text }) => text), read: results(stage), steps: stage.steps.length }
  }
  const whole = await talk()
  expect(whole).toMatchObject({ sent: ['Done.'], read: ['a: a found', 'b: b found', 'c: c found'] })
  expect(whole.steps).toBeGreaterThanOrEqual(7)
  for (let n = 1; n <= whole.steps; n++)
    for (const side of ['before', 'after'] as const) {
      const { sent, read } = await talk(n, side)
      expect({ sent, read }, `lost ${side} append ${n}`).toEqual({ sent: whole.sent, read: whole.read })
    }
})

test('pages that are opened at once count as those that are opened one after another', async () => {
  const sites = ['a', 'b', 'c', 'd', 'e'].map((name) => `https://${name}.example/x`)
  const links = sites.map((address) => `- ${address.slice(8, 9)} ${toAddress(address)}`).join('\n')
  const opened: string[] = []
  const fetch = reads(
    'fetch',
    async (input) => {
      opened.push(z.object({ url: z.string() }).parse(input).url)
      return { text: `A page.\n${links}`, source: 'others' }
    },
    { sends: { what: 'address', argument: 'url' } },
  )
  const stage = open([fetch])
  const get = (url: string, id = 'get') => call('fetch', id, JSON.stringify({ url }))
  stage.answers(
    { toolCalls: [get('https://start.example/')] },
    { toolCalls: sites.map((url, i) => get(url, `get${i}`)) },
    'Done.',
  )
  await stage.ask('Read https://start.example/ and where it leads')
  expect(opened).toEqual(['https://start.example/', ...sites.slice(0, 3)])
  expect(results(stage).slice(4)).toEqual([
    expect.stringContaining('pages of 3 other sites were opened'),
    expect.stringContaining('pages of 3 other sites were opened'),
  ])
})

test('a link in the part of a page that is read on later can be opened, as one that stood in the first part', async () => {
  const filler = `${'word '.repeat(80)}\n\n`.repeat(40)
  const far = `${filler}${'word '.repeat(75)}\n- there ${toAddress('https://start.example/far')}\n\n${filler}`
  const opened: string[] = []
  const fetch = reads(
    'fetch',
    async (input) => {
      opened.push(z.object({ url: z.string() }).parse(input).url)
      return { text: far, source: 'others' }
    },
    { sends: { what: 'address', argument: 'url' } },
  )
  const stage = createStage({ features: [artifacts, { name: 'tools', tools: [fetch] }] })
  const get = (url: string, id = 'get') => call('fetch', id, JSON.stringify({ url }))
  stage.answers({ toolCalls: [get('https://start.example/')] }, 'Read.')
  await stage.ask('Read https://start.example/')
  const [kept] = await stage.kernel.listArtifacts(conversation)
  const last = call('artifact_read', 'on', JSON.stringify({ name: kept?.name, page: 6 }))
  stage.answers(
    { toolCalls: [get('https://start.example/far', 'soon')] },
    { toolCalls: [last] },
    { toolCalls: [get('https://start.example/far', 'late')] },
    'Done.',
  )
  await stage.ask('Go on')
  expect(opened).toEqual(['https://start.example/', 'https://start.example/far'])
})
