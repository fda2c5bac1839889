// The step that ends a turn, or does with anything else: its rows, their buttons, and what becomes of the buttons before them.
import { expect, test } from 'vitest'
import type { Feature } from '#shared/feature/feature.ts'
import type { OutBody, OutRow } from '#shared/run/out-row.ts'
import type { Question } from '#shared/run/question.ts'
import { builtIn, createStage, failed, look, type Stage } from '#test/services/executor/stage.ts'
import { ann, conversation, deletion, standard, toApply, toCommand } from '#test/rig/events.ts'

const bob = 'web:bob'
/** Buttons under every answer, and a count of what it was told. */
const told: Parameters<NonNullable<Feature['under']>>[0][] = []
const liking: Feature = {
  name: 'liking',
  under: (answered) => (
    told.push(answered),
    { question: 'like', options: [[{ id: 'yes', label: 'Like' }], [{ id: 'no', label: 'Dislike' }]], payload: 'p' }
  ),
  questions: { like: { answer: async () => [{ kind: 'send', text: 'Noted.' }] } },
}
const withButtons = (more: Parameters<typeof createStage>[0] = {}): Stage =>
  createStage({ features: [...builtIn.filter(({ name }) => name !== 'answer-buttons'), liking], ...more })
const rowsOf = ({ steps }: Stage, at = -1): readonly OutRow[] => steps.at(at)?.rows ?? []
const bodiesOf = (stage: Stage, at = -1): readonly OutBody[] => rowsOf(stage, at).map(({ body }) => body)
const questionsOf = ({ steps }: Stage, at = -1): readonly Question[] => steps.at(at)?.questions ?? []
const long = 'word '.repeat(100).trim()

test('an answer is one row, named for its turn, that takes the place of its beginning and expires in time', async () => {
  const stage = createStage()
  await stage.ask('Why?')
  const [row, ...more] = rowsOf(stage)
  expect(more).toEqual([])
  const turn = row?.id.replace(/-end$/, '')
  expect(row).toEqual({
    id: `${turn}-end`,
    expiresInMs: 600_000,
    body: { v: 1, kind: 'send', text: 'ok', answers: ['m1'], about: ['m1'], language: 'en', replaces: `${turn}-first` },
  })
})

test('the step that ends a turn is whole: what it took is gone, what was said is known, the lease is given back', async () => {
  const stage = createStage()
  await stage.ask('Why?')
  expect(stage.steps.at(-1)).toMatchObject({
    consume: [1],
    known: [{ seq: 1, id: 'm1' }],
    reply: 'ok',
    folds: true,
    progress: true,
    release: true,
  })
  expect(stage.steps.at(-1)?.entries.map(({ t }) => t)).toEqual(['llm:fin', 'turn:fin'])
  expect(stage.steps.at(-1)?.entries.at(-1)).toMatchObject({ ending: 'answered', answers: ['m1'] })
})

test('so is the step that does with anything else', async () => {
  const stage = createStage()
  await stage.ask('/new', { as: toCommand('new') })
  const [step, ...more] = stage.steps
  expect(more).toEqual([])
  expect(step).toMatchObject({
    consume: [1],
    known: [{ seq: 1, id: 'm1' }],
    reply: expect.stringMatching(/^A new session/),
    entries: [{ t: 'applied', seqs: [1], what: 'message', turn: step?.key }],
    folds: true,
    progress: true,
    release: true,
  })
  expect(rowsOf(stage).map(({ id, expiresInMs }) => ({ id, expiresInMs }))).toEqual([
    { id: `${step?.key}-0`, expiresInMs: 600_000 },
  ])
})

test('a step that says nothing tells the router of no reply, and keeps the buttons', async () => {
  const stage = withButtons()
  await stage.ask('Why?')
  await stage.put(deletion('m9'), toApply('delete'))
  await stage.work()
  expect(stage.steps.at(-1)).not.toHaveProperty('reply')
  expect(rowsOf(stage)).toEqual([])
  expect((await stage.state()).under).toBeDefined()
})

test('in a group an answer names the message that it answers', async () => {
  const stage = createStage()
  await stage.ask('Why?', { group: true })
  await stage.ask('Why?')
  expect((await stage.sent()).map(({ replyTo }) => replyTo)).toEqual(['m1', undefined])
})

