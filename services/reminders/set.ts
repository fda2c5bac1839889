// Sets a reminder from what somebody wrote, for the command, the tool and the card that asks for a zone alike. Nothing is set twice: what says
// the same at the same time is there already.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { Language } from '#shared/chat/message.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import { toOurs, type Keep } from '#shared/feature/kept.ts'
import { readWhen, toLine } from '#services/reminders/read/read-when.ts'
import { mostTextChars, sayRefusal, type Refusal } from './refusals.ts'
import { resolve, toWall, type NextMoment } from './resolve.ts'
import type { Clock, People } from '#shared/feature/ports.ts'
import { findFull, findSame, type Change, type Reminder, type Reminders, type Timing } from './slice.ts'
import { needsZone, type When } from '#services/reminders/read/when.ts'
import { sayMissing, toSchedule } from './words.ts'

export type RemindersDeps = Pick<People, 'setZone'> & Pick<Clock, 'now'> & { readonly next: NextMoment }

/** As it was asked for. `text` when it was given apart from the time. */
export type Wanted = { readonly typed: string; readonly text?: string | undefined }

/** For whom, and where it is kept. */
export type Setter = {
  readonly principal: PrincipalId
  /** As a group sees them. */
  readonly name: string | undefined
  readonly language: Language
  readonly keep: Keep
  readonly slice: Reminders
  readonly zone: string | undefined
}

export type Setting =
  | { readonly kind: 'set' | 'refused'; readonly text: string; readonly effects: readonly StepEffect<Change>[] }
  | { readonly kind: 'needs-zone' }

export function set(deps: RemindersDeps, wanted: Wanted, setter: Setter): Setting {
  const read = readWanted(wanted)
  const refuse = (why: Refusal): Setting => ({
    kind: 'refused',
    text: sayRefusal(why, toTyped(wanted), setter.language),
    effects: [],
  })
  if (typeof read === 'string') return refuse(read)
  const { when, text } = read
  const zone = when.zone ?? setter.zone
  if (zone === undefined && needsZone(when)) return { kind: 'needs-zone' }
  const nowMs = deps.now()
  const due = resolve(when, { nowMs, zone: zone ?? 'UTC', next: deps.next })
  if (due.kind === 'refused') return refuse(due.why)
  const reminder = toReminder({ ...setter, zone }, { when, text, dueMs: due.dueMs, every: due.every })
  const speaking = { language: setter.language, nowMs }
  const same = findSame(setter.slice, reminder)
  if (same)
    return {
      kind: 'set',
      text: sayThere({ id: same.id, text }, toSchedule(same, speaking), setter.language),
      effects: [],
    }
  const full = findFull(setter.slice, reminder)
  if (full) return refuse(`full-${full}`)
  const said = saySet({ id: reminder.id, text }, toSchedule(reminder, speaking), setter.language)
  const first = sayFirst(reminder, speaking)
  const missing = due.missing === undefined ? '' : `\n${sayMissing(due.missing, reminder, speaking)}`
  return {
    kind: 'set',
    text: `${said}${first}${missing}`,
    effects: [{ kind: 'change', change: { add: reminder } }, arm(reminder, nowMs)],
  }
}

type Read = { readonly when: When; readonly text: string }

function readWanted({ typed, text }: Wanted): Read | Refusal {
  const reading = readWhen(typed)
  if (reading.kind === 'unread') return reading.why
  if (text !== undefined && reading.rest !== '') return 'two-texts'
  const said = toLine(text ?? reading.rest)
  if (said === '') return 'no-text'
  if (said.length > mostTextChars) return 'long-text'
  return { when: reading.when, text: said }
}

export const toTyped = ({ typed, text }: Wanted): string => (text === undefined ? typed : `${typed} ${text}`)

function toReminder(
  { principal, name, language, keep, slice, zone }: Setter,
  { when, text, dueMs, every }: Read & { readonly dueMs: number; readonly every: string | undefined },
): Reminder {
  return {
    id: slice.last + 1,
    who: toOurs(principal),
    said: keep({ text: text.toWellFormed(), ...(name === undefined ? {} : { name }) }),
    kind: when.kind === 'in' ? 'once' : when.kind,
    ...(zone === undefined ? {} : { zone: toOurs(zone) }),
    dueMs,
    ...(every === undefined ? {} : { every: toOurs(every) }),
    language,
  }
}

/** The timer of a reminder; its payload says for which of its times. */
export const arm = ({ id, dueMs }: Pick<Reminder, 'id' | 'dueMs'>, nowMs: number): StepEffect<Change> => ({
  kind: 'timer',
  timer: 'due',
  key: String(id),
  inMs: Math.max(0, dueMs - nowMs),
  payload: String(dueMs),
})
export const disarm = (id: number): StepEffect<Change> => ({ kind: 'disarm', timer: 'due', key: String(id) })

type Said = { readonly id: number; readonly text: string }
const saySet = ({ id, text }: Said, schedule: string, language: Language): string =>
  language === 'zh' ? `提醒 ${id}：${schedule}，${text}` : `Reminder ${id}, ${schedule}: ${text}`
const sayThere = ({ id, text }: Said, schedule: string, language: Language): string =>
  language === 'zh'
    ? `这个提醒已经有了，是 ${id}：${schedule}，${text}`
    : `That is set already, as reminder ${id}, ${schedule}: ${text}`

/** Of what comes again on certain days, when it does so first. */
function sayFirst(
  { kind, dueMs, zone = 'UTC' }: Timing,
  { language, nowMs }: { language: Language; nowMs: number },
): string {
  if (kind === 'once' || kind === 'cron') return ''
  const days = Math.round((toWall(dueMs, zone).date - toWall(nowMs, zone).date) / 86_400_000)
  const date = new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-GB', {
    timeZone: zone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
  }).format(dueMs)
  const near = language === 'zh' ? ['今天', '明天'] : ['today', 'tomorrow']
  return language === 'zh' ? `（第一次：${near[days] ?? date}）` : ` (first ${near[days] ?? date})`
}
