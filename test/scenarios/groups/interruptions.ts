// What comes while a turn runs, at each of its steps: while the model is asked first, while a tool works, while the model is asked again.
import { calls, steps, text, type Asking, type Person, type Scenario, type Told } from '#test/scenarios/rig/scenario.ts'

const moments = ['first-ask', 'errand', 'second-ask'] as const
type Moment = (typeof moments)[number]

const whole = (asking: Asking): boolean => asking.whole.includes('and a third')

/** A turn of one errand, held at this moment; what it says at its end tells whether it knows of what came meanwhile. */
const workHeldAt = (moment: Moment): Scenario['model'] =>
  steps(
    (asking) =>
      hold(
        moment === 'first-ask' && !whole(asking),
        calls(['order', { what: `${moment === 'errand' ? 'hold' : 'one'} ${asking.run}` }]),
      ),
    (asking) =>
      hold(moment === 'second-ask' && !whole(asking), text(`Ordered${whole(asking) ? ' with a third' : ''}.`)),
  )
const hold = (held: boolean, told: Told): Told => (held ? { ...told, held } : told)

type While = {
  readonly what: string
  readonly model?: (moment: Moment) => Scenario['model']
  /** `stop` ends the turn, so that it does not wait in the mailbox. */
  readonly ends?: boolean
  /** It ends the model's call by itself: what is held is never said. */
  readonly endsCall?: boolean
  during(person: Person): Promise<void>
  after(person: Person, moment: Moment): Promise<void>
}

const at = (moment: Moment, { what, model = workHeldAt, ends, endsCall = false, during, after }: While): Scenario => ({
  name: `${what}-at-${moment}`,
  stand: 'usual',
  model: model(moment),
  async play(person) {
    const whose = moment === 'errand' ? 'errand' : 'model'
    await person.say('Order what is needed for the garden.')
    await person.held(whose)
    await during(person)
    if (!endsCall || whose === 'errand') {
      if (!ends) await person.waiting(2)
      person.letGo(whose)
    }
    await after(person, moment)
  },
})

const stop: While = {
  what: 'stop',
  ends: true,
  async during(person) {
    await person.command('/stop')
    await person.hear('topped')
  },
  after: async () => {},
}
const joins: While = {
  what: 'joins',
  during: async (person) => await person.say('and a third one too'),
  after: async (person) => await person.hear('Ordered with a third'),
}
const other: While = {
  what: 'other',
  model: (moment) => (asking) =>
    asking.text.includes('What is a rose') ? text('A rose is a flower.') : workHeldAt(moment)(asking),
  during: async (person) => await person.other('What is a rose?'),
  async after(person) {
    await person.hear('Ordered')
    await person.hear('a flower')
  },
}
const edit: While = {
  what: 'edit',
  endsCall: true,
  during: async (person) => await person.edit('Order what is needed, and a third one.'),
  after: async (person) => await person.hear('Ordered with a third'),
}
const forget: While = {
  what: 'forget',
  during: async (person) => await person.command('/forget last'),
  after: async (person) => await person.hear('orgotten'),
}

export const interruptions: readonly Scenario[] = [stop, joins, other, edit, forget].flatMap((one) =>
  moments.map((moment) => at(moment, one)),
)
