// Messages of other conversations that came into this one without their knowing: what a feature gave to a prompt, and what a reader wrote. Their own
// conversations are told, so that what is forgotten there is forgotten here too (infra/decisions/093).
import { z } from 'zod'
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import type { LetterEvent } from '#shared/chat/event.ts'
import type { CameOf } from '#shared/feature/came-of.ts'
import type { Letter } from '#shared/run/step.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import { forgottenLetter, reportLetter } from '#services/executor/state/features.ts'
import type { ConversationState } from '#services/executor/state/state.ts'
import { tell, toForeign } from '#services/executor/state/told.ts'

/** Of so many it is known that they were reported; one that is older is reported again. */
const mostReported = 400
const mostOfOne = 200
const names = z.array(z.string().max(64)).max(mostOfOne)

/** Reports to each conversation what is here of it and was not reported before. */
export function report(
  { conversation, state }: Pick<Claim, 'conversation' | 'state'>,
  from: readonly CameOf[],
  { principal, step }: { readonly principal: PrincipalId; readonly step: string },
): { readonly state: ConversationState; readonly letters: readonly Letter[] } {
  const known = new Set(state.reported)
  const fresh = new Map<ConversationId, Set<string>>()
  for (const { conversation: there, messages } of from)
    for (const message of messages) {
      const name = toForeign(there, message)
      if (there === conversation || known.has(name)) continue
      const all = fresh.get(there) ?? new Set()
      fresh.set(there, all.add(name))
    }
  if (fresh.size === 0) return { state, letters: [] }
  const letters = [...fresh].map(([there, all], nth) =>
    toOwnLetter(reportLetter, { from: conversation, to: there, principal }, `${step}-report-${nth}`, [...all]),
  )
  const reported = [...known, ...[...fresh.values()].flatMap((all) => [...all])].slice(-mostReported)
  return { state: { ...state, reported }, letters }
}

/** What another conversation reports: it is told what of that is forgotten already, and of the rest once that is forgotten. */
export function takeReport(
  { conversation, state }: Pick<Claim, 'conversation' | 'state'>,
  { from, payload, principal }: LetterEvent,
  step: string,
): { readonly state: ConversationState; readonly letters: readonly Letter[] } {
  const all = names.parse(JSON.parse(payload))
  const forgotten = new Set(state.forgotten?.map((id) => toForeign(conversation, id)))
  const gone = all.filter((name) => forgotten.has(name))
  const left = all.filter((name) => !forgotten.has(name))
  const whose = { from: conversation, to: from, principal }
  return {
    state: { ...state, told: tell(state.told, from, left) },
    letters: gone.length === 0 ? [] : [toOwnLetter(forgottenLetter, whose, `${step}-letter-0`, gone)],
  }
}

function toOwnLetter(
  letter: string,
  {
    from,
    to,
    principal,
  }: { readonly from: ConversationId; readonly to: ConversationId; readonly principal: PrincipalId },
  step: string,
  all: readonly string[],
): Letter {
  const event = { v: 1, kind: 'letter', id: `${from}/${step}`, conversation: to, principal, from } as const
  // In the payload: a letter that regards them would be forgotten on its way.
  return { event: { ...event, letter, payload: JSON.stringify(all.slice(-mostOfOne)) } }
}
