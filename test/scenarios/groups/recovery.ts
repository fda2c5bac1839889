// What could not be finished, and how a person has it go on: by a card that comes when the turn has ended.
import { calls, text, type Opening, type Scenario } from '#test/scenarios/rig/scenario.ts'

const asked = 'Order a ticket for the garden, then tell me what it costs.'

/** It breaks as soon as the ticket is ordered, until somebody has it go on. */
const breaks =
  (order: string, then: string): Scenario['model'] =>
  (asking) => {
    if (asking.text.includes(order)) return text(then)
    return asking.step === 0
      ? calls(['order', { what: `a ticket ${asking.run}` }])
      : { answer: { kind: 'error', status: 500 } }
  }

const untilStuck: Opening = {
  async play(person) {
    await person.say(asked)
    await person.hear('What is done is not done again')
  },
}
/** More than one try takes. */
const tries = 8

export const recovery: readonly Scenario[] = [
  {
    name: 'recover-retry',
    stand: 'alone',
    makes: 1,
    tries,
    model: breaks('try what failed again', 'It is ordered, for seven euro.'),
    opening: untilStuck,
    async play(person) {
      await person.press('Retry')
      await person.hear('for seven euro')
    },
  },
  {
    name: 'recover-skip',
    stand: 'alone',
    makes: 1,
    tries,
    model: breaks('Leave out the step that failed', 'It is ordered; what it costs is missing.'),
    opening: untilStuck,
    async play(person) {
      await person.press('Skip')
      await person.hear('what it costs is missing')
    },
  },
]
