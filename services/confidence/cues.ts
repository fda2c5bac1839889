// The turns of phrase of Chinese and English by which the judge knows what is asked and how it is answered. Each is a rule in `cues/`: what
// it finds, by which expression in each language, examples that it fits and near misses. A test runs them; `npm run check` refuses an
// expression that is not linear.
import answer from '#services/confidence/cues/answer.json' with { type: 'json' }
import question from '#services/confidence/cues/question.json' with { type: 'json' }

export type Cue = {
  /** What it finds, a sentence. */
  readonly says: string
  readonly zh: string
  /** Whole words: no letter may stand before or behind. */
  readonly en: string
  readonly fits: readonly string[]
  readonly not: readonly string[]
}

export const cues = { question, answer } satisfies Record<string, Readonly<Record<string, Cue>>>
export type QuestionCue = keyof typeof question
export type AnswerCue = keyof typeof answer

export const questionCues = compileAll(cues.question)
export const answerCues = compileAll(cues.answer)

/** For a text that was folded (`read-text.ts`). */
export function compile({ zh, en }: Pick<Cue, 'zh' | 'en'>): RegExp {
  return new RegExp(`${zh}|(?<![a-z])(?:${en})(?![a-z])`, 'u')
}

/** By name. */
function compileAll(section: Readonly<Record<string, Cue>>): ReadonlyMap<string, RegExp> {
  return new Map(Object.entries(section).map(([name, cue]) => [name, compile(cue)]))
}
