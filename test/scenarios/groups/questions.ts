// A turn that waits for a person, and what begins with the answer; reminders by command and by the model.
import { calls, steps, text, type Asking, type Opening, type Scenario } from '#test/scenarios/rig/scenario.ts'

const asks: Scenario['model'] = (asking: Asking) => {
  if (asking.text.includes('They agreed'))
    return steps(
      ({ run }) => calls(['order', { what: `agreed ${run}` }]),
      ({ results }) => text(`Since you agreed: ${results.join()}`),
    )(asking)
  if (asking.text.includes('What is a rose')) return text('A rose is a flower.')
  return calls(['inquire', { what: `order a ticket ${asking.run}` }])
}

const inTime = (when: string): Scenario['model'] =>
  steps(
    ({ run }) => calls(['reminder_set', { when, text: `water the plants ${run}` }]),
    () => text('It is set.'),
  )

/** Asks by a card of its own, and says what was answered. */
const human = (question: object): Scenario['model'] => {
  const asked = { why: 'It decides the hotel.', otherwise: 'I take 500.', ...question }
  return ({ whole, text: said }) => {
    if (said.includes('What is a rose')) return text('A rose is a flower.')
    const answer = /## HUMAN_RESPONSE q1\n> .*\n> → (.*)/.exec(whole)?.[1]
    return answer === undefined ? calls(['human_ask', asked]) : text(`So it is: ${answer}`)
  }
}

const choosing = human({
  kind: 'choice',
  question: 'Which hotel?',
  options: [{ label: 'Adler' }, { label: 'Krone' }],
})
const untilChoosing: Opening = {
  async play(person) {
    await person.say('Plan my trip to Bonn in three steps.')
    await person.hear('Which hotel?')
  },
}

export const questions: readonly Scenario[] = [
  {
    name: 'human-choice',
    stand: 'alone',
    model: choosing,
    opening: untilChoosing,
    async play(person) {
      await person.press('Krone')
      await person.hear('So it is: Krone')
    },
  },
  {
    name: 'human-number',
    stand: 'alone',
    model: human({ kind: 'knowledge', question: 'What is the budget?', expects: 'number' }),
    async play(person) {
      await person.say('Plan my trip to Bonn in three steps.')
      await person.hear('What is the budget?')
      await person.say('What is a rose?')
      await person.hear('a flower')
      await person.command('600')
      await person.hear('So it is: 600')
    },
  },
  {
    name: 'human-reply',
    stand: 'alone',
    model: human({ kind: 'knowledge', question: 'What is the town called?' }),
    async play(person) {
      await person.say('Plan my trip to Bonn in three steps.')
      await person.reply('What is the town called?', 'Beuel on the right bank')
      await person.hear('So it is: Beuel on the right bank')
    },
  },
  {
    name: 'human-expires-in',
    stand: 'alone',
    model: human({ kind: 'knowledge', question: 'What is the budget?', expects: 'number', deadline_hours: 1 }),
    async play(person) {
      await person.say('Plan my trip to Bonn in three steps.')
      await person.hear('So it is: Nobody answered in time')
    },
  },
  {
    name: 'human-stopped',
    stand: 'alone',
    // Where the turn was to be gone on with, the stop ends it too.
    orSaid: ['I asked:\n\n> **Which hotel?**\n\nThis question was called off.', 'Stopped.'],
    model: choosing,
    opening: untilChoosing,
    async play(person) {
      await person.command('/stop')
      await person.hear('called off')
    },
  },
  {
    name: 'suspended-agreed',
    stand: 'usual',
    model: asks,
    async play(person) {
      await person.say('Order a ticket, but ask me before.')
      await person.press('Agree')
      await person.hear('Since you agreed')
    },
  },
  {
    name: 'suspended-refused',
    stand: 'usual',
    model: asks,
    async play(person) {
      await person.say('Order a ticket, but ask me before.')
      await person.press('Refuse')
      await person.hear('Left undone')
    },
  },
  {
    name: 'suspended-and-more',
    stand: 'usual',
    model: asks,
    async play(person) {
      await person.say('Order a ticket, but ask me before.')
      await person.hear('May I')
      await person.say('What is a rose?')
      await person.hear('a flower')
      await person.press('Agree')
      await person.hear('Since you agreed')
    },
  },
  {
    name: 'reminder-by-command',
    stand: 'usual',
    model: steps(() => text('No model is needed.')),
    async play(person) {
      await person.command(`/remind in 2 seconds tea ${person.run}`)
      await person.hear('Reminder: tea')
    },
  },
  {
    name: 'reminder-by-model',
    stand: 'usual',
    model: inTime('in 3 seconds'),
    async play(person) {
      await person.say('The plants want water, so remind me in 3 seconds.')
      await person.hear('It is set')
      await person.hear('Reminder: water')
    },
  },
  {
    name: 'reminder-cancelled',
    stand: 'usual',
    model: steps(
      ({ run }) => calls(['reminder_set', { when: 'in 20 days', text: `water the plants ${run}` }]),
      () => calls(['reminder_list', {}]),
      () => calls(['reminder_cancel', { id: 1 }]),
      ({ results }) => text(`So it is: ${results.join()}`),
    ),
    async play(person) {
      await person.say('Remind me in 20 days to water the plants. No, do not.')
      await person.hear('So it is')
    },
  },
]
