// How a claimed conversation is served: what goes first, what is answered meanwhile, and what is shown while a turn runs.
import { afterEach, expect, test, vi } from 'vitest'
import type { Draft } from '#shared/run/draft.ts'
import type { Command, Feature } from '#shared/feature/feature.ts'
import { ann, deletion, edit, toApply, toCommand, toTurn } from '#test/rig/events.ts'
import { builtIn, createStage, failed, look, type Call, type Stage, answer } from '#test/services/executor/stage.ts'

const bob = 'web:bob'
const help = { zh: '', en: '' }
const reading: Command = { name: 'peek', help, readsOnly: true, run: async () => [{ kind: 'send', text: 'Peeked.' }] }
const withCommand = (more: Partial<Command>): Feature => ({ name: 'own', commands: [{ ...reading, ...more }] })
const peek = { as: toCommand('peek') }
const texts = async (stage: Stage): Promise<readonly string[]> => (await stage.sent()).map(({ text }) => text)
const depthsOf = ({ requests }: Stage): readonly string[] => requests.map(({ metadata }) => metadata.depth)

afterEach(() => void vi.useRealTimers())

test('a depth that was set beats what was inferred, not what this very message asks for', async () => {
  const stage = createStage()
  await stage.ask('Why?', { as: toTurn({ depth: 'light' }) })
  await stage.ask('/depth deep', { as: toCommand('depth', 'deep') })
  await stage.ask('Why?', { as: toTurn({ depth: 'light' }) })
  await stage.ask('Briefly: why?', { as: toTurn({ type: 'command', depth: 'light' }) })
  expect(depthsOf(stage)).toEqual(['light', 'deep', 'light'])
})

test('an edit and a deletion of what was not read are done with in one step that says nothing', async () => {
  const stage = createStage()
  await stage.say('Why?')
  await stage.put(deletion(), toApply())
  await stage.work()
  expect(stage.requests).toEqual([])
  expect(stage.steps).toMatchObject([
    { consume: [1, 2], rows: [], entries: [{ t: 'applied', what: 'absorbed', seqs: [1, 2] }] },
  ])
})

test('a command begins a turn of its own, with what it says and what it changes', async () => {
  const stage = createStage({
    features: [
      withCommand({
        readsOnly: false,
        run: async () => [
          { kind: 'send', text: 'Going.' },
          { kind: 'turn', text: 'Go on.', last: 'continue', asker: bob, depth: 'deep' },
        ],
      }),
    ],
  })
  await stage.ask('/peek', peek)
  expect(await texts(stage)).toEqual(['Going.', 'ok'])
  expect(depthsOf(stage)).toEqual(['deep'])
  const [start] = stage.steps.flatMap(({ entries }) => entries)
  expect(start).toMatchObject({
    t: 'turn:start',
    principal: ann,
    events: [1],
    given: 'Go on.',
    last: 'continue',
    asker: bob,
    class: { type: 'task', depth: 'deep', complex: false, rule: 'continue' },
  })
})

test('a turn that names nothing but its text is a plain one', async () => {
  const stage = createStage({
    features: [withCommand({ readsOnly: false, run: async () => [{ kind: 'turn', text: 'Go on.' }] })],
  })
  await stage.ask('/peek', peek)
  const [start] = stage.steps.flatMap(({ entries }) => entries)
  expect(start).toMatchObject({ t: 'turn:start', class: { depth: 'standard', rule: 'again' } })
  expect(start).not.toHaveProperty('last')
  expect(start).not.toHaveProperty('asker')
})

test('a turn is journaled with its clock, its person and its messages', async () => {
  const stage = createStage({ clock: (atMs) => `at ${atMs}`, now: () => 5000 })
  await stage.say('Why?')
  await stage.say('And how?')
  await stage.work()
  expect(stage.steps[0]?.entries[0]).toMatchObject({
    t: 'turn:start',
    at: 5000,
    clock: 'at 5000',
    principal: ann,
    firstSeq: 1,
    events: [1, 2],
  })
  expect(stage.requests[0]?.messages.at(-1)?.content).toContain('at 5000')
})

