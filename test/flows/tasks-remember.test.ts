// What the bot was told to remember reaches the steps of a task, in the same bounds as answers; and what is forgotten goes from the task too.
import { expect, test } from 'vitest'
import { planModel } from './planned-model.ts'
import { textPlaces, untilArrived } from './text-places.ts'

const plan = { steps: [{ title: 'The soup', task: 'Write a recipe of a soup.' }] }
const planned = [{ name: 'task_plan', arguments: JSON.stringify(plan) }]

const places = ['Telegram, by /forget', 'Discord, by deletion', 'the web, by the page’s button'] as const

test.concurrent.each(places)(
  'a step knows what is remembered, and forgets it: %s',
  { timeout: 45_000 },
  async (name) => {
    await using place = await textPlaces[name]({})
    const model = planModel(place.fleet.model)
    const told = await place.say('/remember My soup recipe never has onions')
    await place.hear('Kept as number 1')
    model.answers(planned, 'Leeks instead of onions.')
    await place.say('/task write a soup recipe and stop after each part')
    await place.hear('Leeks instead of onions.')
    const prompt = model.prompt()
    expect(prompt).toContain('My soup recipe never has onions')
    await untilArrived(place)
    await place.forget(told)
    // The card goes with the words, and comes again without them.
    await place.hear('(it is forgotten)')
    model.answers('[ALL]')
    await untilArrived(place)
    await place.press('Continue')
    await place.hear('Task #1 · done')
    expect(model.prompt()).not.toContain('onions')
    await place.say('/task 1 steps')
    await place.hear('1. The soup')
  },
)
