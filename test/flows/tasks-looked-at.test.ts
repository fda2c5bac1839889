// A task is looked at from its conversation while a step of it hangs, and afterwards: where it is, its plan, its steps, its files and its result.
import { expect, test } from 'vitest'
import { planModel } from './planned-model.ts'
import { textPlaces, untilArrived } from './text-places.ts'

const plan = {
  steps: [
    { title: 'Part one: the tools', task: 'Write the first part of the guide, on tools.' },
    { title: 'Part two: the soil', task: 'Write the second part of the guide, on soil.' },
  ],
}
const planned = [{ name: 'task_plan', arguments: JSON.stringify(plan) }]
const write = (path: string, text: string) => ({ name: 'file_write', arguments: JSON.stringify({ path, text }) })

test(
  'a task is looked at while a step hangs, and its files, steps and result afterwards',
  { timeout: 90_000 },
  async () => {
    await using place = await textPlaces['the web, by the page’s button']({})
    const model = planModel(place.fleet.model)
    model.answers(
      planned,
      [write('notes.md', '# Tools\n\nA spade.\n'), write('more/soil.txt', 'loam')],
      'A spade is enough.',
    )
    await place.say('/task write a guide in two parts, stop after each part')
    await place.hear('A spade is enough.')

    await place.say('/task 1')
    await place.hear('Step 1 is done. Please look at it')
    await place.hear('Next: step 2, Part two: the soil')
    await place.say('/task 1 files')
    await place.hear('- notes.md · 18 B')
    await place.say('/task 1 files notes.md')
    await place.hear('Task #1 · notes.md')
    await place.say('/task 1 files all')
    await place.hear('Task #1 · 2 files')
    await place.say('/task 1 files ../secret')
    await place.hear('has no such file')

    model.answers('Loose and dark.')
    model.hold('soil')
    const before = model.asked()
    await untilArrived(place)
    await place.press('Continue')
    await expect.poll(() => model.asked(), { timeout: 20_000 }).toBeGreaterThan(before)
    await place.say('/task 1')
    await place.hear('At step 2. For ')
    await place.say('/task 1 plan')
    await place.hear('flowchart TD')
    await place.say('/task 1 steps')
    await place.hear('**2\\. Part two: the soil** · at work')
    await place.hear('file_write (')
    await place.say('/task 1 result')
    await place.hear('Task #1 · so far')
    expect(model.left()).toBe(0)
    model.open('soil')
    await place.hear('Loose and dark.')

    model.answers('[ALL]')
    await untilArrived(place)
    await place.press('Continue')
    await place.hear('Task #1 · done')
    await place.say('/task 1 result')
    await place.hear('A spade is enough.\n\nLoose and dark.', 2)
    await place.say('/task 7 steps')
    await place.hear('There is no task #7')
    expect(model.unplanned).toEqual([])
  },
)
