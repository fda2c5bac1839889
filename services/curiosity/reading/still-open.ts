// Whether a question that a model found is still one: the rest of the dialogue may have answered it since.
import { findRequest } from '#services/curiosity/gaps/addressee.ts'
import { keepOpen } from '#services/curiosity/gaps/answered.ts'
import { bot, type Dialogue, type Doubt, type QuestionKind } from '#services/curiosity/gaps/dialogue.ts'
import type { LookedThrough } from '#services/curiosity/gaps/find-gaps.ts'
import { isPart, standsIn } from './alike.ts'

type Asked = {
  readonly question: string
  readonly kind: QuestionKind
  readonly options: readonly string[]
  /** The bot's sentence that it is about. */
  readonly said: string
}
type Within = { readonly dialogue: Dialogue; readonly ruled: LookedThrough }

/** Where the sentence is not among these turns any more, nothing is known of it, and it stays. */
export function isStillOpen({ question, kind, options, said }: Asked, { dialogue, ruled }: Within): boolean {
  const { turns, people } = dialogue
  const at = turns.findIndex(({ who, text }) => who === bot && standsIn(said, text))
  if (at < 0) return true
  if (ruled.closed.some((sentence) => isPart(sentence, said))) return false
  const request = findRequest(turns, at, dialogue)?.text ?? ''
  const doubt: Doubt = {
    ask: question,
    kind,
    ...(options.length > 1 ? { options } : {}),
    about: question,
    premise: '',
    assumed: '',
    said,
    isAsked: /[?？]\s*$/u.test(said),
  }
  return keepOpen([doubt], { turns, at, request, people }).length > 0
}
