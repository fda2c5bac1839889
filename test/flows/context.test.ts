// `flotilla context`: what the model would see, from what is recorded. Each time a process of its own looks at a fleet that goes on working.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFleet, until, type Fleet } from '#test/rig/fleet.ts'
import { runContext } from '#test/rig/run-context.ts'

let fleet: Fleet
beforeAll(async () => {
  fleet = await startFleet({ env: { FLOTILLA_ALLOW: '*' } })
})
afterAll(() => fleet[Symbol.asyncDispose]())

const run = (args: readonly string[], env: Record<string, string> = {}) => runContext(fleet, args, env)

type Message = { readonly role: string; readonly content: string }
type Found = {
  readonly moment: string
  readonly tokens: number
  readonly budgetTokens: number
  readonly parts: readonly { readonly name: string; readonly tokens: number; readonly sources: readonly string[] }[]
  readonly messages: readonly Message[]
  readonly tools: readonly string[]
  readonly turns: readonly string[]
}
async function see(...args: readonly string[]): Promise<Found> {
  const { out, err, code } = await run([...args, '--json'])
  expect({ err, code }).toEqual({ err: '', code: 0 })
  const found: Found = JSON.parse(out)
  return found
}
const bare = (messages: readonly Message[]): Message[] => messages.map(({ role, content }) => ({ role, content }))
const asked = () => {
  const last = fleet.model.ledger.entries.at(-1)
  return bare(
    (last?.messages ?? []).map(({ role, content }) => ({ role, content: typeof content === 'string' ? content : '' })),
  )
}

/** All that is stored, but for what the fleet itself writes all the time. */
async function everything(): Promise<ReadonlyMap<string, string>> {
  const { redis } = fleet.runtime
  const names = (await redis.keys('*')).filter((name) => name !== 'fl:{kinds}' && !/stalled-check|:places/.test(name))
  const dumps = await Promise.all(names.map(async (name) => (await redis.dumpBuffer(name))?.toString('base64') ?? ''))
  return new Map(names.map((name, at) => [name, dumps[at] ?? '']))
}

