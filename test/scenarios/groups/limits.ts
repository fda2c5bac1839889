// Each limit of a turn; the stand has lower ones than the fleet (`stand.ts`).
import { calls, steps, type Scenario, type Told } from '#test/scenarios/rig/scenario.ts'

type Limited = Pick<Scenario, 'name' | 'model'> & {
  readonly hears: string
  readonly says?: string
  readonly stand?: Scenario['stand']
}

const limited = ({
  says = 'Look everything up that there is.',
  stand = 'usual',
  hears,
  ...more
}: Limited): Scenario => ({
  stand,
  ...more,
  async play(person) {
    await person.say(says)
    await person.hear(hears)
  },
})

const look = (...whats: readonly string[]): Told => calls(...whats.map((what) => ['look', { what }] as const))

export const limits: readonly Scenario[] = [
  limited({ name: 'limit-steps', hears: 'limit of steps', model: ({ run, step }) => look(`${step} ${run}`) }),
  limited({
    name: 'limit-calls',
    hears: 'limit of tool calls',
    model: ({ run, step }) => look(`${step}a ${run}`, `${step}b ${run}`, `${step}c ${run}`),
  }),
  limited({
    name: 'limit-tokens',
    hears: 'token limit',
    says: `Look up each of these. ${'A garden with roses, tulips and a pond. '.repeat(600)}`,
    model: ({ run, step }) => look(`${step} ${run}`),
  }),
  limited({ name: 'limit-same-call', hears: 'repeating the same call', model: ({ run }) => look(`it ${run}`) }),
  limited({
    name: 'limit-two-in-turns',
    hears: 'repeating the same call',
    model: ({ run, step }) => look(`${step % 2 === 0 ? 'this' : 'that'} ${run}`),
  }),
  limited({
    name: 'limit-malformed',
    hears: 'could not write a tool call',
    model: ({ step }) => ({
      answer: { kind: 'tools', calls: [{ id: `m${step}`, name: 'look', arguments: `{"what": ${step}` }] },
    }),
  }),
  limited({
    name: 'limit-wall-time',
    hears: 'time limit',
    stand: 'narrow',
    says: 'Look it up, please.',
    model: steps(({ run }) => look(`hold ${run}`)),
  }),
  // A call whose worker was killed stays charged at the most that it might have cost: one such more must not end the turn a step sooner.
  limited({
    name: 'limit-budget',
    stand: 'poor',
    hears: 'budget',
    model: ({ run, step }) => ({ ...look(`${step} ${run}`), usage: 8000 }),
  }),
]
