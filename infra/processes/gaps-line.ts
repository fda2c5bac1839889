// One line of `flotilla curiosity gaps --jsonl`: JSON in, JSON out, never a throw. Pure.
import { z } from 'zod'
import { answerLine, type AnsweredLine } from './json-lines.ts'
import { findGaps } from '#services/curiosity/gaps/find-gaps.ts'
import { toRefused } from '#services/curiosity/to-refused.ts'
import { refuse } from './refuse.ts'

/** Further keys are ignored, so that a labelled set can be piped in as it is. */
const input = z.object({
  id: z.string(),
  language: z.enum(['en', 'zh']),
  chat: z.object({ kind: z.enum(['direct', 'group']) }),
  people: z.array(z.string().min(1)).max(500),
  memory: z.array(
    z.object({
      category: z.string(),
      who: z.string(),
      content: z.string(),
      status: z.enum(['confirmed', 'unconfirmed']),
    }),
  ),
  turns: z.array(z.object({ who: z.string(), text: z.string(), at: z.iso.datetime({ offset: true }) })),
})

const form =
  'write {"id": string, "language": "en" or "zh", "chat": {"kind": "direct" or "group"}, "people": [string], "memory": [{"category": string, "who": string, "content": string, "status": "confirmed" or "unconfirmed"}], "turns": [{"who": string, "text": string, "at": "2026-01-31T08:00:00Z"}]}'

export const gapsLine = (line: string, number: number): AnsweredLine =>
  answerLine({ line, number }, { input, form }, ({ id, chat, ...dialogue }) => {
    const questions = findGaps({ isRefused: toRefused(refuse) }, { ...dialogue, chat: chat.kind })
    return { id, questions }
  })
