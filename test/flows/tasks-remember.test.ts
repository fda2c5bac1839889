// What the bot was told to remember reaches the steps of a task, in the same bounds as answers; and what is forgotten goes from the task too.
import { expect, test } from 'vitest'
import { hear } from '#test/rig/chats/room.ts'
import { planModel } from './planned-model.ts'
import { card, isBare, questionStages } from './questions-stage.ts'
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

test(
  'in a group a step knows what is remembered there, and nothing that its asker keeps alone',
  { timeout: 90_000 },
  async () => {
    await using stage = await questionStages.telegram('en')
    const { model } = stage
    const alone = stage.direct('Bob')
    await alone.ask('Bob', '/remember My soup recipe has my secret Zebrafinch pepper')
    await hear(alone, 'Kept as number 1')
    const room = await stage.open('A task that remembers')
    await room.ask('Bob', '/remember Our soup recipe never has onions')
    await hear(room, 'Kept as number 1')
    const steps = [plan.steps[0], { title: 'The soup pepper', task: 'Add a recipe of soup pepper.' }]
    const look = [{ name: 'memory_query', arguments: JSON.stringify({ query: 'soup pepper recipe' }) }]
    model.answers([{ name: 'task_plan', arguments: JSON.stringify({ steps }) }], 'Leeks instead of onions.')
    await room.ask('Bob', '/task write a soup recipe and stop after each part')
    const first = await hear(room, (one) => one.text.includes('Leeks instead') && !isBare(one), 'a checkpoint')
    expect(model.prompt()).toContain('Our soup recipe never has onions')
    expect(model.prompt()).not.toContain('Zebrafinch')
    // Nobody’s message comes with a press.
    model.answers(look, 'Black pepper.', '[ALL]')
    await card(stage, room, 'Leeks instead')
    await room.press('Bob', first.id, 'Continue')
    const second = await hear(
      room,
      (one) => one.text.includes('Black pepper.') && !isBare(one),
      'the second checkpoint',
    )
    expect(model.prompt()).toContain('never has onions')
    expect(model.prompt()).not.toContain('Zebrafinch')
    await card(stage, room, 'Black pepper.')
    await room.press('Bob', second.id, 'Continue')
    await hear(room, 'Task #1 · done')
    expect(model.prompt()).not.toContain('Zebrafinch')
    expect(model.unplanned).toEqual([])
  },
)
