// One line of `flotilla memory candidates --jsonl`: JSON in, JSON out, never a throw. Pure.
import { z } from 'zod'
import { answerLine, type AnsweredLine } from './json-lines.ts'
import { findCandidates } from '#services/memory/candidates/find-candidates.ts'

/** Further keys are ignored, so that a labelled set can be piped in as it is. */
const input = z.object({
  id: z.string(),
  chat: z.enum(['direct', 'group']),
  at: z.iso.datetime({ offset: true }),
  speaker: z.string(),
  text: z.string(),
  context: z.array(z.object({ who: z.string(), text: z.string() })).nullish(),
})

const form =
  'write {"id": string, "chat": "direct" or "group", "at": "2026-01-31T08:00:00Z", "speaker": string, "text": string, "context"?: [{"who": string, "text": string}]}'

export const candidatesLine = (line: string, number: number): AnsweredLine =>
  answerLine({ line, number }, { input, form }, ({ id, chat, at, speaker, text, context }) => {
    const others = context?.map(({ who }) => who) ?? []
    const candidates = findCandidates({ chat, atMs: Date.parse(at), speaker, text, others })
    return { id, candidates }
  })
