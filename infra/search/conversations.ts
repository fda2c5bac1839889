// Conversations with questions about them, of which it is known where they are answered: by these the search is judged. The format is that of
// `memory eval`: one conversation a line, `{id, sessions: [{n, at, turns: [{id, by, text, caption?}]}], questions: [{q, category, evidence: [turn id]}]}`.
import { z } from 'zod'
import type { Entry } from '#shared/memory/entry.ts'

const conversation = z.object({
  id: z.string(),
  sessions: z.array(
    z.object({
      n: z.union([z.number(), z.string()]),
      at: z.string(),
      turns: z.array(z.object({ id: z.string(), by: z.string(), text: z.string(), caption: z.string().optional() })),
    }),
  ),
  questions: z.array(
    z.object({ q: z.string(), category: z.union([z.number(), z.string()]), evidence: z.array(z.string()) }),
  ),
})

export type Question = { readonly text: string; readonly category: string; readonly evidence: readonly string[] }
export type Conversation = {
  readonly scope: string
  readonly entries: readonly Entry[]
  /** Those that have evidence. */
  readonly questions: readonly Question[]
}

/** A line of the file. Throws where it is no such conversation. */
export function parseConversation(line: string): Conversation {
  const { id, sessions, questions } = conversation.parse(JSON.parse(line))
  const scope = `eval:${id}`
  const entries = sessions.flatMap(({ n, at, turns }) => {
    const atMs = parseDay(at)
    return turns.map((turn, ordinal): Entry => {
      const text = turn.caption === undefined ? turn.text : `[${turn.caption}] ${turn.text}`
      return { scope, id: turn.id, kind: 'episode', text, speaker: turn.by, atMs, session: String(n), ordinal }
    })
  })
  const known = new Set(entries.map((entry) => entry.id))
  return {
    scope,
    entries,
    questions: questions.flatMap(({ q, category, evidence }) => {
      const there = [...new Set(evidence)].filter((one) => known.has(one))
      return there.length > 0 ? [{ text: q, category: String(category), evidence: there }] : []
    }),
  }
}

/** "1:56 pm on 8 May, 2023", or a day as ISO writes it, by UTC; 0 for what is neither. */
function parseDay(text: string): number {
  const day = text.split(' on ').at(-1) ?? text
  const atMs = Date.parse(/^\d{4}-/.test(day) ? day : `${day} UTC`)
  return Number.isNaN(atMs) ? 0 : atMs
}
