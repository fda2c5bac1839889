// The reminders as tools of the model. What they did they say in their result, and it happens in the unit that journals it: so a call that is
// made anew after a crash sets nothing twice.
import { z } from 'zod'
import type { StepEffect } from '#shared/feature/effect.ts'
import { retell } from '#shared/feature/kept.ts'
import type { Tool, ToolContext, ToolResult } from '#shared/model/tool.ts'
import { cancel } from './list.ts'
import { set, toTyped, type RemindersDeps } from './set.ts'
import { ofPerson, type Change, type Reminders } from './slice.ts'
import { toSchedule } from './words.ts'
import { askZone } from './zone-question.ts'

const wanted = z.object({ when: z.string().min(1).max(200), text: z.string().min(1).max(1000) })
const which = z.object({ id: z.coerce.number().int().positive() })

/** Short, since it goes into every prompt. */
const forms =
  'Their local time: "in 20 minutes", "tomorrow 9am", "2026-12-03 09:00", "every day 8:00", "every weekday 9:00", "every monday 19:00", "cron 0 9 1 * *", "明天上午九点"'

const done = (text: string, effects: readonly StepEffect<Change>[] = []): ToolResult<Change> => ({
  text,
  source: 'own',
  ...(effects.length > 0 ? { effects } : {}),
})

export function createTools(deps: RemindersDeps): readonly Tool<Reminders, Change>[] {
  return [
    {
      name: 'reminder_set',
      summary: { zh: '到时间在这里提醒你。', en: 'Reminds you here at a time.' },
      description: 'Sends the text to the person here at that time. Only if they ask for a reminder.',
      parameters: {
        type: 'object',
        properties: {
          when: { type: 'string', description: forms },
          text: { type: 'string', maxLength: 200 },
        },
        required: ['when', 'text'],
      },
      effect: 'write-local',
      onCrash: 'rerun',
      run: async (input, context) => await setByTool(deps, input, context),
    },
    {
      name: 'reminder_list',
      summary: { zh: '列出你在这里的提醒。', en: 'Lists your reminders here.' },
      description: 'Lists the reminders of the person here.',
      parameters: { type: 'object', properties: {} },
      effect: 'read',
      onCrash: 'rerun',
      listing: 'rare',
      run: async (_, context) => listByTool(deps, context),
    },
    {
      name: 'reminder_cancel',
      summary: { zh: '取消一个提醒。', en: 'Cancels a reminder.' },
      description: 'Cancels one by its id in reminder_list.',
      parameters: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
      effect: 'write-local',
      onCrash: 'rerun',
      listing: 'rare',
      run: async (input, { slice, principal }) => {
        const { id } = which.parse(input)
        const one = ofPerson(slice, principal).find((each) => each.id === id)
        if (!one)
          return done(
            `Nothing is cancelled: this person has no reminder ${id} here. Those of others are cancelled by /reminders all, by owners and administrators.`,
          )
        return done(`Reminder ${id} is cancelled.`, cancel(id))
      },
    },
  ]
}

async function setByTool(
  deps: RemindersDeps,
  input: unknown,
  context: ToolContext<Reminders>,
): Promise<ToolResult<Change>> {
  const { when, text } = wanted.parse(input)
  const request = { typed: when, text }
  const setter = { ...context, name: context.people[context.principal], zone: await context.zone() }
  const setting = set(deps, request, setter)
  if (setting.kind !== 'needs-zone') return done(setting.text, setting.effects)
  return done(
    `Not set yet: the time zone of the person is not known. A card asks them for it now; "${toTyped(request)}" is set once they have chosen there. Tell them so.`,
    [askZone(request, setter)],
  )
}

function listByTool(deps: RemindersDeps, context: ToolContext<Reminders>): ToolResult<Change> {
  const { slice, principal, language } = context
  const speaking = { language, nowMs: deps.now() }
  const mine = ofPerson(slice, principal)
  if (mine.length === 0) return done('This person has no reminders in this conversation.')
  const heads = mine.map((one) => `${one.id}: ${toSchedule(one, speaking)}`)
  const said = mine.map((one) => one.said)
  return { text: retell(said, context, (all) => all.map(({ text }, at) => `${heads[at]}: ${text}`).join('\n')) }
}
