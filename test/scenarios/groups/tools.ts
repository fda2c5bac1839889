// Tools: one, several, at once, of every kind.
import { calls, steps, text, type Scenario } from '#test/scenarios/rig/scenario.ts'

export const tools: readonly Scenario[] = [
  {
    name: 'plain-answer',
    stand: 'usual',
    model: steps(() => text('A lease is a lock that ends by itself.')),
    async play(person) {
      await person.say('What is a lease?')
      await person.hear('ends by itself')
    },
  },
  {
    name: 'one-look',
    stand: 'usual',
    model: steps(
      ({ run }) => calls(['look', { what: `the price ${run}` }]),
      ({ results }) => text(`It says ${results.join()}`),
    ),
    async play(person) {
      await person.say('What does a ticket cost?')
      await person.hear('It says')
    },
  },
  {
    name: 'three-at-once',
    stand: 'usual',
    model: steps(
      ({ run }) =>
        calls(['look', { what: `one ${run}` }], ['look', { what: `two ${run}` }], ['look', { what: `three ${run}` }]),
      ({ results }) => text(`Found: ${results.join(', ')}`),
    ),
    async play(person) {
      await person.say('What do the three gardens cost?')
      await person.hear('Found:')
    },
  },
]
