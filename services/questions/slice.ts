// What a conversation's model has asked people in this session, so that nobody is asked the same again, or too much. A private answer is not kept.
import { z } from 'zod'
import { keptOf, ours, type Kept } from '#shared/feature/kept.ts'
import { storable, type Slice } from '#shared/feature/slice.ts'

const one = z.object({
  id: ours,
  for: ours,
  /** `*`: anybody here. */
  to: ours,
  at: z.number(),
  /** What it asks; none once the session is over. */
  question: keptOf(z.string()).exactOptional(),
  state: z.enum(['open', 'answered', 'over']),
  answer: keptOf(z.string()).exactOptional(),
  isPrivate: z.literal(true).exactOptional(),
})
export type AskedOnce = z.infer<typeof one>
const own = z.object({ next: z.number(), asked: z.array(one) })
export type Questions = z.infer<typeof own>

type End = {
  readonly id: string
  readonly state: 'answered' | 'over'
  readonly answer?: Kept
}
export type Change = { readonly add: AskedOnce } | { readonly end: End }

const mostChars = 12_000
/** Of a question and of an answer so much is kept. */
export const longestKept = { question: 160, answer: 200 }
const mostAbout = 8

export const slice: Slice<Questions, Change> = {
  schema: storable(own),
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
    asked: asked.map((each) => (aboutOf(each).includes(id) ? emptied(each) : each)),
  }),
}

const emptied = ({ id, for: whose, to, at, isPrivate }: AskedOnce): AskedOnce => ({
  id,
  for: whose,
  to,
  at,
  // Whom somebody has asked in private is counted.
  ...(isPrivate ? { isPrivate } : {}),
  state: 'over',
})

const aboutOf = ({ question, answer }: Pick<AskedOnce, 'question' | 'answer'>): readonly string[] => [
  ...new Set([...(question?.about ?? []), ...(answer?.about ?? [])]),
]

/** Of what comes of many messages nothing is kept that could be forgotten. */
function shorten({ question, ...each }: AskedOnce): AskedOnce {
  return question === undefined || question.about.length > mostAbout ? each : { ...each, question }
}

function toEnded(each: AskedOnce, { state, answer }: End): AskedOnce {
  if (each.state !== 'open') return each
  const isKept = answer !== undefined && !each.isPrivate && each.question !== undefined
  const ended = { ...each, state, ...(isKept ? { answer } : {}) }
  return aboutOf(ended).length > mostAbout ? { ...emptied(each), state } : ended
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
