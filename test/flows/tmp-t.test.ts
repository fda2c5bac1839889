import { test } from 'vitest'
import { planModel } from '#test/flows/planned-model.ts'
import { textPlaces, untilArrived } from '#test/flows/text-places.ts'
const plan = { steps: [1,2,3].map((n) => ({ title: `Part ${n}: things`, task: `Write part ${n}.` })) }
const planned = [{ name: 'task_plan', arguments: JSON.stringify(plan) }]
test('t', { timeout: 90_000 }, async () => {
  await using place = await textPlaces['Telegram, by /forget']({})
  const model = planModel(place.fleet.model)
  const t0 = Date.now(); const at = (s: string) => process.stderr.write(String(Date.now() - t0) + " " + s + "\n")
  model.answers(planned, 'Answer one.')
  await place.say('/task write a short guide in three parts and stop after each')
  await place.hear('Started as task #1'); at('started')
  await place.hear('Part 3: things'); at('plan')
  await place.hear('Answer one.'); at('step1')
  model.answers('Answer two.')
  await place.press('Continue'); at('pressed')
  await place.hear('Answer two.'); at('step2')
  model.answers('Answer three.')
  await place.press('Continue'); at('pressed')
  await place.hear('Answer three.'); at('step3')
  model.answers('[ALL]')
  await place.press('Continue'); at('pressed')
  await place.hear('Task #1 · done'); at('done')
  const { admin } = place.fleet.redis
  // eslint-disable-next-line
  await place.say('/tasks'); await place.hear('3/3'); at('tasks')
})
