// What a step, or a decision about what is ignored, adds to the records of its conversation, as the units `append` and `route` take it.
import type { Decision } from '#shared/chat/decision.ts'
import type { Recorded } from '#shared/run/record.ts'

/** Kind, id, messages a line each, and what it says. */
export function toRecordArgs(recorded: Recorded): readonly [string, string, string, string] {
  const { kind } = recorded
  switch (kind) {
    case 'turn':
      return [kind, recorded.record.turn, toLines(recorded.about), JSON.stringify(recorded.record)]
    case 'work':
      return [kind, recorded.record.work, toLines(recorded.about), JSON.stringify(recorded.record)]
    case 'feedback': {
      const { on } = recorded
      const [turn, message] = 'turn' in on ? [on.turn, ''] : ['', `@${on.message}`]
      return [kind, turn, message, JSON.stringify(recorded.feedback)]
    }
    case 'edited':
      return [kind, '', recorded.message, '']
    default:
      return recorded satisfies never
  }
}

/** No channel has ids with a line break: one could not be told apart from two. */
const toLines = (messages: readonly string[]): string =>
  [...new Set(messages)].flatMap((id) => (id.includes('\n') ? [] : [`@${id}`])).join('\n')

/** The decision, and whether it is ignored; of one that is, what it says of an earlier answer. */
export function toRouteArgs(decision: Decision): readonly [string, string] {
  if (decision.act !== 'ignore') return [JSON.stringify(decision), '0']
  const { on, feedback } = decision
  return [on === undefined || !feedback ? '' : `${on}\n${JSON.stringify(feedback)}`, '1']
}