test('a button under an answer is for its asker and administrators, until the session would end', async () => {
  let nowMs = Date.now()
  const stage = withButtons({ now: () => nowMs, sessionIdleMs: 60_000 })
  stage.answers(
    () => (
      (nowMs += 10_000),
      {
        kind: 'reply',
        text: 'ok',
        toolCalls: [],
        finish: 'stop',
        usage: { promptTokens: 1, completionTokens: 1 },
        model: 'm',
      }
    ),
  )
  await stage.ask('Why?')
  const [question] = questionsOf(stage)
  expect(question).toMatchObject({
    kind: 'liking.like',
    owner: ann,
    admins: true,
    payload: 'p',
    options: ['yes', 'no'],
  })
  expect(question?.card).toBe(rowsOf(stage)[0]?.id)
  expect(question?.livesMs).toBeGreaterThan(49_000)
  expect(question?.livesMs).toBeLessThan(51_000)
  expect(bodiesOf(stage)[0]).toMatchObject({
    buttons: [[{ id: `${question?.id}.yes`, label: 'Like' }], [{ id: `${question?.id}.no`, label: 'Dislike' }]],
  })
})

test('a button never lives less than nothing', async () => {
  let nowMs = Date.now()
  const stage = withButtons({ now: () => nowMs, sessionIdleMs: 1000 })
  stage.answers(
    () => (
      (nowMs += 60_000),
      {
        kind: 'reply',
        text: 'ok',
        toolCalls: [],
        finish: 'stop',
        usage: { promptTokens: 1, completionTokens: 1 },
        model: 'm',
      }
    ),
  )
  await stage.ask('Why?')
  expect(questionsOf(stage)[0]?.livesMs).toBe(1)
})

test('the buttons of an answer go with the next one, and nobody may press them any more', async () => {
  const stage = withButtons()
  await stage.ask('Why?')
  const [first] = rowsOf(stage)
  const [question] = questionsOf(stage)
  expect((await stage.state()).under).toEqual({ card: first?.id, chars: 2, questions: [question?.id] })
  await stage.ask('And?')
  expect(stage.steps.at(-1)?.closes).toEqual([question?.id])
  const [next, off, ...more] = rowsOf(stage)
  expect(more).toEqual([])
  expect(off?.id).toBe(`${next?.id}-off-1`)
  expect(off?.body).toEqual({ v: 1, kind: 'unbutton', answers: [], language: 'en', replaces: first?.id })
})

test('the buttons of an answer go with whatever is said next, too', async () => {
  const stage = withButtons()
  await stage.ask('Why?')
  const [first] = rowsOf(stage)
  const [question] = questionsOf(stage)
  await stage.ask('/status', { as: toCommand('status') })
  expect(stage.steps.at(-1)?.closes).toEqual([question?.id])
  expect(bodiesOf(stage).at(-1)).toMatchObject({ kind: 'unbutton', replaces: first?.id })
  expect(rowsOf(stage).at(-1)?.id).toBe(`${stage.steps.at(-1)?.key}-under-0`)
  expect((await stage.state()).under).toBeUndefined()
})

test('an answer without buttons leaves none to be pressed', async () => {
  const stage = withButtons({ features: [] })
  await stage.ask('Why?')
  expect(bodiesOf(stage)[0]).not.toHaveProperty('buttons')
  expect((await stage.state()).under).toBeUndefined()
})

test('only what the model said gets buttons: no notice, and no stopped answer', async () => {
  const stage = withButtons()
  told.length = 0
  stage.answers(() => failed('auth'))
  await stage.ask('Why?')
  stage.answers(() => failed('too-long'))
  await stage.ask('Why?')
  stage.answers(async ({ write }) => {
    write('Because')
    await stage.stop()
    return failed('aborted')
  })
  await stage.ask('Why?')
  expect(told).toEqual([])
})

test('a feature is told of the answer under which its buttons stand', async () => {
  const stage = withButtons()
  told.length = 0
  stage.answers({ text: 'Because', finish: 'length' }, 'All of it.')
  await stage.ask('Why?')
  await stage.ask('And?')
  expect(told).toMatchObject([
    { unfinished: true, language: 'en', depth: 'standard', asker: ann },
    { unfinished: false, text: 'All of it.' },
  ])
  expect(told[0]?.text).toMatch(/^Because\n\n/)
})

test('a rewritten answer takes the place of the one whose button was pressed, and is still its asker’s', async () => {
  const stage = createStage()
  stage.answers(long, 'Shorter.')
  await stage.ask('Why?')
  const [first] = rowsOf(stage)
  expect(await stage.press('Shorter')).toBe('Shorter.')
  expect(bodiesOf(stage)[0]).toMatchObject({ text: 'Shorter.', replaces: first?.id, answers: ['p2'] })
  expect(bodiesOf(stage)).toHaveLength(1)
  expect((await stage.state()).lastText).toBe('Why?')
})