test('it shows the next prompt but for what is asked, and neither asks the model nor changes anything', async () => {
  const conversation = 'web:talk'
  await fleet.ask('What is one?', { conversation })
  await fleet.ask('What is two?', { conversation })
  await until(async () => (await fleet.runtime.kernel.findTurn(conversation, 'last'))?.record.asked === 'What is two?')
  const calls = fleet.model.ledger.entries.length
  const before = await everything()
  const found = await see(conversation)
  expect(await everything()).toEqual(before)
  expect(fleet.model.ledger.entries).toHaveLength(calls)

  expect(found.moment).toBe('if somebody asked now')
  expect(found.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user', 'assistant', 'system'])
  expect(found.parts.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(found.tokens)
  expect(found.tokens).toBeLessThan(found.budgetTokens)
  expect(found.parts.find(({ name }) => name === 'history')?.sources).toEqual(['person', 'own'])
  await fleet.ask('What is three?', { conversation })
  const prompt = asked()
  expect(prompt.slice(0, 5)).toEqual(bare(found.messages.slice(0, 5)))
  expect(prompt[5]).toEqual({ role: 'user', content: 'What is three?' })
  expect(fleet.model.ledger.entries.at(-1)?.tools).toEqual(expect.arrayContaining([...found.tools]))
  // The time may be another minute.
  const withoutTime = (message?: Message) => message?.content.replace(/Current time.*/, '')
  expect(withoutTime(prompt[6])).toBe(withoutTime(found.messages[5]))
})

test('while a turn runs it shows exactly what the model was given', async () => {
  fleet.model.script({ when: { text: 'slowly' }, gate: { name: 'slow', afterChunks: 1 } })
  await fleet.ask('What is one?', { conversation: 'web:slow' })
  const id = await fleet.tell('Say it slowly', { conversation: 'web:slow' })
  await until(() => asked().some(({ content }) => content === 'Say it slowly'))
  const found = await see('web:slow')
  expect(found.moment).toMatch(/^next in turn t\w+, which runs$/)
  expect(bare(found.messages)).toEqual(asked())
  fleet.model.open('slow')
  await fleet.replyTo(id, 'web:slow')
})

test('so it does at a later step, with what was tried', async () => {
  const conversation = 'web:steps'
  const calls = [{ name: 'calculate', arguments: '{"expression":"1/"}' }]
  fleet.model.script({ when: { text: 'one by nothing', last: 'user' }, answer: { kind: 'tools', calls } })
  fleet.model.script({ when: { text: 'one by nothing', last: 'tool' }, gate: { name: 'step', afterChunks: 1 } })
  const id = await fleet.tell('What is one by nothing?', { conversation })
  await until(() => asked().at(-1)?.content.includes('## Take care'))
  const found = await see(conversation)
  expect(bare(found.messages)).toEqual(asked())
  expect(found.parts.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(found.tokens)
  fleet.model.open('step')
  await fleet.replyTo(id, conversation)
})

test('an earlier turn is shown as it began, as far as it is kept', async () => {
  const conversation = 'web:earlier'
  const prompts: Message[][] = []
  for (const word of ['red', 'green', 'blue']) {
    await fleet.ask(`Is it ${word}?`, { conversation, messageId: word })
    prompts.push(asked())
  }
  const { turns } = await until(async () => {
    const now = await see(conversation)
    return now.turns.length === 3 && now
  })
  // The newest first.
  const second = await see(conversation, '--at', turns[1] ?? '')
  expect(second.moment).toContain(`as turn ${turns[1]} began`)
  expect(bare(second.messages)).toEqual(prompts[1])
  await fleet.ask('/new', { conversation, slash: 'new' })
  expect(await run([conversation, '--at', turns[1] ?? ''])).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(
      /does not stand in the history any more|belongs to session sess_\S+, and what was said in it is not kept/,
    ),
  })
  const unknown = await run([conversation, '--at', 't0'])
  expect(unknown).toMatchObject({
    code: 1,
    err: expect.stringContaining(`There is no record of a turn "t0". On record are`),
  })
})

test('as text it names each part with its reason, and nothing in it steers the terminal', async () => {
  const conversation = 'web:text'
  fleet.model.script({ when: { text: 'steer' }, answer: { kind: 'text', text: 'I \u001b[2J steer \u202e it.' } })
  await fleet.ask('Can you steer it?', { conversation })
  const { out, code } = await run([conversation])
  expect(code).toBe(0)
  expect(out).toMatch(
    /^web:text, session sess_\d{8}_\d{6}: if somebody asked now\nfor web:owner at depth standard, by sim-main \(main\)\n/,
  )
  expect(out).toMatch(/\nsystem +own +\d+ +who the bot is; the same in every prompt\n/)
  expect(out).toMatch(/\nhistory +person\+own +\d+ +2 +what was said in this session, the newest that fits\n/)
  expect(out).toMatch(/── 3\. assistant\nI �\[2J steer � it\./)
  expect(out).not.toMatch(/[\u001b\u202e]/)
})

test('what cannot be shown is said plainly', async () => {
  await fleet.ask('Hello from here', { conversation: 'web:both' })
  await fleet.ask('Hello from there', { conversation: 'console:both' })
  await fleet.ask('Alone?', { conversation: 'web:only' })
  const usage = /^Write flotilla context <conversation>/
  const noRedis = /Start the fleet with "npm start", or set REDIS_URL to a running Redis\.$/
  const wrong = [
    [['web:nobody'], 1, /^There is no conversation "web:nobody" in this fleet\. Those last written in: web:only, /],
    [['both'], 1, /^"both" may be any of console:both, web:both\. Name one of them\.$/],
    [[], 2, usage],
    [['web:only', '--at'], 2, usage],
    [['web:only', 'more'], 2, usage],
    [['--all', 'web:only'], 2, usage],
    [['web:only'], 1, noRedis, { REDIS_URL: 'redis://127.0.0.1:1' }],
  ] as const
  // Two at once, as the machine has.
  for (let at = 0; at < wrong.length; at += 2)
    await Promise.all(
      wrong.slice(at, at + 2).map(async ([args, expected, said, env]) => {
        const { out, err, code } = await run(args, env)
        expect({ out, code }).toEqual({ out: '', code: expected })
        expect(err.trim()).toMatch(said)
        expect(err).not.toContain('    at ')
      }),
    )
  expect((await see('only')).messages[1]?.content).toBe('Alone?')
}, 60_000)
