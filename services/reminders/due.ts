// A timer fired. All of the conversation that is due by now is told in one message, so that after an outage there is one and not fifty; each of
// the others finds at its own timer that it was told of, and arms itself anew if it comes again.
import type { TimerContext } from '#shared/feature/feature.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import { tell } from '#shared/feature/kept.ts'
import type { Language } from '#shared/chat/message.ts'
import { longestMs, toWall } from './resolve.ts'
import { arm, type RemindersDeps } from './set.ts'
import type { Change, Reminder, Reminders, Timing } from './slice.ts'
import { toMoment, toTime, type Speaking } from './words.ts'

/** Later than this is said to be late; timers fire within a second or two. */
const lateAfterMs = 120_000

/** What became of one that was due. */
type Told = {
  readonly one: Reminder
  readonly text: string
  /** As a group calls its person. */
  readonly name?: string
  /** Of what comes again. */
  readonly nextMs: number | undefined
}

export function fire(deps: RemindersDeps, { event, slice }: TimerContext<Reminders>): readonly StepEffect<Change>[] {
  const own = slice.reminders.find(({ id }) => String(id) === event.key)
  // It was forgotten or cancelled.
  if (!own) return []
  const armedMs = Number(event.payload) || own.dueMs
  // Redis' clock says what is due, and may be a little ahead of this one.
  const nowMs = Math.max(deps.now(), armedMs)
  const due = slice.reminders.filter(({ dueMs }) => dueMs <= nowMs)
  if (own.dueMs > nowMs) return [arm(own, nowMs)]
  const told = due.map((one) => ({ one, nextMs: findNext(deps, one, nowMs) }))
  const ownNextMs = told.find(({ one }) => one === own)?.nextMs
  const said = tell(
    due.map((one) => one.said),
    (all) =>
      toText(
        told.flatMap((each, at) => (all[at] ? { ...each, ...all[at] } : [])),
        nowMs,
      ),
  )
  return [
    { kind: 'change', change: { told: told.map(({ one: { id }, nextMs }) => ({ id, dueMs: nextMs })) } },
    said,
    // Only its own: a timer is about the messages of the step that arms it, and goes with them.
    ...(ownNextMs === undefined ? [] : [arm({ id: own.id, dueMs: ownNextMs }, nowMs)]),
  ]
}

function findNext({ next }: RemindersDeps, { every, zone }: Reminder, nowMs: number): number | undefined {
  const nextMs = every === undefined ? undefined : next(every, zone ?? 'UTC', nowMs)
  return nextMs === undefined || nextMs - nowMs > longestMs ? undefined : nextMs
}

/** Each person's part in the language in which they set it. */
function toText(told: readonly Told[], nowMs: number): string {
  const people = Map.groupBy(told, ({ one }) => one.who)
  return [...people.values()].map((theirs) => toPart(theirs, nowMs)).join('\n\n')
}

function toPart(told: readonly Told[], nowMs: number): string {
  const language = told[0]?.one.language ?? 'en'
  const name = told.find((each) => each.name !== undefined)?.name
  const isLate = told.some(({ one }) => nowMs - one.dueMs > lateAfterMs)
  const lines = told.map((each) => toLine(each, { language, nowMs }))
  const title = toTitle(language, { isLate, isOne: told.length === 1 })
  const to =
    name === undefined ? title : language === 'zh' ? `${name}，${title}` : `${name}, ${title.replace(/^R/, 'r')}`
  const colon = language === 'zh' ? '：' : ':'
  if (told.length > 1) return `${to}${colon}\n${lines.map((line) => `- ${line}`).join('\n')}`
  return `${to}${colon}${language === 'zh' ? '' : ' '}${lines.join('')}`
}

function toTitle(language: Language, { isLate, isOne }: { readonly isLate: boolean; readonly isOne: boolean }): string {
  if (language === 'zh') return isLate ? '提醒（来晚了，之前没能发出）' : '提醒'
  const title = isOne ? 'Reminder' : 'Reminders'
  return isLate ? `${title}, late since I could not send before` : title
}

/** Its text, and what is not as usual about it. */
function toLine({ one, text, nextMs }: Told, speaking: Speaking): string {
  const { language, nowMs } = speaking
  const notes = [
    ...(nowMs - one.dueMs > lateAfterMs ? [sayDue(one, speaking)] : []),
    ...sayShifted(one, language),
    ...(one.every !== undefined && nextMs === undefined
      ? [language === 'zh' ? '一年之内不会再来，到此结束' : 'it does not come again within a year, so it ends here']
      : []),
  ]
  if (notes.length === 0) return text
  return language === 'zh' ? `${text}（${notes.join('；')}）` : `${text} (${notes.join('; ')})`
}

function sayDue({ dueMs, zone }: Reminder, speaking: Speaking): string {
  const moment = toMoment(dueMs, zone ?? 'UTC', speaking)
  const where = zone === undefined ? ' UTC' : ''
  return speaking.language === 'zh' ? `原定 ${moment}${where}` : `due ${moment}${where}`
}

/** A time that the night left out. */
function sayShifted({ kind, every, zone = 'UTC', dueMs }: Timing, language: Language): readonly string[] {
  if (kind === 'once' || kind === 'cron' || every === undefined) return []
  const [minute = '', hour = ''] = every.split(' ')
  const wanted = Number(hour) * 60 + Number(minute)
  if (toWall(dueMs, zone).minute === wanted) return []
  const time = toTime(wanted)
  return [language === 'zh' ? `今天时钟拨快，没有 ${time}` : `the clocks went forward and left out ${time}`]
}
