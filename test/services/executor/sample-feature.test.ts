// A feature as a stranger would write it: it plugs in by one line, uses every part of the seam, and comes through a crash at each step.
import { expect, test } from 'vitest'
import { createConfig } from '#services/config/config.ts'
import type { ModelResult } from '#shared/model/model-port.ts'
import { sliceOf } from '#services/executor/state/slices.ts'
import { sampleFeature } from '#test/rig/sample-feature.ts'
import { ann, deletion, edit, toApply, toCommand } from '#test/rig/events.ts'
import { builtIn, createStage, type Answer, type Stage, answer } from './stage.ts'

// First, since of an edit the first feature that has something to say of it says it.
const plain = [sampleFeature, ...builtIn.filter(({ name }) => name !== 'config')]
const features = [...plain, createConfig(plain)]

/** Says what the last words call for, so that a repeated request has the same answer. */
function answerTo(said: string): Partial<Extract<ModelResult, { kind: 'reply' }>> {
  const call = (name: string, input = '{}') => ({ toolCalls: [{ id: name, name, arguments: input }] })
  if (said.startsWith('Note ')) return call('take_note', JSON.stringify({ text: said.slice(5) }))
  if (said.startsWith('May you')) return call('ask_to_keep')
  return { text: said === 'noted' ? 'Noted.' : 'Good.' }
}

function openStage(): Stage {
  const stage = createStage({ features })
  const respond: Answer = (call) => {
    stage.answers(respond)
    const said = call.request.messages.findLast(({ role }) => role !== 'system')?.content ?? ''
    return answer(call, answerTo(said))
  }
  stage.answers(respond)
  return stage
}
/** As they are stored, but for whose words they are. */
const notes = async (stage: Stage): Promise<unknown> =>
  JSON.parse(JSON.stringify(sliceOf(await stage.state(), sampleFeature)), (key, value) =>
    key === 'by' ? undefined : value,
  )

/** Takes two notes, asks whether to keep it, is told so, and counts. */
async function talk(stage: Stage, work: () => Promise<void> = stage.work): Promise<void> {
  await stage.say('Note milk')
  await work()
  await stage.say('/note tea', { as: toCommand('note', 'tea') })
  await work()
  await stage.say('May you keep it?')
  await work()
  await stage.press('Keep')
  await work()
  await stage.press('Count')
  await work()
}
const texts = async (stage: Stage): Promise<readonly string[]> => (await stage.sent()).map(({ text }) => text)

test('what its tools, questions, buttons and ends want is done', async () => {
  const stage = openStage()
  await talk(stage)
  expect(await texts(stage)).toEqual([
    'Note 1: milk',
    'Noted.',
    'Note 2: tea',
    'Keep these?',
    'I go on when this question is answered.',
    'Good.',
    'Kept: milk, tea',
    'Turns so far: 3',
  ])
  expect(await notes(stage)).toEqual({
    notes: [
      { value: 'milk', about: ['m1'] },
      { value: 'tea', about: ['m2'] },
    ],
    kept: true,
    turns: 3,
    isOff: false,
  })
  const [first, , second, last] = stage.requests.map(({ messages }) => messages.at(-1)?.content)
  expect(first).not.toContain('Notes:')
  expect(second).toContain('⟦notes.list: taken before⟧\n> Notes: milk, tea')
  expect(last).toContain('Notes: milk')
  expect((await stage.state()).context).toBeUndefined()
})

test('its setting is in the menu and a command of its own, and changes what it does', async () => {
  const stage = openStage()
  expect(await stage.ask('/config', { as: toCommand('config') })).toContain('- Notes: on')
  expect(await stage.ask('/noting off', { as: toCommand('noting', 'off') })).toBe('Notes: off.')
  expect(await notes(stage)).toMatchObject({ isOff: true })
  expect(await stage.ask('/config', { as: toCommand('config') })).toContain('- Notes: off')
  await stage.ask('Hello')
  expect((await stage.sent()).at(-1)?.buttons).toBeUndefined()
})

test('its command tells how it is used, and an edit of what it noted is answered', async () => {
  const stage = openStage()
  expect(await stage.ask('/note', { as: toCommand('note') })).toBe('Write /note and what I should note.')
  expect(await stage.ask('/help', { as: toCommand('help') })).toContain('/note — take a note')
  await stage.ask('Note milk')
  await stage.put({ ...edit('Note bread'), messageId: 'm3' }, toApply('edit'))
  await stage.work()
  expect(await texts(stage)).toContain('The note stays as it was.')
})

test('a new session leaves what the feature says', async () => {
  const stage = openStage()
  await stage.ask('Note milk')
  await stage.ask('/new', { as: toCommand('new') })
  expect(await notes(stage)).toEqual({ notes: [], kept: false, turns: 1, isOff: false })
})

test('what it keeps of a message goes when that is forgotten, and nothing else', async () => {
  const stage = openStage()
  await stage.ask('Note milk')
  await stage.ask('Note bread')
  expect(await notes(stage)).toMatchObject({ notes: [{ value: 'milk' }, { value: 'bread' }] })
  const replyTo = { messageId: 'm1', fromBot: false, principal: ann }
  await stage.ask('/forget', { as: toCommand('forget'), replyTo })
  expect(await notes(stage)).toMatchObject({ notes: [{ value: 'bread' }] })
  await stage.put(deletion('m2'), toApply('delete'))
  await stage.work()
  expect(await notes(stage)).toMatchObject({ notes: [] })
})

/** How many appends the talk makes without a crash. */
async function countAppends(): Promise<number> {
  let count = 0
  const stage = openStage()
  const { append } = stage.kernel
  Object.assign(stage.kernel, { append: (...all: Parameters<typeof append>) => ((count += 1), append(...all)) })
  await talk(stage)
  return count
}

test('a worker lost at any step, before or after it was stored, leaves the same end', async () => {
  const whole = openStage()
  await talk(whole)
  const wanted = { texts: await texts(whole), notes: await notes(whole) }
  const appends = await countAppends()
  expect(appends).toBeGreaterThan(12)
  for (let n = 1; n <= appends; n++)
    for (const side of ['before', 'after'] as const) {
      const stage = openStage()
      stage.loseAt(n, side)
      await talk(stage, async () => {
        await stage.work()
        await stage.work()
      })
      const found = { texts: await texts(stage), notes: await notes(stage) }
      expect(found, `lost ${side} append ${n} of ${appends}`).toEqual(wanted)
    }
})
