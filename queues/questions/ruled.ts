// What the router says of an event, as the unit `route` takes it: a decision, and whether it is ignored; or what was said as an answer.
import type { Decision, Ruling } from '#shared/chat/decision.ts'
import { toRouteArgs } from '#queues/records/record-args.ts'

/** What holds unless an answer wins, as records take it; then whether that ignores, or the answer as answers.lua reads it. */
export function toRuled(ruling: Ruling): readonly [string, string] {
  if (ruling.act !== 'answer') return toRouteArgs(ruling)
  const { answer, asAdmin, otherwise, rule } = ruling
  const { messages: [message] = [], about: _, payload: _2, ...event } = answer
  const applied: Decision = { v: 1, act: 'apply', rule }
  const [held, ignored] = toRouteArgs(otherwise)
  const said = [
    ignored,
    answer.question,
    answer.principal,
    answer.choice,
    asAdmin ? '1' : '0',
    message === undefined ? '' : JSON.stringify(message),
    JSON.stringify(applied),
    JSON.stringify(event),
  ]
  return [held, said.join('\n')]
}
