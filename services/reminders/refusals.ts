// Why no reminder was set, and what to write instead; what was typed comes with it.
import type { Language, Localised } from '#shared/chat/message.ts'
import type { Due } from './resolve.ts'
import type { Unread } from '#services/reminders/read/when.ts'
import { quote } from './words.ts'

export const mostTextChars = 200

export type Refusal =
  | Unread
  | Extract<Due, { kind: 'refused' }>['why']
  | 'no-text'
  | 'long-text'
  | 'full-person'
  | 'full-chat'
  | 'two-texts'

const reasons: Readonly<Record<Refusal, Localised>> = {
  'no-time': {
    zh: '开头没有我能读懂的时间。请先写时间，再写内容，例如 `/remind 明天上午9点 浇花` 或 `/remind 20分钟后 喝茶`。',
    en: 'I find no time at its beginning that I can read. Write the time first and then the text, such as `/remind tomorrow 9am water the plants` or `/remind in 20 minutes tea`.',
  },
  'ambiguous-hour': {
    zh: '我不知道是上午还是下午。请写清楚，例如“下午3点”或“15:00”。',
    en: 'I do not know which half of the day you mean. Write it out, such as `3pm` or `15:00`.',
  },
  'no-such-time': {
    zh: '钟表上没有这个时间。请写例如“下午3点半”或“15:30”。',
    en: 'There is no such time on a clock. Write one such as `3:30pm` or `15:30`.',
  },
  'unclear-day': {
    zh: '我不能确定是哪一天。请写例如“12月3日 9:00”“下周三 9:00”或 `2026-12-03 09:00`。',
    en: 'I am not sure which day that is. Write one such as `3 December 9:00`, `next Wednesday 9:00` or `2026-12-03 09:00`.',
  },
  interval: {
    zh: '这样的重复我读不懂。可以写“每天”“每个工作日”“每周一、三”，或者用 cron，例如 `/remind cron 0 */2 * * * 喝水`（每两小时）。',
    en: 'I cannot read that repetition. Write `every day`, `every weekday` or `every Monday and Wednesday`, or use cron, such as `/remind cron 0 */2 * * * drink water` (every two hours).',
  },
  condition: {
    zh: '提醒只能是一个时间，或者一种重复，不能有结束日期、例外或“之前/之后”。请只写时间和内容。',
    en: 'A reminder has one time or one repetition, without an end or an exception. Write only the time and the text.',
  },
  'bad-cron': {
    zh: 'cron 表达式要有五个部分（分 时 日 月 星期），而且一年之内会到，例如 `/remind cron 0 9 * * 1 周报`（每周一 9:00）。',
    en: 'A cron expression has five fields (minute, hour, day, month, weekday) and comes within a year, such as `/remind cron 0 9 * * 1 report` (Mondays at 9:00).',
  },
  'unclear-zone': {
    zh: '这个时区缩写在不同国家是不同的时区。请写城市，例如 `9:00 Europe/Dublin` 或“北京时间 9:00”。',
    en: 'That abbreviation means another time zone in each country. Write a city, such as `9:00 Europe/Dublin` or `9:00 Chicago time`.',
  },
  past: {
    zh: '那个时间已经过去了。请写一个将来的时间，例如“明天 9:00”。',
    en: 'That time has passed. Write one that is still to come, such as `tomorrow 9:00`.',
  },
  far: {
    zh: '那是一年多以后，我最多记一年之内的事。请写近一点的时间。',
    en: 'That is more than a year ahead, and I keep reminders for a year at most. Write a time before that.',
  },
  'no-such-day': {
    zh: '日历上没有这一天。请检查月和日。',
    en: 'There is no such day in the calendar. Please check day and month.',
  },
  often: {
    zh: '那太频繁了：一小时最多 12 次。请写少一点的重复，例如 `cron */5 * * * *`（每 5 分钟）。',
    en: 'That is too often: twelve times an hour at most, such as `cron */5 * * * *` (every five minutes).',
  },
  'no-text': {
    zh: '时间我读懂了，但是要提醒什么？请把内容写在时间后面，例如 `/remind 明天上午9点 浇花`。',
    en: 'I can read the time, but what am I to remind you of? Write it after the time, such as `/remind tomorrow 9am water the plants`.',
  },
  'long-text': {
    zh: `提醒的内容最多 ${mostTextChars} 个字。请缩短，或者把全文作为普通消息发出，再设一个简短的提醒。`,
    en: `A reminder has at most ${mostTextChars} characters. Please shorten it, or send the whole as a message and remind yourself of that in a few words.`,
  },
  'full-person': {
    zh: '你在这里已经有 50 个提醒，不能再多了。请先用 `/reminders` 取消一些。',
    en: 'You have 50 reminders here already, and there can be no more. Cancel some with `/reminders` first.',
  },
  'full-chat': {
    zh: '这个聊天的提醒已经放满了。请先用 `/reminders` 取消一些。',
    en: 'There is no more room for reminders in this chat. Cancel some with `/reminders` first.',
  },
  'two-texts': {
    zh: '`when` 里除了时间还有别的内容。请只写时间，把内容写进 `text`。',
    en: '`when` holds more than a time. Give only the time there, and the words in `text`.',
  },
}

/** Nothing of what was typed is lost. */
export function sayRefusal(why: Refusal, typed: string, language: Language): string {
  const reason = reasons[why][language]
  return language === 'zh'
    ? `没有设提醒。${reason}\n你写的是：${quote(typed)}`
    : `No reminder is set. ${reason}\nYou wrote: ${quote(typed)}`
}
