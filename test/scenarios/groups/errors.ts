// What goes wrong: tools that fail, calls that cannot be made, a model that fails, breaks off or says nothing.
import { calls, steps, text, type Asking, type Scenario, type Told } from '#test/scenarios/rig/scenario.ts'

const raw = (name: string, given: string): Told => ({
  answer: { kind: 'tools', calls: [{ id: 'c0', name, arguments: given }] },
})
const failing = (status: number, message?: string): Told => ({
  answer: { kind: 'error', status, ...(message === undefined ? {} : { message }) },
})
/** The model does this when it is asked something for the first time, and answers from then on. */
const first =
  (told: Told, then: string) =>
  ({ before }: Asking): Told =>
    before === 0 ? told : text(then)

type Short = Pick<Scenario, 'name' | 'model'> & { readonly says: string; readonly hears: string }

const short = ({ says, hears, ...more }: Short): Scenario => ({
  stand: 'usual',
  ...more,
  async play(person) {
    await person.say(says)
    await person.hear(hears)
  },
})

export const errors: readonly Scenario[] = [
  short({
    name: 'tool-fails',
    model: steps(
      ({ run }) => calls(['look', { what: `fail ${run}` }]),
      () => text('I could not look it up.'),
    ),
    says: 'What does a ticket cost?',
    hears: 'could not',
  }),
  short({
    name: 'tool-fails-then-works',
    model: steps(
      ({ run }) => calls(['order', { what: `fail ${run}` }]),
      ({ run }) => calls(['order', { what: `another ${run}` }]),
      () => text('The second try went well.'),
    ),
    says: 'Order a ticket, whichever there is.',
    hears: 'second try',
  }),
  short({
    name: 'one-of-three-fails',
    model: steps(
      ({ run }) =>
        calls(['look', { what: `one ${run}` }], ['look', { what: `fail ${run}` }], ['look', { what: `three ${run}` }]),
      ({ results }) => text(`Found ${results.filter((one) => one.startsWith('done')).length} of 3.`),
    ),
    says: 'What do the three gardens cost?',
    hears: 'Found 2 of 3',
  }),
  short({
    name: 'unknown-tool',
    model: steps(
      () => calls(['fly_away', {}]),
      () => text('I cannot fly.'),
    ),
    says: 'Can you fly?',
    hears: 'cannot fly',
  }),
  short({
    name: 'wrong-arguments',
    model: steps(
      () => calls(['look', { whatever: 1 }]),
      ({ run }) => calls(['look', { what: `right ${run}` }]),
      ({ results }) => text(`At last ${results.join()}`),
    ),
    says: 'Look it up.',
    hears: 'At last',
  }),
  short({
    name: 'broken-arguments',
    model: steps(
      () => raw('look', '{"what": '),
      ({ run }) => calls(['look', { what: `repaired ${run}` }]),
      ({ results }) => text(`Now ${results.join()}`),
    ),
    says: 'Look it up, please.',
    hears: 'Now',
  }),
  short({
    name: 'model-fails-once',
    model: steps(first(failing(500), 'Here I am again.')),
    says: 'Are you there, and well?',
    hears: 'again',
  }),
  short({
    name: 'model-fails-between',
    model: steps(({ run }) => calls(['order', { what: `one ${run}` }]), first(failing(503), 'One is ordered.')),
    says: 'Order one for me.',
    hears: 'One is ordered',
  }),
  short({
    name: 'model-is-away',
    model: steps(() => failing(401)),
    says: 'Are you there?',
    hears: 'refused my key',
  }),
  short({
    name: 'model-breaks-off',
    model: steps(
      first({ answer: { kind: 'long', chunks: 10 }, fault: { kind: 'reset', afterChunks: 4 } }, 'Whole this time.'),
    ),
    says: 'Tell me of the roses in the garden.',
    hears: 'Whole this time',
  }),
  short({
    name: 'prompt-too-long',
    model: ({ text: asked }) =>
      asked.length > 10_000
        ? failing(400, "This model's maximum context length is 4096 tokens.")
        : text('It fits now.'),
    says: `Does this fit? ${'A rose is a rose. '.repeat(700)}`,
    hears: 'fits',
  }),
  short({
    name: 'empty-answer',
    model: steps(() => ({ answer: { kind: 'empty' } })),
    says: 'Say nothing at all, will you?',
    hears: 'without an answer',
  }),
  short({
    name: 'thought-only',
    model: steps(
      ({ run }) => calls(['look', { what: `it ${run}` }]),
      () => ({ answer: { kind: 'reasoning', text: 'hm' } }),
    ),
    says: 'Think about it, then look it up.',
    hears: 'without an answer',
  }),
  {
    name: 'stuck-and-on',
    stand: 'usual',
    model: (asking) =>
      asking.text.includes('Go on after the last step')
        ? text('One is ordered, and that is all.')
        : steps(
            ({ run }) => calls(['order', { what: `one ${run}` }]),
            () => ({ answer: { kind: 'empty' } }),
          )(asking),
    async play(person) {
      await person.say('Order one, and tell me.')
      await person.hear('What failed: the model gave no answer.')
      await person.press('Retry')
      await person.hear('that is all')
    },
  },
  short({
    name: 'cut-answer',
    model: steps(() => ({ answer: { kind: 'text', text: 'This is only the beginn', finish: 'length' } })),
    says: 'Tell me all about gardens.',
    hears: 'beginn',
  }),
]
