// What the reminders say of times, in both languages.
import type { Language, Localised } from '#shared/chat/message.ts'
import type { Reminder, Timing } from './slice.ts'
import { toWall } from './resolve.ts'

const locales: Localised = { zh: 'zh-CN', en: 'en-GB' }

/** A day and a time, with the year where it is another. */
export function toMoment(atMs: number, zone: string, { language, nowMs }: Speaking): string {
  const isOtherYear = toWall(atMs, zone).year !== toWall(nowMs, zone).year
  return new Intl.DateTimeFormat(locales[language], {
    timeZone: zone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(isOtherYear ? { year: 'numeric' } : {}),
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(atMs)
}

export type Speaking = { readonly language: Language; readonly nowMs: number }

const two = (number: number): string => String(number).padStart(2, '0')
export const toTime = (minute: number): string => `${two(Math.floor(minute / 60) % 24)}:${two(minute % 60)}`

/** How long it is until then, in whole units. */
function toSpan(ms: number, language: Language): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  const minutes = Math.round(seconds / 60)
  const parts = [
    [Math.floor(minutes / 1440), '天', 'day'],
    [Math.floor(minutes / 60) % 24, '小时', 'hour'],
    [minutes % 60, '分钟', 'minute'],
  ] as const
  const said = seconds < 60 ? ([[seconds, '秒', 'second']] as const) : parts.filter(([count]) => count > 0)
  return said
    .map(([count, zh, en]) => (language === 'zh' ? `${count} ${zh}` : `${count} ${en}${count === 1 ? '' : 's'}`))
    .join(' ')
}

const weekdays = {
  zh: ['日', '一', '二', '三', '四', '五', '六'],
  en: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
} as const

/** When it comes, and where. */
export function toSchedule({ kind, zone, dueMs, every = '' }: Timing, speaking: Speaking): string {
  const { language, nowMs } = speaking
  const isChinese = language === 'zh'
  if (zone === undefined)
    return isChinese ? `${toSpan(dueMs - nowMs, language)}后` : `in ${toSpan(dueMs - nowMs, language)}`
  const [minute = '', hour = '', , , days = ''] = every.split(' ')
  const time = toTime(Number(hour) * 60 + Number(minute))
  const moment = toMoment(dueMs, zone, speaking)
  const names = days.split(',').map((day) => weekdays[language][Number(day)] ?? day)
  const said: Readonly<Record<Reminder['kind'], string>> = isChinese
    ? {
        once: moment,
        daily: `每天 ${time}`,
        weekdays: `工作日 ${time}`,
        weekly: `每周${names.join('、')} ${time}`,
        cron: `按 cron \`${every}\`，下一次 ${moment}`,
      }
    : {
        once: moment,
        daily: `every day at ${time}`,
        weekdays: `every weekday at ${time}`,
        weekly: `every ${names.join(', ')} at ${time}`,
        cron: `by cron \`${every}\`, next ${moment}`,
      }
  return isChinese ? `${said[kind]}（${zone}）` : `${said[kind]} (${zone})`
}

/** What is done where the night leaves a time out. */
export function sayMissing(missing: number, reminder: Reminder, { language }: Speaking): string {
  const { dueMs, zone = 'UTC' } = reminder
  const instead = toTime(toWall(dueMs, zone).minute)
  return language === 'zh'
    ? `那天时钟拨快，没有 ${toTime(missing)}：我会在 ${instead} 提醒。`
    : `The clocks go forward that day and leave out ${toTime(missing)}: then I remind you at ${instead}.`
}

const mostEchoChars = 500
/** What somebody typed, so that nothing in it reads as Markdown. */
export function quote(typed: string): string {
  const line = typed.replaceAll(/[`\s]+/g, ' ').trim()
  const cut = line.length > mostEchoChars ? `${line.slice(0, mostEchoChars).toWellFormed()}…` : line
  return `\`${cut}\``
}
