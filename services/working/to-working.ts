// What is known of a session's work, made of the records of its turns: figures, and a note for each turn that said something. A record goes with
// any of the messages that it comes from, and with it what is known from it.
import { toNote, type EndedTurn, type Note } from './to-note.ts'

export type Working = {
  /** The end of the last turn, ms; 0 before the first. */
  readonly atMs: number
  readonly turns: number
  readonly tokens: number
  /** How long all turns took together. */
  readonly tookMs: number
  /** The newest last. */
  readonly notes: readonly Note[]
}

const fresh: Working = { atMs: 0, turns: 0, tokens: 0, tookMs: 0, notes: [] }

/** Of a session's turns, the newest last. */
export const toWorking = (turns: readonly EndedTurn[]): Working => turns.reduce(fold, fresh)

function fold(all: Working, turn: EndedTurn): Working {
  const { principal, begunAt, endedAt, tokens } = turn.record
  const next = toNote(turn)
  const answered = all.notes.map(({ asks, ...left }): Note =>
    asks && asks.who !== principal ? { ...left, asks } : left,
  )
  return {
    atMs: endedAt,
    turns: all.turns + 1,
    tokens: all.tokens + tokens.prompt + tokens.completion,
    // Clocks of machines differ.
    tookMs: all.tookMs + Math.max(0, endedAt - begunAt),
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

const most = { goals: 3, topics: 1, facts: 5, questions: 3 }

/** Only what is shown. */
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
  return kept.toReversed()
}
