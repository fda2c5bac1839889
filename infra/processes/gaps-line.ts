// One line of `flotilla curiosity gaps --jsonl`: JSON in, JSON out, never a throw. Pure.
import { z } from 'zod'
import { answerLine, type AnsweredLine } from './json-lines.ts'
import { bot } from '#services/curiosity/gaps/dialogue.ts'
import { lookThrough } from '#services/curiosity/gaps/find-gaps.ts'
import { toRefused } from '#services/curiosity/to-refused.ts'
import { refuse } from './refuse.ts'

const mostPeople = 500

/** Further keys are ignored, so that a labelled set can be piped in as it is. */
const input = z.object({
  id: z.string(),
  language: z.enum(['en', 'zh']),
  chat: z.object({ kind: z.enum(['direct', 'group']) }),
  people: z.array(z.string().min(1)).max(mostPeople).nullish(),
  memory: z
    .array(
      z.object({
        category: z.string(),
        who: z.string(),
        content: z.string(),
        status: z.enum(['confirmed', 'unconfirmed']),
      }),
    )
    .nullish(),
  turns: z.array(z.object({ who: z.string(), text: z.string(), at: z.iso.datetime({ offset: true }) })),
})

const form =
  'write, for example, {"id":"1","language":"en","chat":{"kind":"direct"},"turns":[{"who":"Ann","text":"Plan the retro, please","at":"2026-01-31T08:00:00Z"},{"who":"bot","text":"I do not know how long the retro is.","at":"2026-01-31T08:01:00Z"}]}'

type Dropped = { readonly said: string; readonly because: string }

/** Without `people` everybody who spoke may be asked. `dropped` has sentences of the bot's whose doubts are not asked, each with the reason. */
export const gapsLine = (line: string, number: number): AnsweredLine =>
  answerLine({ line, number }, { input, form }, ({ id, chat, language, turns, ...given }) => {
    const spoke = [...new Set(turns.map(({ who }) => who))].filter((who) => who !== bot && who !== '')
    const people = given.people ?? spoke.slice(0, mostPeople)
    const dialogue = { language, turns, people, memory: given.memory ?? [], chat: chat.kind }
    const looked = lookThrough({ isRefused: toRefused(refuse) }, dialogue)
    const answered = looked.closed.map((said): Dropped => ({ said, because: 'answered' }))
    const dropped: readonly Dropped[] = [...looked.dropped, ...answered]
    return { id, questions: looked.questions, ...(dropped.length > 0 ? { dropped } : {}) }
  })
