// What somebody has to do or takes on, in English: "I have to renew my passport by May", "I'll write up the incident".
import { hasDay, isOften, isPassing } from './en-signs.ts'
import { noDeed } from './en-words.ts'
import type { Verdict } from './message.ts'

const todo: Verdict = { category: 'todo', topic: 'todo' }

/** To be done: a deed, with what it is done to. */
export function judgeDeed(rest: readonly string[], lows: readonly string[]): Verdict | undefined {
  const [verb = '', object = ''] = rest
  if (verb === '' || /^(?:an?|the|some|more|my)$/u.test(verb)) return undefined
  if (isPassing(lows)) return undefined
  if (isOften(lows) && !hasDay(lows)) return { category: 'fact', topic: 'habit' }
  if (hasDay(lows)) return todo
  if (noDeed.has(verb) || object === '' || /^(?:it|this|that|you|something|now|them|out|off)$/u.test(object))
    return undefined
  return todo
}

export function judgePromise(rest: readonly string[], lows: readonly string[]): Verdict | undefined {
  const [verb = '', object = ''] = rest
  if (/^(?:take|bring|do|get|make|run|leave|come|go|start)$/u.test(verb) && hasDay(lows) && object !== '') return todo
  if (verb === 'be')
    return hasDay(lows) &&
      !isPassing(lows) &&
      /^(?:in|at|on|away|out|off|back|moving|unavailable|travelling|traveling)$/u.test(object)
      ? { category: 'fact', topic: 'plan' }
      : undefined
  if (noDeed.has(verb) && !(verb === 'take' && /^(?:over|care|on)$/u.test(object))) return undefined
  if (isPassing(lows) || object === '' || lows.length < 5) return undefined
  return /^(?:it|this|that|you|the|some)$/u.test(object) && rest.length < 4 && !hasDay(lows) ? undefined : todo
}
