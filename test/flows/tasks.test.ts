// A task of a person alone with the bot: an order becomes a plan, its steps are done one by one, people look at checkpoints, and the result is given out.
// What else a task does is in tasks-script.test.ts.
import { expect, test } from 'vitest'
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
