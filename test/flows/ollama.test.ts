// What Ollama and models that it serves do otherwise than OpenAI, as its documentation and its issues tell: what a person sees of it.
import { expect, test } from 'vitest'
import { startFleet, type Fleet } from '#test/rig/fleet.ts'

const sum = (id: string, expression: string) => ({ id, name: 'calculate', arguments: JSON.stringify({ expression }) })
const results = ({ model }: Fleet): readonly string[] =>
  (model.ledger.entries.at(-1)?.messages ?? []).flatMap(({ role, content }) =>
    role === 'tool' && typeof content === 'string' ? [content] : [],
  )

test.each(['ollama', 'ollama-object'] as const)(
  'calls without ids, all numbered 0 and ended by `stop`, are made one by one (%s)',
  async (shape) => {
    await using fleet = await startFleet()
    const calls = [sum('', '37*91'), sum('', '2+3')]
    fleet.model.script({ when: { last: 'user' }, answer: { kind: 'tools', shape, calls }, usage: 'none' })
    fleet.model.script({ when: { last: 'tool' }, answer: { kind: 'text', text: '3367 and 5' } })
    expect((await fleet.ask('How much are 37*91 and 2+3?')).text).toBe('3367 and 5')
    expect(results(fleet)).toEqual(['3367', '5'])
  },
)

test.each([
  ['as JSON', '{"name": "calculate", "arguments": {"expression": "37*91"}}'],
  ['in a block of code', '```json\n{"name":"calculate","arguments":{"expression":"37*91"}}\n```'],
  ['in tags', '<tool_call>\n{"name":"calculate","arguments":{"expression":"37*91"}}\n</tool_call>'],
  ['with its arguments called parameters', '{"name":"calculate","parameters":{"expression":"37*91"}}'],
])('a call that was written as the text, %s, is made and not shown', async (_, text) => {
  await using fleet = await startFleet()
  fleet.model.script({ when: { last: 'user' }, answer: { kind: 'text', text } })
  fleet.model.script({ when: { last: 'tool' }, answer: { kind: 'text', text: 'It is 3367.' } })
  expect((await fleet.ask('How much is 37*91?')).text).toBe('It is 3367.')
  expect(results(fleet)).toEqual(['3367'])
  expect(await fleet.said()).toHaveLength(1)
})

test.each([
  ['of a tool that there is not', '{"name":"paint","arguments":{}}'],
  ['with words around it', 'I would call {"name":"calculate","arguments":{"expression":"1"}}'],
])('JSON %s is an answer like any other', async (_, text) => {
  await using fleet = await startFleet()
  fleet.model.script({ answer: { kind: 'text', text } })
  expect((await fleet.ask('What does a call look like?')).text).toContain(text)
  expect(fleet.model.ledger.entries).toHaveLength(1)
})

test('a call in JSON that breaks off is neither made nor shown, and its person is told', async () => {
  await using fleet = await startFleet()
  fleet.model.script({ answer: { kind: 'text', text: '{"name":"calculate","arguments":{"expression":' } })
  expect((await fleet.ask('What does a call look like?')).text).toContain('without an answer')
})

test.each([
  ['<think>\nThe person greets.\n</think>\n\nIt is three.', 'It is three.'],
  ['<think>\n\n</think>\n\nIt is three.', 'It is three.'],
  ['<b>bold</b> is a tag.', '<b>bold</b> is a tag.'],
  ['The tag <think> opens a thought.', 'The tag <think> opens a thought.'],
])('of %j a person reads %j, and the model later', async (text, said) => {
  await using fleet = await startFleet()
  fleet.model.script({ times: 1, answer: { kind: 'text', text }, chunkDelayMs: 1 })
  expect((await fleet.ask('How many are there?')).text).toBe(said)
  await fleet.ask('And now?')
  expect(JSON.stringify(fleet.model.ledger.entries.at(-1)?.messages)).not.toContain('The person greets')
})

test('a thought that stands in a field of its own is not said; one without an answer is told to be none', async () => {
  await using fleet = await startFleet()
  fleet.model.script({ times: 1, answer: { kind: 'reasoning', field: 'reasoning', text: 'Hm.', answer: 'Three.' } })
  fleet.model.script({ times: 1, answer: { kind: 'reasoning', field: 'reasoning', text: 'Hm.' } })
  fleet.model.script({ times: 1, answer: { kind: 'text', text: '<think>Hm, hm, hm', finish: 'length' } })
  expect((await fleet.ask('How many?')).text).toBe('Three.')
  for (const question of ['How many now?', 'And now?']) {
    const { text } = await fleet.ask(question)
    expect(text).not.toContain('Hm')
    expect(text).not.toBe('')
  }
})

test('a model that takes no tools answers without them, and is asked so from then on', async () => {
  await using fleet = await startFleet()
  const message = 'registry.ollama.ai/library/smollm2:135m does not support tools'
  fleet.model.script({ when: (_, { tools }) => tools !== undefined, answer: { kind: 'error', status: 400, message } })
  expect((await fleet.ask('What is up?')).text).toContain('echo: What is up?')
  expect((await fleet.ask('And now?')).text).toContain('echo: And now?')
  expect(fleet.model.ledger.entries.map(({ status }) => status)).toEqual([400, 200, 200])
})

test.each([true, false])(
  'a model that was not pulled is told of as that, to the operator too (bare: %s)',
  async (bare) => {
    const lines: string[] = []
    await using fleet = await startFleet({ env: { FLOTILLA_LOG_LEVEL: 'warn' }, onLog: (line) => lines.push(line) })
    const message = 'model "qwen9" not found, try pulling it first'
    fleet.model.script({ answer: { kind: 'error', status: 404, message, bare } })
    expect((await fleet.ask('What is up?')).text).toContain('does not have the model that I am to use')
    expect((await fleet.ask('现在呢？')).text).toContain('没有我该用的模型')
    expect(lines.join('')).toContain('pull the model')
    expect(fleet.model.ledger.entries).toHaveLength(2)
  },
)

test('while a model is loaded it is asked again, and one that breaks down in its answer too', async () => {
  await using fleet = await startFleet()
  fleet.model.script({ times: 1, answer: { kind: 'error', status: 503, message: 'Loading model' } })
  fleet.model.script({ times: 1, fault: { kind: 'told', afterChunks: 1 } })
  expect((await fleet.ask('What is up?')).text).toContain('echo: What is up?')
  expect(fleet.model.ledger.entries).toHaveLength(3)
})

test('a prompt that was cut in silence is answered, and the operator hears whose window is too small', async () => {
  const lines: string[] = []
  await using fleet = await startFleet({ env: { FLOTILLA_LOG_LEVEL: 'warn' }, onLog: (line) => lines.push(line) })
  fleet.model.script({ answer: { kind: 'text', text: 'Yes.' }, usage: 2048 })
  expect((await fleet.ask(`Is this true? ${'many words of it '.repeat(2000)}`)).text).toContain('Yes.')
  expect(lines.join('')).toContain('OLLAMA_CONTEXT_LENGTH')
  const heard = lines.length
  fleet.model.clearScript()
  await fleet.ask('And this?')
  expect(lines).toHaveLength(heard)
})
