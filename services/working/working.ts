// Working memory: what the session is about, as the records of its turns tell it; shown by /working as WORKING.md (infra/decisions/038).
import type { Localised } from '#shared/chat/message.ts'
import { showDocument } from '#shared/feature/document.ts'
import type { Capability } from '#shared/feature/capability.ts'
import type { CommandContext, CommandInfo, Feature } from '#shared/feature/feature.ts'
import type { Ports, Records } from '#shared/feature/ports.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import { toExcerpt } from './excerpt.ts'
import { printWorking, toWorkingDocument } from './print-working.ts'
import { toWorking } from './to-working.ts'

type WorkingDeps = Pick<Records, 'findTurns'>

const command: CommandInfo = {
  name: 'working',
  help: {
    zh: '本会话的工作记忆：目标、话题、待答的问题',
    en: 'the working memory of this session: goals, topic, open questions',
  },
  more: {
    zh: '`/working` 给出本会话的工作记忆：目标、话题、待答的问题和事实。',
    en: '`/working` gives the working memory of this session as a text: goals, topic, open questions and facts.',
  },
}

export const workingCapability: Capability<Pick<Ports, 'records'>> = {
  commands: [command],
  create: ({ records }) => createWorking(records),
}

export function createWorking(deps: WorkingDeps): Feature {
  return {
    name: 'working',
    commands: [{ ...command, readsOnly: true, run: async (context) => [await show(deps, context)] }],
  }
}

const caption: Localised = {
  zh: '本会话的工作记忆。',
  en: 'The working memory of this session.',
}
/** Of the questions that are open. */
const mostOpen = 5
/** As many as a message may be found by. */
const mostAbout = 200

async function show(deps: WorkingDeps, { conversation, state, language }: CommandContext): Promise<StepEffect<never>> {
  const working = toWorking(await deps.findTurns(conversation, state.sessionId))
  const open = state.questions().filter(({ text }) => text !== '')
  const document = toWorkingDocument(working, state.sessionId)
  const pendingQuestions = [
    ...open.slice(0, mostOpen).map(({ text }) => toExcerpt(text, 120)),
    ...document.pendingQuestions,
  ]
  return showDocument({
    name: 'WORKING.md',
    text: printWorking({ ...document, pendingQuestions }, language),
    caption: caption[language],
    about: [...new Set([...working.notes, ...open].flatMap(({ about }) => about))].slice(-mostAbout),
  })
}
