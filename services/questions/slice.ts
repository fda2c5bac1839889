// What a conversation's model has asked people in this session, so that nobody is asked the same again, or too much. A private answer is not kept.
import { z } from 'zod'
import { principalId, type PrincipalId } from '#shared/chat/conversation.ts'
import type { Slice } from '#shared/feature/slice.ts'

const one = z.object({
  id: z.string(),
  for: principalId,
  to: z.union([principalId, z.literal('*')]),
  at: z.number(),
  /** What it asks; empty once the session is over. */
  question: z.string(),
  state: z.enum(['open', 'answered', 'over']),
  answer: z.string().exactOptional(),
  /** Another than for whom it was asked has answered it. */
  others: z.literal(true).exactOptional(),
  isPrivate: z.literal(true).exactOptional(),
  /** Platform ids of the messages that it comes of. */
  about: z.array(z.string()),
})
export type AskedOnce = z.infer<typeof one>
const own = z.object({ next: z.number(), asked: z.array(one) })
export type Questions = z.infer<typeof own>

type End = {
  readonly id: string
  readonly state: 'answered' | 'over'
  readonly answer?: string
  readonly by?: PrincipalId
  readonly about?: readonly string[]
}
export type Change = { readonly add: AskedOnce } | { readonly end: End }

const mostChars = 12_000
const longestQuestion = 160
const longestAnswer = 200
const mostAbout = 8

export const slice: Slice<Questions, Change> = {
  schema: own,
  fresh: { next: 1, asked: [] },
  fold: (before, change) =>
    'add' in change
      ? bound({ next: before.next + 1, asked: [...before.asked, shorten(change.add)] })
      : bound({
          ...before,
          asked: before.asked.map((each) => (each.id === change.end.id ? toEnded(each, change.end) : each)),
        }),
  // What is asked in a direct chat goes on; of the rest only how much was asked counts.
  inNewSession: ({ next, asked }) => ({
    next,
    asked: asked.map((each) => (each.isPrivate && each.state === 'open' ? each : emptied(each))),
  }),
  forget: ({ next, asked }, id) => ({
    next,
    asked: asked.map((each) => (each.about.includes(id) ? emptied(each) : each)),
  }),
}

const emptied = ({ id, for: whose, to, at, isPrivate }: AskedOnce): AskedOnce => ({
  id,
  for: whose,
  to,
  at,
  // Whom somebody has asked in private is counted.
  ...(isPrivate ? { isPrivate } : {}),
  question: '',
  state: 'over',
  about: [],
})

/** Of what comes of many messages nothing is kept that could be forgotten. */
function shorten(each: AskedOnce): AskedOnce {
  const isMany = each.about.length > mostAbout
  const question = isMany ? '' : each.question.slice(0, longestQuestion).toWellFormed()
  return { ...each, question, about: isMany ? [] : each.about }
}

function toEnded(each: AskedOnce, { state, answer, by, about = [] }: End): AskedOnce {
  if (each.state !== 'open') return each
  const isKept = answer !== undefined && !each.isPrivate && each.question !== ''
  const all = [...new Set([...each.about, ...(isKept ? about : [])])]
  if (all.length > mostAbout) return { ...emptied(each), state }
  return {
    ...each,
    state,
    about: all,
    ...(isKept ? { answer: answer.slice(0, longestAnswer).toWellFormed() } : {}),
    ...(by !== undefined && by !== each.for ? { others: true } : {}),
  }
}

/** The oldest go first, and what is open in a direct chat last. */
function bound(all: Questions): Questions {
  let { asked } = all
  while (asked.length > 1 && JSON.stringify(asked).length > mostChars) {
    const at = asked.findIndex((each) => !(each.isPrivate && each.state === 'open'))
    asked = asked.toSpliced(Math.max(0, at), 1)
  }
  return { ...all, asked }
}
