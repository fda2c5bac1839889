// /skills: the procedures that were taught here, and one of them as YAML, which whoever may change what holds here edits or has forgotten.
import { z } from 'zod'
import { languages } from '#shared/chat/message.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { AnswerContext, CommandContext, CommandInfo } from '#shared/feature/feature.ts'
import { mayChange } from '#shared/feature/rights.ts'
import { say } from '#shared/feature/say.ts'
import { memoryScope, type MemoryRecord } from '#shared/memory/record.ts'
import { readLabel, toLabel, toPlace } from './place.ts'
import type { SkillRecord } from './recall.ts'
import { sayNoSkill, showSkill, type SkillDeps } from './skill-record.ts'
import { askForWords } from './teach.ts'
import { cameOf, toShown, whose } from './words.ts'

type Effects = readonly StepEffect<never>[]

export const skillsCommand: CommandInfo = {
  name: 'skills',
  help: { zh: '学会的流程：/skills，或 /skills 3', en: 'procedures that I learned: /skills, or /skills 3' },
  more: {
    zh: '`/skills` 列出这里教过的流程，`/skills 3` 把第 3 条作为 YAML 给你看，可以改，可以忘掉。`/teach` 教新的。',
    en: '`/skills` lists the procedures that were taught here, and `/skills 3` shows number 3 as YAML, which you can edit or have forgotten. `/teach` teaches another.',
  },
  admins: 'may-ask',
}

const mostListed = 30
const livesMs = 86_400_000

export async function listSkills(deps: SkillDeps, context: CommandContext): Promise<Effects> {
  const { language, event } = context
  const args = context.args.trim()
  const place = toPlace({ ...context, group: event.group })
  if (args !== '') return await showOne(deps, context, args)
  const found = await deps.recall.findSkills({ scopes: [place.own], text: '', nowMs: deps.now() })
  if (found.length === 0)
    return say(
      language,
      '还没有教过我流程。用 `/teach` 教一个，或者说“记住这个流程：1. … 2. …”。',
      'Nobody taught me a procedure here yet. Teach one with `/teach`, or say “remember this procedure: 1. … 2. …”.',
    )
  const shown = found.toSorted((a, b) => b.number - a.number).slice(0, mostListed)
  const head =
    language === 'zh'
      ? `学会了 ${found.length} 个流程。\`/skills 编号\` 看其中一个。`
      : `I learned ${found.length === 1 ? 'one procedure' : `${found.length} procedures`}. \`/skills\` and a number shows one.`
  const lines = shown.map((one) => toLine(one, toLabel(one, place), language))
  return [{ kind: 'send', text: [head, ...lines].join('\n'), cameOf: cameOf(shown) }]
}

function toLine({ skill, uses }: SkillRecord, label: string, language: 'zh' | 'en'): string {
  const { name, description, steps, version, outcomes } = skill
  const about = description === name ? '' : ` — ${toShown(description)}`
  const { good, bad } = outcomes ?? { good: 0, bad: 0 }
  const count = steps.length
  if (language === 'zh') {
    const judged = good + bad === 0 ? '' : ` · 好评 ${good}，差评 ${bad}`
    return `- **${label}** ${toShown(name)}${about}\n  第 ${version} 版 · ${count} 步 · 用过 ${uses} 次${judged}`
  }
  const judged = good + bad === 0 ? '' : ` · ${good} good, ${bad} bad`
  const used = uses === 1 ? 'used once' : `used ${uses} times`
  return `- **${label}** ${toShown(name)}${about}\n  version ${version} · ${count} ${count === 1 ? 'step' : 'steps'} · ${used}${judged}`
}

async function showOne(deps: SkillDeps, context: CommandContext, named: string): Promise<Effects> {
  const { language, event, principal } = context
  const label = readLabel(named, toPlace({ ...context, group: event.group }))
  const [found] = label ? await deps.memory.find(label.scope, [label.number]) : []
  const record = found && toSkill(found)
  if (!record) return sayNoSkill(language)
  const zone = (await context.zone()) ?? deps.timeZone
  const text = `**${toLabel(record, { own: record.scope })}** ${toShown(record.skill.name)}\n\n${showSkill(record, zone)}`
  const { taint } = whose([record], principal)
  const from = { cameOf: cameOf([record]), ...(taint ? { taint } : {}) }
  if (!mayChange(event.group, context)) return [{ kind: 'send', text, ...from }]
  const { scope, number, id } = record
  return [
    {
      kind: 'ask',
      question: 'skill',
      text,
      options: [
        [
          { id: 'edit', label: language === 'zh' ? '改一改' : 'Edit' },
          { id: 'forget', label: language === 'zh' ? '忘掉' : 'Forget' },
        ],
      ],
      payload: JSON.stringify({ v: 1, language, scope, number, id } satisfies z.infer<typeof payload>),
      topic: 'memory skill',
      deadlineMs: livesMs,
      ...from,
    },
  ]
}

const payload = z.object({
  v: z.literal(1),
  language: z.enum(languages),
  scope: memoryScope,
  number: z.number().int(),
  id: z.string(),
})

const toSkill = (record: MemoryRecord): SkillRecord | undefined =>
  record.skill && record.supersededBy === undefined ? { ...record, skill: record.skill } : undefined

/** A press on the card of one. Safe to repeat. */
export async function answerSkill(deps: SkillDeps, context: AnswerContext): Promise<Effects> {
  const { event } = context
  const at = payload.parse(JSON.parse(event.payload))
  const { language, scope, id } = at
  const [found] = await deps.memory.findBy(scope, [id])
  const record = found && toSkill(found)
  if (!record)
    return [
      {
        kind: 'send',
        text:
          language === 'zh' ? '这个技能已经不在了，或者有了新的一版。' : 'That skill is gone, or has a newer version.',
        inPlace: true,
        about: [],
      },
    ]
  const { number } = record
  if (event.choice === 'forget') {
    await deps.memory.drop(scope, [number])
    return [
      {
        kind: 'send',
        text:
          language === 'zh'
            ? `已忘掉第 ${number} 条。教它的那条消息还在聊天里；要连它一起忘掉，用 /forget 回复那条消息。`
            : `Number ${number} is forgotten. The message that taught it is still in the chat: reply to that with /forget to forget it too.`,
        inPlace: true,
        about: [],
      },
    ]
  }
  const { name, description, triggers, steps, history, skillId } = record.skill
  const draft = { name, description, triggers, steps, history, id: skillId.replace(/_v\d{1,5}$/, '') }
  const instead = { scope, number, id }
  const taught = { scope, draft, saidAt: record.saidAt, instead, kept: true } as const
  return [await askForWords(deps, { language }, { taught })]
}
