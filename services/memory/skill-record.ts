// A skill as a record of memory: how it is shown, how a draft is kept, and which record it takes the place of.
import { z } from 'zod'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { AnswerContext, CommandContext } from '#shared/feature/feature.ts'
import type { Language } from '#shared/chat/message.ts'
import { say } from '#shared/feature/say.ts'
import { toEventId } from '#shared/memory/event-id.ts'
import { ofPerson, type MemoryRecord, type MemoryScope, type NewRecord } from '#shared/memory/record.ts'
import { skill, skillBounds } from '#shared/memory/skill.ts'
import type { Draft } from '#services/memory/skills/draft.ts'
import { toYaml } from '#services/memory/skills/to-yaml.ts'
import { isSame, toSkill } from '#services/memory/skills/version.ts'
import type { ReadYaml } from '#services/memory/skills/yaml-tree.ts'
import { toLabel } from './place.ts'
import type { MemoryDeps } from './ports.ts'
import type { Recall, SkillRecord } from './recall.ts'
import { cameOf, toDay, toShown } from './words.ts'

type Effects = readonly StepEffect<never>[]
export type SkillDeps = MemoryDeps & { readonly recall: Pick<Recall, 'findSkills'>; readonly readYaml: ReadYaml }

/** As a card keeps it. */
export const draftSchema = skill.pick({ name: true, description: true, triggers: true, steps: true }).extend({
  id: z.string().min(1).max(64).exactOptional(),
  history: z.array(z.string().min(1).max(skillBounds.historyLine)).min(1).max(skillBounds.history).exactOptional(),
})

type Taught = {
  readonly scope: MemoryScope
  readonly draft: Draft
  readonly saidAt: number
  /** What it was written in place of. */
  readonly instead?: Pick<MemoryRecord, 'number' | 'id'>
}

/** All that the draft takes the place of, and the newest version of that. */
export async function findBefore(
  { recall, now }: SkillDeps,
  { scope, draft, instead }: Taught,
): Promise<{ readonly all: readonly SkillRecord[]; readonly before?: SkillRecord['skill'] }> {
  const found = await recall.findSkills({ scopes: [scope], text: draft.name, nowMs: now() })
  const isInstead = ({ number, id }: SkillRecord): boolean => number === instead?.number && id === instead.id
  const all = found.filter((one) => isInstead(one) || isSame(draft, one.skill))
  const [before] = all.map((one) => one.skill).toSorted((a, b) => b.version - a.version)
  return { all, ...(before ? { before } : {}) }
}

type Shown = Pick<CommandContext, 'language' | 'zone' | 'conversation' | 'about'>

/** No text in it ends the block: none has three backticks. */
export const toBlock = (yaml: string): string => `\`\`\`yaml\n${yaml}\n\`\`\``

/** A draft as it would be kept. */
export async function showDraft(
  { timeZone }: Pick<MemoryDeps, 'timeZone'>,
  context: Shown,
  { draft, saidAt, before }: Taught & { readonly before?: SkillRecord['skill'] | undefined },
): Promise<string> {
  const { language, conversation, about } = context
  const day = toDay(saidAt, (await context.zone()) ?? timeZone)
  const made = toSkill(draft, before, { day, language })
  return toBlock(toYaml({ ...made, learnedFrom: about.map((id) => `${conversation}/${id}`), day }))
}

/** One that is kept. */
export function showSkill({ skill: one, from, saidAt }: SkillRecord, zone: string): string {
  const learnedFrom = from.flatMap(({ conversation, messages }) => messages.map((id) => `${conversation}/${id}`))
  return toBlock(toYaml({ ...one, learnedFrom, day: toDay(saidAt, zone) }))
}

const mostSources = 20

/** The new version is written first, then the older ones go: who dies in between does both again. */
export async function keepSkill(deps: SkillDeps, context: AnswerContext, taught: Taught): Promise<Effects> {
  const { event, conversation, language } = context
  const { scope, draft, saidAt } = taught
  const id = toEventId('taught', conversation, event.id)
  const { all } = await findBefore(deps, taught)
  const older = all.filter((one) => one.id !== id)
  const [before] = older.map((one) => one.skill).toSorted((a, b) => b.version - a.version)
  const day = toDay(saidAt, (await context.zone()) ?? deps.timeZone)
  const made = toSkill(draft, before, { day, language })
  const written = await deps.memory.write(scope, toRecord(context, taught, { id, made, older }))
  if (written.kind === 'full') return end(noRoom[language])
  if (written.kind === 'gone') return end(gone[language])
  const { record } = written
  const replaced = older.map(({ number }) => number).filter((number) => number < record.number)
  await deps.memory.drop(scope, replaced)
  return [
    {
      kind: 'send',
      text: tellKept(record, replaced, language),
      inPlace: true,
      cameOf: cameOf([record]),
    },
  ]
}

type Made = { readonly id: string; readonly made: SkillRecord['skill']; readonly older: readonly SkillRecord[] }

function toRecord(context: AnswerContext, { scope, saidAt }: Taught, { id, made, older }: Made): NewRecord {
  const { conversation, principal, state, about } = context
  const name = scope === ofPerson(principal) ? undefined : state.nameOf(principal)
  return {
    id,
    kind: 'skill',
    speaker: principal,
    ...(name === undefined ? {} : { name: name.slice(0, 100).toWellFormed() }),
    text: made.description === made.name ? made.name : `${made.name} — ${made.description}`,
    saidAt,
    status: 'confirmed',
    confirmedBy: principal,
    origin: 'said',
    from: [{ conversation, messages: about.slice(-mostSources) }],
    skill: made,
    // What its person said of the record holds of its new version.
    ...(older.some(({ pinned }) => pinned) ? { pinned: true } : {}),
    ...(older.some(({ groups }) => groups) ? { groups: true } : {}),
  }
}

function tellKept(record: MemoryRecord, replaced: readonly number[], language: Language): string {
  const label = toLabel(record, { own: record.scope })
  const name = toShown(record.skill?.name ?? record.text)
  const version = record.skill?.version ?? 1
  const others = replaced.join(language === 'zh' ? '、' : ', ')
  if (language === 'zh') {
    const instead = replaced.length === 0 ? '' : `，取代了第 ${others} 条`
    return `学会了，第 ${label} 条：“${name}”，第 ${version} 版${instead}。\`/skills ${label}\` 看它，\`/skills\` 列出所有的。`
  }
  const instead = replaced.length === 0 ? '' : `; it takes the place of number ${others}`
  return `Learned as number ${label}: “${name}”, version ${version}${instead}. \`/skills ${label}\` shows it, and \`/skills\` lists all of them.`
}

const end = (text: string): Effects => [{ kind: 'send', text, inPlace: true, about: [] }]

const noRoom = {
  zh: '这里已经记满了。用 `/memory` 看看，用 `/forget 编号` 忘掉几条再教。',
  en: 'There is no room for more here. Look at `/memory`, and forget some with `/forget` and a number.',
} as const
const gone = {
  zh: '教它的那条消息已被忘掉，没有记下。',
  en: 'The message that taught it is forgotten, and nothing was kept of it.',
} as const

export const sayNoSkill = (language: Language): Effects =>
  say(language, '没有这个技能。`/skills` 列出学会的。', 'There is no such skill. `/skills` lists what I learned.')
