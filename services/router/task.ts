// Decides whether a message asks for work, and whether for deep work: what its clauses ask for, one by one, and how many
// things that makes. Pure.
import { createActionReader } from './action.ts'
import { formsOf } from './grammar.ts'
import { innerRequest } from './request-frame.ts'
import type { Action, Piece } from './action.ts'
import type { Clause, NormalText } from './normalise.ts'
import type { RoutingConfig } from './patterns.ts'

type Work = Pick<Action, 'deep' | 'rule'>
type FindActions = (message: NormalText) => readonly Action[]
type ReadAction = (piece: Piece) => Action | undefined

const grammar = formsOf('work')
/** So many things to do or to tell are steps of one big task, whatever they are. */
const manySteps = 3

/** Builds the reader of all that a message asks to be done or told. */
export function createActionsFinder(config: RoutingConfig): FindActions {
  const readAction = createActionReader(config)
  return ({ clauses, bare }) => clauses.flatMap((clause) => readClause(readAction, clause, bare))
}

/** Builds the reader of work; undefined when no clause asks for any. */
export function createWorkFinder(
  config: RoutingConfig,
  findActions: FindActions = createActionsFinder(config),
): (message: NormalText) => Work | undefined {
  return (message) => {
    const { bare } = message
    const actions = findActions(message)
    const tasks = actions.filter((action) => action.kind === 'task')
    const found = tasks.find((action) => action.deep) ?? tasks[0]
    if (found?.deep === true) return found
    const isChained = actions.length >= 2 && grammar.chained.test(bare)
    const isStepwise = found !== undefined && (isChained || grammar.ordered.test(bare))
    return actions.length >= manySteps || isStepwise ? { deep: true, rule: 'task.steps' } : found
  }
}

/** What a clause asks for, cut at each "then" and "and". A question that begins it leaves nothing to be done behind it. */
function readClause(readAction: ReadAction, { text: clause, question }: Clause, message: string): readonly Action[] {
  const actions: Action[] = []
  for (const text of clause.split(grammar.connectors).map((piece) => piece.trim())) {
    const follows = actions.length > 0
    if (text === '' || (follows && (grammar.delivery.test(text) || /^[a-z]+$/u.test(text)))) continue
    const inner = innerRequest(text)
    const read = (part: string): Action | undefined => readAction({ text: part, question, follows, message })
    const action = read(text) ?? (inner === undefined ? undefined : read(inner))
    if (action !== undefined) actions.push(action)
    else if (!follows && question && grammar.infoQuestion.test(text)) return actions
  }
  return actions
}