/** Says something while the first turn runs, which then goes on to a second step. */
function during(feature: Feature, meanwhile: (stage: Stage) => Promise<unknown>): Stage {
  const stage = createStage({ features: [feature, { name: 'tools', tools: [look] }] })
  stage.answers(async (call: Call) => {
    await meanwhile(stage)
    return await answer(call, { text: 'Looking.', toolCalls: [{ id: 'a', name: 'look', arguments: '{}' }] })
  }, 'Done.')
  return stage
}

test('a command that only reads is answered at once and once, by a step that leaves nothing in the turn', async () => {
  const stage = during(withCommand({}), async ({ say, sent }) => {
    await say('/peek', { ...peek, principal: bob })
    await expect.poll(async () => (await sent()).length).toBe(1)
    await say('/peek', { ...peek, principal: bob })
    await expect.poll(async () => (await sent()).length).toBe(2)
  })
  await stage.ask('Look')
  expect(await texts(stage)).toEqual(['Peeked.', 'Peeked.', 'Done.'])
  const steps = stage.steps.filter(({ rows }) => rows?.some(({ body }) => 'text' in body && body.text === 'Peeked.'))
  expect(steps).toMatchObject([
    { entries: [], consume: [2], known: [{ seq: 2, id: 'm2' }] },
    { entries: [], consume: [3] },
  ])
})

test('news that comes while a command is answered does not have it answered twice', async () => {
  const ready = Promise.withResolvers<void>()
  let ran = 0
  const run: Command['run'] = async () => {
    ran += 1
    await ready.promise
    return [{ kind: 'send', text: 'Peeked.' }]
  }
  const stage = during(withCommand({ run }), async ({ say, sent }) => {
    await say('/peek', { ...peek, principal: bob })
    await expect.poll(() => ran).toBe(1)
    await say('Why?', { principal: bob })
    await say('And how?', { principal: bob })
    ready.resolve()
    await expect.poll(async () => (await sent()).length).toBe(1)
  })
  await stage.ask('Look')
  expect(await texts(stage)).toEqual(['Peeked.', 'Done.', 'ok'])
  expect(ran).toBe(1)
})

test('a command that changes something waits for its turn', async () => {
  const stage = during(withCommand({ readsOnly: false }), ({ say }) => say('/peek', { ...peek, principal: bob }))
  await stage.ask('Look')
  expect(await texts(stage)).toEqual(['Done.', 'Peeked.'])
})

test.each([
  ['ada', ['Peeked.', 'Done.']],
  ['', ['Done.', 'Peeked.']],
])('one that reads by what stands behind it, such as %j, does so as that says', async (args, said) => {
  const reads = withCommand({ readsOnly: (given) => given !== '' })
  const as = toCommand('peek', args)
  const stage = during(reads, ({ say }) => say(`/peek ${args}`, { ...peek, as, principal: bob }))
  await stage.ask('Look')
  expect(await texts(stage)).toEqual(said)
})

const notDone = 'I could not do that; my operator was told why.'

test('one that says that it only reads begins no turn', async () => {
  const feature = withCommand({ run: async () => [{ kind: 'turn', text: 'Go on.' }] })
  const stage = during(feature, ({ say }) => say('/peek', { ...peek, principal: bob }))
  await stage.ask('Look')
  expect(await texts(stage)).toEqual([notDone, 'Done.'])
})

test('one that fails meanwhile is told so at once', async () => {
  let tries = 0
  const run: Command['run'] = async () => {
    tries += 1
    return await Promise.reject(new Error('not now'))
  }
  const stage = during(withCommand({ run }), async ({ say }) => {
    await say('/peek', { ...peek, principal: bob })
    await expect.poll(() => tries).toBe(1)
  })
  await stage.ask('Look')
  expect(await texts(stage)).toEqual([notDone, 'Done.'])
})

test('while no turn runs a command that only reads is answered in its place', async () => {
  const stage = createStage({ features: [withCommand({})] })
  await stage.say('Why?')
  await stage.say('/peek', peek)
  await stage.work()
  expect(await texts(stage)).toEqual(['ok', 'Peeked.'])
})

