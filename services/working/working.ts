// Working memory: what the session is about, kept as each turn ends, and shown by /working as WORKING.md (infra/decisions/038).
import type { Localised } from '#shared/chat/message.ts'
import { showDocument } from '#shared/feature/document.ts'
import type { CommandContext, EndedTurn, Feature } from '#shared/feature/feature.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import { printWorking, toWorkingDocument } from './print-working.ts'
import { slice, type Change, type Working } from './slice.ts'
import { toNote } from './to-note.ts'

export type WorkingDeps = {
  now(): number
}

export function createWorking(deps: WorkingDeps): Feature<Working, Change> {
  return {
    name: 'working',
    slice,
    commands: [
      {
        name: 'working',
        help: {
          zh: '本会话的工作记忆：目标、话题、待答的问题',
          en: 'the working memory of this session: goals, topic, open questions',
        },
        readsOnly: true,
        run: async (context) => [show(context)],
      },
    ],
    ended: (turn) => [{ kind: 'change', change: toChange(deps, turn) }],
  }
}

function toChange({ now }: WorkingDeps, turn: EndedTurn<Working>): Change {
  const atMs = now()
  const note = toNote(turn)
  // Clocks of machines differ.
  const figures = { atMs, tokens: turn.tokens, tookMs: Math.max(0, atMs - turn.begunAt) }
  return { ...figures, who: turn.principal, ...(note ? { note } : {}) }
}

const caption: Localised = {
  zh: '本会话的工作记忆。',
  en: 'The working memory of this session.',
}
/** As many as a message may be found by. */
const mostAbout = 200

function show({ slice: own, state, language }: CommandContext<Working>): StepEffect<never> {
  return showDocument({
    name: 'WORKING.md',
    text: printWorking(toWorkingDocument(own, state.sessionId)),
    caption: caption[language],
    about: [...new Set(own.notes.flatMap(({ about }) => about))].slice(-mostAbout),
  })
}
