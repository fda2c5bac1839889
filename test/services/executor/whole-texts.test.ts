// Long results and long messages: the prompt and the history hold a part, the whole is kept beside the conversation, can be read on in, carries
// whose words it is, and goes when its message is forgotten.
import { expect, test } from 'vitest'
import { artifacts } from '#services/artifacts/artifacts.ts'
import type { PromptMessage } from '#shared/model/model-port.ts'
import type { Tool } from '#shared/model/tool.ts'
import { ann, conversation, deletion, toApply, toTurn } from '#test/rig/events.ts'
import { createStage, look, type Stage } from './stage.ts'

const bob = 'web:bob'
const filler = 'Nothing of interest stands in this line, whoever reads it.\n\n'.repeat(300)
const page = `# Gardens of Lisbon\n\n${filler}## Opening hours\n\nThe winter garden opens at nine on weekdays.\n\n${filler}## Prices\n\nA ticket costs seven euro.\n\n${filler}## 历史\n\n温室建于一八七三年，设计者不详。\n\n${filler}`
const call = (name: string, input: object = {}, id = name) => ({ id, name, arguments: JSON.stringify(input) })
const tools: readonly Tool[] = [
  { ...look, name: 'page', run: async () => ({ text: page, source: 'others' }) },
  { ...look, name: 'endless', run: async () => ({ text: '长'.repeat(200_000), source: 'own' }) },
  { ...look, name: 'pay', effect: 'write', run: async () => ({ text: 'paid', source: 'own' }) },
]
const open = (contextTokens?: number): Stage =>
  createStage({ features: [artifacts, { name: 'tools', tools }], historyTokens: 60_000 }, contextTokens)
const results = (stage: Stage): readonly string[] =>
  (stage.requests.at(-1)?.messages ?? []).flatMap((one: PromptMessage) => (one.role === 'tool' ? [one.content] : []))
const nameIn = (text = ''): string => /artifact_read \{"name":"([^"]+)"\}/.exec(text)?.[1] ?? ''
const kept = async (stage: Stage) => await stage.kernel.listArtifacts(conversation)

test.each([
  ['When does the winter garden open?', 'opens at nine on weekdays', 'seven euro'],
  ['How much is a ticket?', 'seven euro', 'opens at nine'],
  ['温室是哪年建的？', '温室建于一八七三年', 'seven euro'],
])('of a long result stands what the question asks, with all headings: %s', async (asked, wanted, other) => {
  const stage = open()
  stage.answers({ toolCalls: [call('page')] }, 'Done.')
  await stage.ask(asked)
  const [read = ''] = results(stage)
  expect(read.length).toBeLessThan(4700)
  expect(read).toContain(wanted)
  expect(read).not.toContain(other)
  for (const heading of ['# Gardens of Lisbon', '## Opening hours', '## Prices', '## 历史'])
    expect(read).toContain(heading)
  expect(read).toMatch(/\[… \d+ characters left out …\]/)
  const found = await stage.kernel.findArtifact(conversation, nameIn(read))
  expect(found).toMatchObject({ text: page, kind: 'result', source: 'others', taint: ['page'], about: ['m1'], by: ann })
})

test('the prompts of its turn and of the next hold the same bytes of it', async () => {
  const stage = open()
  stage.answers(
    { toolCalls: [call('page')] },
    { toolCalls: [call('artifact_read', { name: 'none' })] },
    'Done.',
    'Fine.',
  )
  await stage.ask('What does a ticket cost?')
  await stage.ask('Thank you')
  const [, second, third, last] = stage.requests.map(({ messages }) => messages.slice(0, -1))
  expect(third?.slice(0, second?.length)).toEqual(second)
  expect(last?.slice(0, third?.length)).toEqual(third)
})

test('the model reads on in it, page by page, to its end, and what it reads is as tainted', async () => {
  const stage = open()
  stage.answers({ toolCalls: [call('page')] }, 'Done.')
  await stage.ask('Read the page')
  const name = nameIn(results(stage)[0])
  const pages: string[] = []
  for (let at = 1; at < 100; at++) {
    stage.answers({ toolCalls: [call('artifact_read', { name, page: at })] }, 'Read.')
    await stage.ask(`More ${at}`)
    const text = results(stage).at(-1) ?? ''
    if (text.startsWith('It has')) break
    expect(text.length).toBeLessThan(4000)
    pages.push(text.replace(/^[^\n]*\n/, ''))
  }
  expect(pages.join('')).toBe(page)
  expect(await kept(stage)).toHaveLength(1)
  const { history } = await stage.state()
  expect(
    history.filter((item) => item.role === 'tool' && item.artifact === name && item.taint?.includes('page')),
  ).not.toEqual([])
})

test('what is read on taints a turn in which nothing else of others stands', async () => {
  const stage = open()
  stage.answers({ toolCalls: [call('page')] }, 'Done.')
  await stage.ask('Read the page')
  const name = nameIn(results(stage)[0])
  await stage.wait(9 * 3_600_000)
  stage.answers({ toolCalls: [call('artifact_read', { name })] }, { toolCalls: [call('pay')] }, 'Done.')
  await stage.ask('Go on reading')
  expect(results(stage).at(-1)).toBe(
    '"pay" was not run: this turn has read what others wrote (page), and it changes something.',
  )
})