/** What is shown of a turn that takes a second, in which its text is written. */
async function draftsOf(stage: Stage, more: Parameters<Stage['say']>[1], first = 'Rivers'): Promise<readonly Draft[]> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
  const drafts: Draft[] = []
  const { saveDraft } = stage.kernel
  Object.assign(stage.kernel, {
    saveDraft: async (...all: Parameters<typeof saveDraft>) => (drafts.push(all[1]), await saveDraft(...all)),
  })
  stage.answers(async (call: Call) => {
    call.write(first)
    vi.advanceTimersByTime(1000)
    return await answer(call, ' begin.')
  })
  await stage.ask('说说河流', more)
  return drafts
}

test('what is written is shown with its turn, its language and its person, who may stop it', async () => {
  const stage = createStage()
  const drafts = await draftsOf(stage, {})
  const turn = (await stage.sent())[0]?.replaces?.replace(/-first$/, '')
  expect(drafts[0]).toEqual({
    turn,
    text: 'Rivers',
    step: 0,
    language: 'zh',
    principal: ann,
    asks: 'm1',
    follows: 'm1',
  })
})

test('what is shown of a turn that has read what others wrote holds no query that the model made up', async () => {
  const link = 'https://evil.test/x?k='
  const quoted = [{ how: 'forward', text: 'Obey!' }] as const
  const drafts = await draftsOf(createStage(), { quoted: [...quoted] }, `See ${link}secret`)
  expect(drafts[0]?.text).toBe('See https://evil.test/x')
  const own = await draftsOf(createStage(), {}, `See ${link}mine`)
  expect(own[0]?.text).toBe(`See ${link}mine`)
})

test('in a group what is shown names the message that it answers', async () => {
  expect((await draftsOf(createStage(), { group: true }))[0]).toMatchObject({ replyTo: 'm1' })
})

test('a rewritten answer becomes no message while it grows', async () => {
  const rewriting = withCommand({
    readsOnly: false,
    run: async () => [{ kind: 'turn', text: 'Shorter.', last: 'rewrite' }],
  })
  const drafts = await draftsOf(createStage({ features: [rewriting] }), peek)
  expect(drafts).not.toEqual([])
  for (const draft of drafts) expect(draft).not.toHaveProperty('principal')
})

test('a turn that has ended shows nothing more', async () => {
  const stage = createStage()
  const drafts = await draftsOf(stage, {})
  const shown = drafts.length
  vi.advanceTimersByTime(100_000)
  expect(drafts).toHaveLength(shown)
})

test('a worker that is to leave begins nothing more', async () => {
  const leaving = new AbortController()
  const run: Command['run'] = async () => (leaving.abort(), [{ kind: 'send', text: 'Peeked.' }])
  const stage = createStage({ features: [withCommand({ run })] })
  await stage.say('/peek', peek)
  await stage.say('Why?', { principal: bob })
  await stage.work(leaving.signal)
  expect(await texts(stage)).toEqual(['Peeked.'])
  expect(stage.requests).toEqual([])
  await stage.work()
  expect(await texts(stage)).toEqual(['Peeked.', 'ok'])
})

test('a worker that is to leave within a turn leaves it to the next one, which goes on where it was', async () => {
  const leaving = new AbortController()
  const stage = createStage({ features: [{ name: 'tools', tools: [look] }] })
  stage.answers({ text: 'Looking.', toolCalls: [{ id: 'a', name: 'look', arguments: '{}' }] }, () => {
    leaving.abort()
    return failed('aborted')
  })
  await stage.say('Look')
  await stage.work(leaving.signal)
  expect(await texts(stage)).toEqual([])
  await stage.work()
  expect(await texts(stage)).toEqual(['ok'])
  expect(stage.requests).toHaveLength(3)
})

test('a stop of one person does not end the turn of another', async () => {
  const stage = createStage()
  stage.answers(async (call: Call) => {
    await stage.stop(bob)
    return await answer(call, 'Done.')
  })
  await stage.ask('Why?')
  expect((await texts(stage)).slice(0, 2).toSorted()).toEqual(['Done.', expect.stringContaining('somebody else’s')])
})

test('who speaks for the first time in a new session is served as before', async () => {
  const stage = createStage({ features: builtIn })
  await stage.ask('Why?')
  await stage.ask('/new', { as: toCommand('new') })
  await stage.put(edit('How?'), toApply())
  await stage.work()
  expect((await texts(stage)).at(-1)).toBe('You edited a message that I had already answered.')
})
