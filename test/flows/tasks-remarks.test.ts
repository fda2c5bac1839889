// Words in reply to a task's progress card while a step of it runs, on real channels: the step goes on, the next one minds them, and the card still stops it.
import { expect, test } from 'vitest'
import { toTask } from '#shared/chat/address.ts'
import { planModel } from './planned-model.ts'
import { textPlaces, untilArrived } from './text-places.ts'

const steps = ['tools', 'soil', 'seeds'].map((what) => ({ title: `On ${what}`, task: `Write on ${what}.` }))
const planned = [{ name: 'task_plan', arguments: JSON.stringify({ steps }) }]
const places = ['Telegram, by /forget', 'Discord, by /forget', 'the web, by the page’s button'] as const

test.concurrent.each(places)(
  'a reply to the card is a note to the next step: %s',
  { timeout: 90_000 },
  async (name) => {
    await using place = await textPlaces[name]({})
    const model = planModel(place.fleet.model)
    const { kernel } = place.fleet.runtime
    const task = toTask(place.conversation, 1)
    model.answers(planned, 'A spade is enough.')
    await place.say('/task write a guide in three parts and stop after each')
    await place.hear('A spade is enough.')
    model.answers('Loose and dark.')
    model.hold('soil')
    const before = model.asked()
    await untilArrived(place)
    await place.press('Continue')
    await expect.poll(() => model.asked(), { timeout: 20_000 }).toBeGreaterThan(before)
    await untilArrived(place)
    await place.say('with a joke in it', await place.card('Stop'))
    const waiting = async (): Promise<string> => JSON.stringify((await kernel.pending(task, 0)).events)
    await expect.poll(waiting, { timeout: 20_000 }).toContain('with a joke in it')
    expect(model.asked()).toBe(before + 1)
    model.open('soil')
    await place.hear('The next step of task #1 will follow it.')
    await place.hear('Loose and dark.')
    expect(model.prompt()).not.toContain('with a joke in it')
    model.answers('Sow them in May, and mind the crows.')
    await untilArrived(place)
    await place.press('Continue')
    await place.hear('Sow them in May')
    expect(model.prompt()).toContain('> with a joke in it')
    // The newest look of the card: a press of an older one is out of date.
    await place.hear('✅ 3. ')
    await untilArrived(place)
    await place.press('Stop')
    await place.hear('Task #1 is paused')
    expect(model.unplanned).toEqual([])
  },
)