test('beyond 256 KB it is cut, and said', async () => {
  const stage = open()
  stage.answers({ toolCalls: [call('endless')] }, 'Done.')
  await stage.ask('Look')
  const [read = ''] = results(stage)
  expect(read).toContain(', of what was longer still')
  const [head] = await kept(stage)
  expect(head?.bytes).toBeLessThanOrEqual(262_144)
  expect(head?.bytes).toBeGreaterThan(262_140)
})

test('it goes when its message is forgotten, and so does what was read on in it, in whatever turn', async () => {
  const stage = open()
  stage.answers({ toolCalls: [call('page')] }, 'It costs seven euro.')
  await stage.ask('Read the page')
  const name = nameIn(results(stage)[0])
  stage.answers({ toolCalls: [call('artifact_read', { name })] }, 'It begins with Lisbon.')
  await stage.ask('How does it begin?')
  expect(await kept(stage)).toHaveLength(1)
  await stage.put(deletion('m1'), toApply('delete'))
  await stage.work()
  expect(await kept(stage)).toEqual([])
  expect(JSON.stringify((await stage.state()).history)).not.toMatch(/Lisbon|euro|winter/)
})

test('a long message is read in part, its person is told, and the model can read the whole', async () => {
  const stage = open(8000)
  const text = `Begin. ${'word '.repeat(3000)}The key is under the third stone. ${'word '.repeat(3000)}End.`
  stage.answers('Fine.')
  expect(await stage.ask(text)).toContain('too long; I read its beginning and its end')
  const [read] = stage.requests[0]?.messages.filter(({ role }) => role === 'user') ?? []
  expect(read?.content).toMatch(/^Begin\.[^]*left out[^]*End\.\n⟦only a part/)
  const name = nameIn(read?.content)
  expect(await stage.kernel.findArtifact(conversation, name)).toMatchObject({
    text,
    kind: 'message',
    source: 'person',
    about: ['m1'],
    by: ann,
  })
  // It stands in the history as it was read, and is said once.
  expect(await stage.ask('Thank you')).not.toContain('too long')
  expect(stage.requests[1]?.messages[1]).toEqual(read)
  stage.answers({ toolCalls: [call('artifact_read', { name, page: 5 })] }, 'Under the third stone.')
  await stage.ask('Where is the key?')
  expect(results(stage)).toEqual([expect.stringContaining('under the third stone')])
  await stage.put(deletion('m1'), toApply('delete'))
  await stage.work()
  expect(await kept(stage)).toEqual([])
})

test('one that joins is kept too, and one that is short is not', async () => {
  const stage = open()
  stage.answers(async () => {
    await stage.say('word '.repeat(4000))
    return {
      kind: 'reply',
      text: '',
      toolCalls: [call('artifact_read', { name: 'none' })],
      finish: 'tool-calls',
      usage: { promptTokens: 1, completionTokens: 1 },
      model: 'm',
    }
  }, 'Fine.')
  await stage.ask('Hello')
  expect((await kept(stage)).map(({ kind, about }) => [kind, about])).toEqual([['message', ['m1', 'm2']]])
})

test('what one member of a group wrote is another’s words for everybody else', async () => {
  const stage = open()
  const inGroup = { group: true, name: 'Ann' } as const
  await stage.ask('word '.repeat(4000), inGroup)
  const [head] = await kept(stage)
  const read = async (who: string) => {
    await stage.wait(9 * 3_600_000)
    stage.answers({ toolCalls: [call('artifact_read', { name: head?.name })] }, { toolCalls: [call('pay')] }, 'Done.')
    await stage.ask('Read it', { ...inGroup, principal: who, as: toTurn() })
    return results(stage).at(-1)
  }
  expect(await read(ann)).toBe('paid')
  expect(await read(bob)).toContain('this turn has read what others wrote (another member)')
})

test('a worker lost at any step leaves the same artifact and the same end', async () => {
  const talk = async (n = 0, side: 'before' | 'after' = 'after') => {
    const stage = open()
    stage.answers(
      ...Array.from({ length: 5 }, () => ({ request }: { request: { messages: readonly PromptMessage[] } }) => {
        const isRead = request.messages.some(({ role }) => role === 'tool')
        const usage = { promptTokens: 1, completionTokens: 1 }
        const reply = { kind: 'reply', finish: 'stop', usage, model: 'm' } as const
        return isRead ? { ...reply, text: 'Done.', toolCalls: [] } : { ...reply, text: '', toolCalls: [call('page')] }
      }),
    )
    if (n > 0) stage.loseAt(n, side)
    await stage.say(`Read ${'word '.repeat(3000)}`)
    await stage.work()
    await stage.work()
    const names = (await kept(stage)).map(({ name, bytes }) => [name, bytes])
    return {
      end: { sent: (await stage.sent()).map(({ text }) => text), names, read: results(stage) },
      steps: stage.steps.length,
    }
  }
  const whole = await talk()
  expect(whole.end.names).toHaveLength(2)
  for (let n = 1; n <= whole.steps; n++)
    for (const side of ['before', 'after'] as const)
      expect((await talk(n, side)).end, `lost ${side} ${n}`).toEqual(whole.end)
})
