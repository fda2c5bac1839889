// What is kept of a session's work: a note for each of the last turns that said something, with the messages that it comes from, and figures. A
// note goes with any of its messages; so nothing of a message that is forgotten is left, in whatever it was told.
import { z } from 'zod'
import { principalId } from '#shared/chat/conversation.ts'
import type { Slice } from '#shared/feature/feature.ts'

const note = z.object({
  about: z.array(z.string()).readonly(),
  /** Work that was asked for. */
  goal: z.string().optional(),
  /** What else was asked. */
  topic: z.string().optional(),
  facts: z.array(z.string()).readonly().optional(),
  /** What the bot asked whom at the end of its answer: until that person's next turn. */
  asks: z.object({ who: principalId, questions: z.array(z.string()).readonly() }).optional(),
})
export type Note = z.infer<typeof note>

const own = z.object({
  /** The end of the last turn, ms; 0 before the first. */
  atMs: z.number(),
  turns: z.number(),
  tokens: z.number(),
  /** How long all turns took together. */
  tookMs: z.number(),
  /** The newest last. */
  notes: z.array(note).readonly(),
})
export type Working = z.infer<typeof own>

export type Change = Pick<Working, 'atMs' | 'tokens' | 'tookMs'> & {
  /** Whose turn it was. */
  readonly who: string
  readonly note?: Note
}

const fresh: Working = { atMs: 0, turns: 0, tokens: 0, tookMs: 0, notes: [] }

export const slice: Slice<Working, Change> = {
  schema: own,
  fresh,
  fold,
  inNewSession: () => fresh,
  forget: (all, id) =>
    all.notes.some(({ about }) => about.includes(id))
      ? { ...all, notes: all.notes.filter(({ about }) => !about.includes(id)) }
      : all,
}

function fold(all: Working, { atMs, tokens, tookMs, who, note: next }: Change): Working {
  const answered = all.notes.map(({ asks, ...left }): Note => (asks && asks.who !== who ? { ...left, asks } : left))
  return {
    atMs,
    turns: all.turns + 1,
    tokens: all.tokens + tokens,
    tookMs: all.tookMs + tookMs,
    notes: keep(next ? [...answered.map((one) => withoutSame(one, next)), next] : answered),
  }
}

/** What is said again stands with what said it last. */
function withoutSame({ goal, facts = [], ...left }: Note, next: Note): Note {
  return {
    ...left,
    ...(goal === undefined || goal === next.goal ? {} : { goal }),
    facts: facts.filter((fact) => !next.facts?.includes(fact)),
  }
}

/** Of a session; a topic more than is shown takes the place of one that is forgotten. */
const most = { goals: 3, topics: 2, facts: 5, questions: 3 }
/** Of all notes, as JSON: with its figures the slice has less than 4 KB. */
const mostBytes = 3900

/** Only what is shown, or would be if the newest were forgotten. */
function keep(notes: readonly Note[]): readonly Note[] {
  const left = { ...most }
  const take = <T>(what: keyof typeof most, found: readonly T[]): readonly T[] => {
    const taken = found.slice(Math.max(0, found.length - left[what]))
    left[what] -= taken.length
    return taken
  }
  const kept = notes.toReversed().flatMap(({ about, goal, topic, facts = [], asks }): Note[] => {
    const [keptGoal] = take('goals', goal === undefined ? [] : [goal])
    const [keptTopic] = take('topics', topic === undefined ? [] : [topic])
    const keptFacts = take('facts', facts)
    const questions = take('questions', asks?.questions ?? [])
    if ((keptGoal ?? keptTopic) === undefined && keptFacts.length + questions.length === 0) return []
    return [
      {
        about,
        ...(keptGoal === undefined ? {} : { goal: keptGoal }),
        ...(keptTopic === undefined ? {} : { topic: keptTopic }),
        ...(keptFacts.length === 0 ? {} : { facts: keptFacts }),
        ...(asks && questions.length > 0 ? { asks: { who: asks.who, questions } } : {}),
      },
    ]
  })
  while (Buffer.byteLength(JSON.stringify(kept)) > mostBytes) kept.pop()
  return kept.toReversed()
}
