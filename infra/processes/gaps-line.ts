// One line of `flotilla curiosity gaps --jsonl`: JSON in, JSON out, never a throw. Pure.
import { z } from 'zod'
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

/** `error`: why it could not be read. */
export type GapsLine = { readonly out: string; readonly error?: string }

/** Finds one dialogue's gaps; a line that cannot be read gives `{"error": …}` with its number, saying what to write instead. */
export function gapsLine(line: string, number: number): GapsLine {
  const bad = (what: string): GapsLine => {
    const error = `Line ${number}: ${what}`
    return { out: JSON.stringify({ error }), error }
  }
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return bad(`it is not JSON; ${form} on one line.`)
  }
  const read = input.safeParse(value)
  if (!read.success) {
    const issue = read.error.issues[0]
    const where = issue === undefined || issue.path.length === 0 ? 'it' : `"${issue.path.join('.')}"`
    return bad(`${where} does not fit (${issue?.message ?? 'unknown'}); ${form}.`)
  }
  const { id, chat, ...dialogue } = read.data
  const questions = findGaps({ isRefused: toRefused(refuse) }, { ...dialogue, chat: chat.kind })
  return { out: JSON.stringify({ id, questions }) }
}
