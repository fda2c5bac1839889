// Which open question words may be meant for that are no answer by the router's rules (infra/decisions/034): the number of an option where names have
// numbers, the beginning of a label. They are a message all the same; below what is said to them stands that the question is still open. Pure.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { ChatEvent } from '#shared/chat/event.ts'
import { toLook } from '#shared/feature/inert.ts'
import type { Asking, Shown } from '#services/executor/state/asking.ts'
import { toNormalForm } from '#shared/chat/normal-form.ts'

/** What is longer says more than an option. */
const longestChars = 64
/** Shorter ones stand in too many labels. */
const shortestPart = 3

/** An answer is an event of its own; what replies says itself what it is about. */
export function findMeantBy(
  state: Asking | undefined,
  [event, ...more]: readonly ChatEvent[],
  nowMs: number,
): Shown | undefined {
  return event?.kind === 'message' && !event.replyTo && more.length === 0 ? findMeant(state, event, nowMs) : undefined
}

/** The only one that is open to this person and has such an option. */
function findMeant(
  state: Asking | undefined,
  { text, principal }: { readonly text: string; readonly principal: PrincipalId },
  nowMs: number,
): Shown | undefined {
  const open = state?.shown.filter(({ to, until }) => until > nowMs && (to === principal || to === '*')) ?? []
  // As a rule nothing is asked.
  if (text.length > longestChars || open.length === 0) return undefined
  const look = toLook(text)
  const place = toPlace(text)
  const [found, ...others] = open.filter(
    ({ labels }) => (labels.length > 1 && place <= labels.length) || labels.some((label) => isPart(look, label)),
  )
  return others.length === 0 ? found : undefined
}

function isPart(look: string, label: string): boolean {
  const whole = toLook(label)
  if (look.length < 2 || whole.length < 2) return false
  return whole.startsWith(look) || look.includes(whole) || (look.length >= shortestPart && whole.includes(look))
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth']
const han = '一二三四五六'

/** Infinity for what is no place in a list. */
function toPlace(text: string): number {
  const said = toNormalForm(text, 'NFKC').trim().toLowerCase()
  const [, digits] = /^(?:(?:option|number|no\.?|选项|选|第) ?)?(\d{1,2})[.)。]?(?:个|项|号)?$/.exec(said) ?? []
  if (digits !== undefined) return Number(digits) || Infinity
  const [, word = ''] = /^(?:the )?([a-z]{5,6})(?: (?:one|option))?[.!]?$/.exec(said) ?? []
  const [, sign = ''] = /^(?:选项|选|第)([一二三四五六])(?:个|项|号)?。?$/.exec(said) ?? []
  const at = sign === '' ? ordinals.indexOf(word) : han.indexOf(sign)
  return at < 0 ? Infinity : at + 1
}
