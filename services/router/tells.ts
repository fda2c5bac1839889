// Whether a message tells something, so that it may answer a question of ours: no clause of it is a question, and none wants anything. Pure.
import { formsOf } from './grammar.ts'
import type { Action } from './action.ts'
import type { NormalText } from './normalise.ts'

const grammar = formsOf('wanting')

export const tells = ({ clauses, text }: NormalText, actions: readonly Action[]): boolean =>
  actions.length === 0 &&
  /[\p{L}\p{N}]/u.test(text) &&
  !clauses.some((clause) => clause.question || grammar.request.test(clause.text) || grammar.topic.test(clause.text))
