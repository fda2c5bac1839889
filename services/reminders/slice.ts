// The reminders of a conversation, of all people in it. Each goes with any of the messages that it comes from.
import { z } from 'zod'
import type { PrincipalId } from '#shared/chat/conversation.ts'
import { languages } from '#shared/chat/message.ts'
import { keptOf, ours, peek } from '#shared/feature/kept.ts'
import { storable, type Slice } from '#shared/feature/slice.ts'

const kinds = ['once', 'daily', 'weekdays', 'weekly', 'cron'] as const
const reminder = z.object({
  /** Counted in each conversation. */
  id: z.number().int().positive(),
  who: ours,
  /** What it says, and how a group calls its person. */
  said: keptOf(z.object({ text: z.string(), name: z.string().exactOptional() })),
  kind: z.enum(kinds),
  /** Where it was set; absent where it was not known, and not needed. */
  zone: ours.optional(),
  dueMs: z.number(),
  /** A cron expression, of what comes again. */
  every: ours.optional(),
  /** In which it speaks: that of whoever set it. */
  language: z.enum(languages),
})
export type Reminder = z.infer<typeof reminder>
/** When it comes. */
export type Timing = Pick<Reminder, 'kind' | 'dueMs'> & {
  readonly zone?: string | undefined
  readonly every?: string | undefined
}

const own = z.object({ last: z.number(), reminders: z.array(reminder).readonly() })
export type Reminders = z.infer<typeof own>

export type Change =
  | { readonly add: Reminder }
  | { readonly drop: readonly number[] }
  /** Was told of; `dueMs` when it comes again. */
  | { readonly told: readonly { readonly id: number; readonly dueMs: number | undefined }[] }

export const slice: Slice<Reminders, Change> = {
  schema: storable(own),
  fresh: { last: 0, reminders: [] },
  fold,
  inNewSession: (all) => all,
  atRest: (all) => all,
  forget: (all, id) =>
    all.reminders.some(({ said }) => said.about.includes(id))
      ? { ...all, reminders: all.reminders.filter(({ said }) => !said.about.includes(id)) }
      : all,
}

function fold(all: Reminders, change: Change): Reminders {
  if ('add' in change)
    return { last: Math.max(all.last, change.add.id), reminders: [...all.reminders, change.add].toSorted(byTime) }
  if ('drop' in change) return { ...all, reminders: all.reminders.filter(({ id }) => !change.drop.includes(id)) }
  const told = new Map(change.told.map(({ id, dueMs }) => [id, dueMs]))
  const left = all.reminders.flatMap((one) => {
    if (!told.has(one.id)) return [one]
    const dueMs = told.get(one.id)
    return dueMs === undefined ? [] : [{ ...one, dueMs }]
  })
  return { ...all, reminders: left.toSorted(byTime) }
}

const byTime = (one: Reminder, other: Reminder): number => one.dueMs - other.dueMs || one.id - other.id

const mostOfOne = 50
/** Below what a slice may have, so that what changes in it later never fails. */
const mostChars = 15_000

/** Why there is no room for one more. */
export function findFull(all: Reminders, more: Reminder): 'person' | 'chat' | undefined {
  if (ofPerson(all, more.who).length >= mostOfOne) return 'person'
  return JSON.stringify(fold(all, { add: more })).length > mostChars ? 'chat' : undefined
}

export const ofPerson = ({ reminders }: Reminders, who: PrincipalId): readonly Reminder[] =>
  reminders.filter((one) => one.who === who)

/** One that says the same at the same time to the same person. */
export const findSame = (all: Reminders, one: Reminder): Reminder | undefined =>
  ofPerson(all, one.who).find(
    ({ said, dueMs, every, zone }) =>
      peek([said, one.said], ([known, more]) => known?.text === more?.text) &&
      dueMs === one.dueMs &&
      every === one.every &&
      zone === one.zone,
  )
