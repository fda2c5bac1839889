// Questions that the model asks people (infra/decisions/049): the tool `human_ask`, what is done with their answers and ends, and /questions.
import type { Capability } from '#shared/feature/capability.ts'
import type { CommandInfo, Feature } from '#shared/feature/feature.ts'
import type { Ports } from '#shared/feature/ports.ts'
import { answer, expired } from './answer.ts'
import { createHumanAsk, type QuestionsDeps } from './human-ask.ts'
import { listQuestions } from './list.ts'
import { askHere, reachAgain, refuseHere, takeBack } from './private.ts'
import { slice, type Change, type Questions } from './slice.ts'

const command: CommandInfo = {
  name: 'questions',
  help: { zh: '等你回答的问题、等你批准的操作', en: 'questions and approvals that wait for you' },
  more: {
    zh: '列出这个聊天里等你回答的问题和等你批准的操作。请在卡片上回答：点按钮，或回复那张卡片；每张卡片都写明到期限没有人回答会怎样。别的聊天里的，请在那里用 `/questions` 查看；私下的问题和要由主人批准的操作，在与我的私聊里。',
    en: 'Lists the questions and the calls to be approved that wait for you in this chat. Answer on the card, by a button or by a reply to it; each card says what silence until its deadline brings. What waits in another chat is listed by `/questions` there; what is private, and what an owner is to approve, waits in the direct chat with me.',
  },
}

export const questionsCapability: Capability<Pick<Ports, 'people' | 'clock'>> = {
  commands: [command],
  create: ({ people, clock }) => createQuestions({ ...people, ...clock }),
}

export const createQuestions = (deps: QuestionsDeps): Feature<Questions, Change> => ({
  name: 'questions',
  slice,
  tools: [createHumanAsk(deps)],
  commands: [{ ...command, readsOnly: true, run: async (context) => listQuestions(deps, context) }],
  questions: { human: { answer, expired } },
  letters: {
    ask: { came: (context) => askHere(deps, context), refused: refuseHere },
    ended: { came: takeBack },
  },
  timers: { reach: { due: (context) => reachAgain(deps, context) } },
})
