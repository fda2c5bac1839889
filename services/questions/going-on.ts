// The turn that begins with the end of a question: with what was answered, or that nobody did.
import type { Effect } from '#shared/feature/effect.ts'
import type { HumanResponse } from '#shared/run/approval.ts'
import type { Kept } from './kept.ts'

export const toResponse = ({ id, question, task }: Pick<Kept, 'id' | 'question' | 'task'>): HumanResponse => ({
  question: id,
  asked: question,
  task,
})

export const goOn = ({
  words,
  about,
  ...of
}: Pick<Kept, 'id' | 'question' | 'task'> & {
  readonly words: string
  readonly about: readonly string[]
}): Effect<never> => ({
  kind: 'turn',
  text: words,
  about,
  response: toResponse(of),
})
