// One line of `flotilla memory candidates --jsonl`: JSON in, JSON out, never a throw. Pure.
import { z } from 'zod'
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

/** `error`: why it could not be read. */
export type CandidatesLine = { readonly out: string; readonly error?: string }

/** Judges one line; one that cannot be read gives `{"error": …}` with its number, saying what to write instead. */
export function candidatesLine(line: string, number: number): CandidatesLine {
  const bad = (what: string): CandidatesLine => {
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
  const { id, chat, at, speaker, text, context } = read.data
  const others = context?.map(({ who }) => who) ?? []
  const candidates = findCandidates({ chat, atMs: Date.parse(at), speaker, text, others })
  return { out: JSON.stringify({ id, candidates }) }
}
