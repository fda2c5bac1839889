// The dialects of an endpoint's models, as far as they were found since the process began: from what was refused, or from a setting.
import { describeDialect, findDialect, widestDialect, type Dialect } from './dialects.ts'
import { findRoom, isTooLong, type Refusal } from './refusal.ts'

export type KnownDialects = {
  of(model: string): Dialect
  /** What to try instead, after a refusal of a request with this limit of output tokens; undefined where it is about something else. */
  learn(model: string, refusal: Refusal, asked: number): Lesson | undefined
  /** A thought ended that nothing had begun. */
  noteThinksAloud(model: string): void
  thinksAloud(model: string): boolean
  /** For operators: how the model differs from what is usual. */
  describe(model: string): readonly string[]
}

/** Another dialect from now on, or a smaller limit of output tokens for this prompt. */
export type Lesson = { readonly kind: 'dialect' } | { readonly kind: 'room'; readonly tokens: number }

/** `say`: told once what is found, in words for operators. */
export function createKnownDialects(
  from: Dialect = widestDialect,
  say: (what: string) => void = () => {},
): KnownDialects {
  const dialects = new Map<string, Dialect>()
  const aloud = new Set<string>()
  const of = (model: string): Dialect => dialects.get(model) ?? from
  return {
    of,
    learn(model, refusal, asked) {
      const { said, status } = refusal
      const tokens = findRoom(said, asked)
      if (tokens !== undefined) return { kind: 'room', tokens }
      if (isTooLong(refusal) && !/max_(?:completion_|new_|output_)?tokens/i.test(said)) return undefined
      const found = findDialect(of(model), { said, status, asked })
      if (!found) return undefined
      const before = new Set(describeDialect(of(model)))
      dialects.set(model, found)
      for (const what of describeDialect(found)) if (!before.has(what)) say(`The endpoint of ${model} ${what}.`)
      return { kind: 'dialect' }
    },
    noteThinksAloud(model) {
      if (aloud.has(model)) return
      aloud.add(model)
      say(
        `The endpoint of ${model} sends thoughts without the mark of their beginning; nothing is shown before they end.`,
      )
    },
    thinksAloud: (model) => aloud.has(model),
    describe: (model) => [
      ...describeDialect(of(model)),
      ...(aloud.has(model) ? ['sends thoughts without the mark of their beginning'] : []),
    ],
  }
}
