// Questions that the model asks people (infra/decisions/049): the tool `human_ask`, and what is done with their answers and ends.
import type { Capability } from '#shared/feature/capability.ts'
import type { Feature } from '#shared/feature/feature.ts'
import type { Ports } from '#shared/feature/ports.ts'
import { answer, expired } from './answer.ts'
import { createHumanAsk, type QuestionsDeps } from './human-ask.ts'
import { askHere, reachAgain, refuseHere, takeBack } from './private.ts'
import { slice, type Change, type Questions } from './slice.ts'

export const questionsCapability: Capability<Pick<Ports, 'people' | 'clock'>> = {
  create: ({ people, clock }) => createQuestions({ ...people, ...clock }),
}

export const createQuestions = (deps: QuestionsDeps): Feature<Questions, Change> => ({
  name: 'questions',
  slice,
  tools: [createHumanAsk(deps)],
  questions: { human: { answer, expired } },
  letters: {
    ask: { came: (context) => askHere(deps, context), refused: refuseHere },
    ended: { came: takeBack },
  },
  timers: { reach: { due: (context) => reachAgain(deps, context) } },
})
