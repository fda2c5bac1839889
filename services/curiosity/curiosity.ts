// Curiosity: notices what the bot does not know and what only a person can tell, collects it on the desk of that person, and asks by one card at a good moment.
import type { Capability } from '#shared/feature/capability.ts'
import { bringCard, releaseCard } from '#services/curiosity/desk/bring.ts'
import { answerCard, expireCard, undoCard } from '#services/curiosity/desk/card.ts'
import { createInvite, inviteHere } from '#services/curiosity/desk/invite.ts'
import { createMoment } from '#services/curiosity/desk/moment.ts'
import { questionsCommand, runQuestions } from '#services/curiosity/desk/questions-command.ts'
import { createDeskSettings } from '#services/curiosity/desk/settings.ts'
import { createQuestions } from '#services/curiosity/questions/source.ts'
import { createCollect } from './collect.ts'
import { createReadTurns } from './read-turns.ts'
import { curiosityCommand, runCuriosity } from './command.ts'
import type { CuriosityPorts } from '#services/curiosity/desk/ports.ts'

export const curiosityCapability: Capability<CuriosityPorts> = {
  commands: [questionsCommand, curiosityCommand],
  create({ access, clock, people, records, incurious, sources, ...ports }) {
    const settings = createDeskSettings(people)
    const { isQuiet } = incurious
    const own = { ...access, ...clock, ...people, ...records, ...ports, isQuiet, settings }
    const deps = { ...own, sources: [createQuestions(own), ...sources] }
    const { ask, readingCounts: counts } = ports
    const reader = ask ? [createReadTurns({ ...deps, ask, counts })] : []
    return {
      name: 'curiosity',
      commands: [
        {
          ...questionsCommand,
          readsOnly: (args) => args.trim() === '',
          run: (context) => runQuestions(deps, context),
        },
        { ...curiosityCommand, run: (context) => runCuriosity({ settings, incurious, ...people }, context) },
      ],
      questions: {
        card: { answer: (context) => answerCard(deps, context), expired: (context) => expireCard(deps, context) },
        receipt: { answer: (context) => undoCard(deps, context) },
      },
      letters: {
        bring: { came: (context) => bringCard(deps, context), refused: (context) => releaseCard(deps, context) },
        invite: { came: (context) => inviteHere(deps, context) },
      },
      after: [createCollect(deps), ...reader, createMoment(deps), createInvite(deps)],
    }
  },
}