test('an administrator who has an answer rewritten leaves it to its asker', async () => {
  const stage = createStage()
  stage.answers(long, `${long} again`)
  await stage.ask('Why?')
  await stage.press('Shorter')
  const [question] = questionsOf(stage)
  expect(question).toMatchObject({ owner: ann, payload: ann })
})

test('an answer that may have been sent in parts is not changed, its rewriting is sent below it', async () => {
  const stage = createStage()
  const inOne = 'x'.repeat(1900)
  for (const [text, isEdit] of [
    [inOne, true],
    [`${inOne}x`, false],
  ] as const) {
    stage.answers(text, 'Shorter.')
    await stage.ask('Why?')
    const [first] = rowsOf(stage)
    await stage.press('Shorter')
    const [row, off] = rowsOf(stage)
    expect(row?.body).toMatchObject({ replaces: isEdit ? first?.id : row?.id.replace(/-end$/, '-first') })
    expect(off?.body).toEqual(isEdit ? undefined : expect.objectContaining({ kind: 'unbutton', replaces: first?.id }))
  }
})

test('a rewriting that failed leaves the answer as it stands', async () => {
  const stage = createStage()
  stage.answers(long, () => failed('auth'))
  await stage.ask('Why?')
  const [first] = rowsOf(stage)
  await stage.press('Shorter')
  const [row, off, ...more] = rowsOf(stage)
  expect(row?.body).toMatchObject({ replaces: row?.id.replace(/-end$/, '-first') })
  expect(off?.body).toMatchObject({ kind: 'unbutton', replaces: first?.id })
  expect(more).toEqual([])
})

test('what a feature wants at the end of a turn is done in its step, each on what the one before it left', async () => {
  const seen: unknown[] = []
  const ending = (name: string): Feature => ({
    name,
    ended(turn) {
      seen.push(turn)
      return [{ kind: 'send', text: `${name} saw it.` }]
    },
  })
  const stage = createStage({ features: [ending('a'), { name: 'silent', ended: () => [] }, ending('b')] })
  await stage.ask('Why?', { group: true, principal: bob })
  const [row, ...more] = rowsOf(stage)
  const turn = row?.id.replace(/-end$/, '')
  expect(more).toMatchObject([
    { id: `${turn}-a-0`, body: { text: 'a saw it.', answers: [], replyTo: 'm1', language: 'en' } },
    { id: `${turn}-b-0`, body: { text: 'b saw it.' } },
  ])
  const work = { tools: [], last: undefined, keep: expect.any(Function) }
  const asked = { about: ['m1'], asked: 'Why?', text: 'ok', class: standard, ending: 'answered', ...work }
  const counted = {
    tokens: 15,
    begunAt: expect.any(Number),
    awaiting: [],
    writes: [],
    unsure: [],
    callLines: expect.any(Function),
  }
  const untold = { failure: undefined, response: undefined }
  const whole = {
    ...untold,
    conversation,
    name: 'someone',
    principal: bob,
    language: 'en',
    turn,
    slice: undefined,
    ...asked,
    ...counted,
  }
  expect(seen).toEqual([whole, whole])
})

test('what a turn cost is added up over its steps', async () => {
  const stage = createStage({ features: [{ name: 'tools', tools: [look] }] })
  stage.answers({ toolCalls: [{ id: 'a', name: 'look', arguments: '{}' }] }, 'Done.')
  await stage.ask('Look')
  expect(await stage.state()).toMatchObject({ tokens: 30, turns: 1, heard: 'en', answered: ['m1'] })
})

test('what an answer was asked in is remembered as the language of the conversation', async () => {
  const stage = createStage()
  await stage.ask('为什么？')
  expect((await stage.state()).heard).toBe('zh')
  await stage.ask('42')
  expect((await stage.sent()).map(({ language }) => language)).toEqual(['zh', 'zh'])
})

test('a stop that ended a turn is answered with it, and does nothing more', async () => {
  const stage = createStage()
  stage.answers(async ({ write }) => {
    write('Because')
    await stage.stop()
    return failed('aborted')
  })
  await stage.ask('Why?')
  expect((await stage.sent()).map(({ text, answers }) => [text, answers])).toEqual([
    ['Because\n\n(Stopped.)', ['m1', 'm2']],
  ])
  expect(stage.steps.at(-1)).toMatchObject({ consume: [1, 2] })
  expect((await stage.kernel.pending(conversation, 0)).events).toEqual([])
})

test('what is forgotten without a word takes the end of the last reply along, where that may repeat it', async () => {
  const stage = createStage({ features: builtIn })
  stage.answers('The word is quokka.')
  await stage.ask('which word?')
  await stage.put(deletion('m1'), toApply('delete'))
  await stage.work()
  expect(stage.steps.at(-1)).toMatchObject({ reply: '' })
})
