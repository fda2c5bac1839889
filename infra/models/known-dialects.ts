// The dialects of an endpoint's models, as far as they were found since the process began: from what was refused, or from a setting.
import { describeDialect, findDialect, isOfCallId, widestDialect, type Dialect } from './dialects.ts'
import { withoutEchoes } from './echoes.ts'
import { findRoom, isTooLong, type Refusal } from './refusal.ts'
import type { PromptMessage } from '#shared/model/model-port.ts'

export type KnownDialects = {
  of(model: string): Dialect
  /**
   * What to try instead, after a refusal of a request with this limit of output tokens; undefined where it is about something else. It holds for this
   * trial only until `keep`: a refusal may be about something else all the same. What it repeats of the messages teaches nothing that is kept.
   */
  learn(refusal: Refusal, refused: Refused): Lesson | undefined
  /** The model answered in this dialect: it holds from now on. */
  keep(model: string, tried: Dialect): void
  /** Whether in an answer with words a thought ended that nothing had begun. */
  noteThoughts(model: string, isAloud: boolean): void
  thinksAloud(model: string): boolean
  /** For operators: how the model differs from what is usual. */
  describe(model: string): readonly string[]
}

type Refused = { readonly asked: number; readonly tried: Dialect; readonly messages: readonly PromptMessage[] }

/** Another dialect, or a smaller limit of output tokens for this prompt. `isDoubtful`: the words may be those of people, so that it holds for this prompt only. */
export type Lesson =
  | { readonly kind: 'dialect'; readonly dialect: Dialect; readonly isDoubtful: boolean }
  | { readonly kind: 'room'; readonly tokens: number }

/** So many answers in a row of that kind are no chance. */
const aloudEnough = 2
/** Tools may have been refused for a while only. */
const toollessMs = 3_600_000

/** `say`: told once of each thing that is found, in words for operators. */
export function createKnownDialects({
  from = widestDialect,
  say = () => {},
  now = () => performance.now(),
}: {
  readonly from?: Dialect
  readonly say?: (what: string) => void
  readonly now?: () => number
} = {}): KnownDialects {
  const dialects = new Map<string, { readonly dialect: Dialect; readonly atMs: number }>()
  const aloud = new Map<string, number>()
  const said = new Set<string>()
  const tell = (what: string): void => {
    if (said.has(what)) return
    said.add(what)
    say(what)
  }
  function of(model: string): Dialect {
    const known = dialects.get(model)
    if (!known) return from
    const isOld = now() - known.atMs > toollessMs
    return isOld && !known.dialect.sendsTools && from.sendsTools
      ? { ...known.dialect, sendsTools: true }
      : known.dialect
  }
  const thinksAloud = (model: string): boolean => (aloud.get(model) ?? 0) >= aloudEnough
  return {
    of,
    learn(refusal, refused) {
      const own = withoutEchoes(refusal, refused.messages)
      return findLesson(own, refused, false) ?? (own === refusal ? undefined : findLesson(refusal, refused, true))
    },
    keep(model, tried) {
      if (tried === of(model)) return
      const before = new Set(describeDialect(of(model)))
      dialects.set(model, { dialect: tried, atMs: now() })
      for (const what of describeDialect(tried)) if (!before.has(what)) tell(`The endpoint of ${model} ${what}.`)
    },
    noteThoughts(model, isAloud) {
      // An answer without such a thought is shown again while it comes.
      aloud.set(model, isAloud ? (aloud.get(model) ?? 0) + 1 : 0)
      if (thinksAloud(model))
        tell(
          `The endpoint of ${model} sends thoughts without the mark of their beginning; nothing is shown before they end.`,
        )
    },
    thinksAloud,
    describe: (model) => [
      ...describeDialect(of(model)),
      ...(thinksAloud(model) ? ['sends thoughts without the mark of their beginning'] : []),
    ],
  }
}

function findLesson(refusal: Refusal, { asked, tried }: Refused, isDoubtful: boolean): Lesson | undefined {
  const tokens = findRoom(refusal.said, asked)
  if (tokens !== undefined) return { kind: 'room', tokens }
  if (isTooLong(refusal) && !isOfLimit(refusal.said) && !isOfCallId(refusal.said)) return undefined
  const dialect = findDialect(tried, { ...refusal, asked })
  return dialect && { kind: 'dialect', dialect, isDoubtful }
}

/** It is about the limit of the answer, and not about the prompt. */
const isOfLimit = (said: string): boolean =>
  /max[_ ](?:completion_|new_|output_)?tokens/i.test(said) && !/\b(?:input|prompt|messages|request has)\b/i.test(said)
