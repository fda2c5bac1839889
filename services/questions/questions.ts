// Questions that the model asks people (infra/decisions/049): the tool `human_ask`, what is done with their answers and ends, and /questions.
import type { Feature } from '#shared/feature/feature.ts'
import { answer, expired } from './answer.ts'
import { createHumanAsk, type QuestionsDeps } from './human-ask.ts'
import { listQuestions } from './list.ts'
import { askHere, reachAgain, refuseHere, takeBack } from './private.ts'
import { slice, type Change, type Questions } from './slice.ts'

export const createQuestions = (deps: QuestionsDeps): Feature<Questions, Change> => ({
  name: 'questions',
  slice,
  tools: [createHumanAsk(deps)],
  commands: [
    {
      name: 'questions',
      help: { zh: '等你回答的问题', en: 'questions that wait for you' },
      readsOnly: true,
      run: async (context) => listQuestions(deps, context),
    },
  ],
  questions: { human: { answer, expired } },
  letters: {
    ask: { came: (context) => askHere(deps, context), refused: refuseHere },
    ended: { came: takeBack },
  },
  timers: { reach: { due: (context) => reachAgain(deps, context) } },
})
