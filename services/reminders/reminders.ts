// Reminders: set by /remind or by the model, once or again and again, in the zone of whoever sets them, and told by timers of the conversation
// (infra/decisions/035). Each person has their own; in a group owners and administrators may cancel any.
import type { Effect } from '#shared/feature/effect.ts'
import type { Localised } from '#shared/chat/message.ts'
import { toSafeName } from '#shared/chat/people.ts'
import type { Capability } from '#shared/feature/capability.ts'
import type { CommandContext, CommandInfo, Feature } from '#shared/feature/feature.ts'
import type { Ports } from '#shared/feature/ports.ts'
import { say } from '#shared/feature/say.ts'
import { fire } from './due.ts'
import { answerList, list } from './list.ts'
import { set, type RemindersDeps } from './set.ts'
import { slice, type Change, type Reminders } from './slice.ts'
import { createTools } from './tools.ts'
import { answerZone, askZone, endZone } from './zone-question.ts'

const usage: Localised = {
  zh: '先写时间，再写内容：`/remind 明天上午9点 浇花`、`/remind 20分钟后 喝茶`、`/remind 每天早上8点 吃药`、`/remind 每周一、四 19:00 上课`、`/remind cron 0 9 * * 1 周报`。`/reminders` 列出和取消。',
  en: 'Write the time and then the text: `/remind tomorrow 9am water the plants`, `/remind in 20 minutes tea`, `/remind every weekday 9:00 stand-up`, `/remind every Monday and Thursday 19:00 class`, `/remind cron 0 9 * * 1 report`. `/reminders` lists and cancels them.',
}

const remindCommand: CommandInfo = {
  name: 'remind',
  help: {
    zh: '设提醒，例如 /remind 明天上午9点 浇花',
    en: 'set a reminder, such as /remind tomorrow 9am water the plants',
  },
  more: usage,
  topic: 'time',
}
const listCommand: CommandInfo = {
  name: 'reminders',
  help: { zh: '列出和取消你的提醒', en: 'list and cancel your reminders' },
  more: {
    zh: '`/reminders` 列出你在这里的提醒，用按钮取消。`/reminders all` 列出群里所有人的，供主人和管理员用。',
    en: '`/reminders` lists yours of this chat, with buttons that cancel them. `/reminders all` lists those of everybody in a group, for owners and administrators.',
  },
  topic: 'time',
  admins: 'with-args',
}

type RemindersPorts = Pick<Ports, 'people' | 'clock'> & { readonly calendar: Pick<RemindersDeps, 'next'> }

export const remindersCapability: Capability<RemindersPorts> = {
  commands: [remindCommand, listCommand],
  create: ({ people, clock, calendar }) => createReminders({ ...people, ...clock, ...calendar }),
}

export function createReminders(deps: RemindersDeps): Feature<Reminders, Change> {
  return {
    name: 'reminders',
    slice,
    commands: [
      { ...remindCommand, run: (context) => remind(deps, context) },
      { ...listCommand, readsOnly: true, run: async (context) => list(deps, context) },
    ],
    tools: createTools(deps),
    questions: {
      zone: { answer: (context) => answerZone(deps, context), expired: async (context) => endZone(deps, context) },
      list: { answer: async (context) => answerList(deps, context) },
    },
    timers: { due: { due: async (context) => fire(deps, context) } },
  }
}

async function remind(deps: RemindersDeps, context: CommandContext<Reminders>): Promise<readonly Effect<Change>[]> {
  const { args, event, language } = context
  if (args.trim() === '') return say(language, usage.zh, usage.en)
  const name = event.group && event.name !== undefined ? toSafeName(event.name) : undefined
  const setter = { ...context, name, zone: await context.zone() }
  const wanted = { typed: args }
  const setting = set(deps, wanted, setter)
  if (setting.kind === 'needs-zone') return [askZone(wanted, setter)]
  return [...setting.effects, { kind: 'send', text: setting.text }]
}
