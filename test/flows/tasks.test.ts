// A task, whole: an order becomes a plan, its steps are done one by one, people look at checkpoints, and the result is given out.
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Tool } from '#shared/model/tool.ts'
import { planModel } from './planned-model.ts'
import { textPlaces, untilArrived } from './text-places.ts'

const plan = {
  steps: [
    { title: 'Part one: the tools', task: 'Write the first part of the guide, on tools.' },
    { title: 'Part two: the soil', task: 'Write the second part of the guide, on soil.' },
    { title: 'Part three: the seeds', task: 'Write the third part of the guide, on seeds.' },
  ],
}
const planned = [{ name: 'task_plan', arguments: JSON.stringify(plan) }]

const places = ['Telegram, by /forget', 'Discord, by /forget', 'the web, by the page’s button'] as const

test.concurrent.each(places)('a guide in three parts, looked at after each: %s', { timeout: 90_000 }, async (name) => {
  await using place = await textPlaces[name]({})
  const model = planModel(place.fleet.model)
  model.answers(planned, 'A spade and a rake are enough.')
  await place.say('/task write a short guide in three parts and stop after each')
  await place.hear('Started as task #1')
  await place.hear('Part three: the seeds')
  await place.hear('A spade and a rake are enough.')
  expect(model.prompt()).toContain('step 1 of 3')
  model.answers('Loose and dark.')
  await place.press('Continue')
  await place.hear('Loose and dark.')
  expect(model.prompt()).toContain('A spade and a rake are enough.')
  model.answers('Loose, dark and wet.')
  await untilArrived(place)
  await place.say('say that it is wet', await place.card('Continue'))
  await place.hear('Loose, dark and wet.')
  expect(model.prompt()).toContain('say that it is wet')
  model.answers('Sow them in May.')
  await place.press('Continue')
  await place.hear('Sow them in May.')
  model.answers('[ALL]')
  await place.press('Continue')
  await place.hear('Task #1 · done')
  await place.say('/tasks')
  await place.hear('3/3')
  expect(model.unplanned).toEqual([])
})

/** What the tools below have done outside: it is there once, however often its call is made. */
function createBoard() {
  const posted = new Map<string, string>()
  const read = (input: unknown): { readonly id: string; readonly text: string } =>
    z.object({ id: z.string(), text: z.string().default('') }).parse(input)
  const parameters = { type: 'object', properties: { id: { type: 'string' }, text: { type: 'string' } } }
  const tool = (name: string, run: (input: unknown) => string, undo?: Tool['undo']): Tool => ({
    name,
    description: `Does ${name}.`,
    parameters,
    effect: 'write',
    onCrash: 'rerun-with-key',
    brief: (input) => read(input).id,
    ...(undo ? { undo } : {}),
    run: async (input) => ({ text: run(input), source: 'own' }),
  })
  const post = (input: unknown): string => {
    const { id, text } = read(input)
    posted.set(id, text)
    return `posted ${id}`
  }
  const remove = (input: unknown): string => {
    posted.delete(read(input).id)
    return 'removed'
  }
  const tools = [
    tool('post_note', post, (input) => ({ tool: 'remove_note', input: { id: read(input).id } })),
    tool('send_mail', post),
    tool('remove_note', remove),
  ]
  return { posted, feature: { name: 'board', tools } }
}
const call = (name: string, input: object): { name: string; arguments: string } => ({
  name,
  arguments: JSON.stringify(input),
})

test(
  'a rollback gives back the files, offers to take back what can be, and tells what stands',
  { timeout: 60_000 },
  async () => {
    const board = createBoard()
    await using place = await textPlaces['the web, by the page’s button']({ features: [board.feature] })
    const model = planModel(place.fleet.model)
    model.answers(planned, [call('file_write', { path: 'a.md', text: 'one' })], 'First.')
    await place.say('/task do three things and stop after each')
    await place.hear('> First.')
    model.answers(
      [call('file_write', { path: 'a.md', text: 'two' })],
      [call('post_note', { id: 'n1', text: 'hello' }), call('send_mail', { id: 'm1', text: 'dear all' })],
      'Second.',
    )
    await place.press('Continue')
    await place.hear('> Second.')
    expect([...board.posted.keys()]).toEqual(['n1', 'm1'])
    await place.press('Roll back to …')
    await place.press('Step 1')
    await place.hear('cannot be taken back')
    await place.hear('`send_mail` m1')
    expect(await place.shows('Roll back')).toBe(true)
    expect([...board.posted.keys()]).toEqual(['n1', 'm1'])
    model.answers('The note is gone.', [call('file_read', { path: 'a.md' })], 'Second again.')
    await place.press('Roll back')
    await place.hear('Shall this change outside be taken back?')
    await place.press('Take it back')
    await place.hear('The note is gone.')
    await place.hear('> Second again.')
    expect([...board.posted.keys()]).toEqual(['m1'])
    expect(model.prompt()).toContain('1\tone')
    await place.press('Roll back to …')
    await place.press('Step 2 (set aside)')
    await place.hear('These steps are set aside', 2)
    await place.press('Roll back')
    model.answers([call('file_read', { path: 'a.md' })], 'Third.')
    await place.hear('> Third.')
    expect(model.prompt()).toContain('two')
    expect(model.unplanned).toEqual([])
  },
)
