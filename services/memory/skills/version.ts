// What a draft becomes when it is kept: its name for programs, its version, and a line for each version.
import { toNormalForm } from '#shared/chat/normal-form.ts'
import { skillBounds, type Skill } from '#shared/memory/skill.ts'
import type { Draft } from './draft.ts'

const mostSlug = 64

/** Letters and digits of any script, small, with `_` between; `skill` for a name without any. */
function toSlug(name: string): string {
  const plain = toNormalForm(name, 'NFKC').toLowerCase()
  const slug = plain.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '_').replaceAll(/^_|_$/g, '')
  return [...slug].slice(0, mostSlug).join('').slice(0, mostSlug).toWellFormed().replaceAll('\ufffd', '') || 'skill'
}

/** Without its version. */
const toBase = (skillId: string): string => skillId.replace(/_v\d{1,5}$/, '')

/** Whether a draft is a new version of this one: they share the name, or what it is called for programs. */
export const isSame = (draft: Pick<Draft, 'id' | 'name'>, one: Pick<Skill, 'skillId' | 'name'>): boolean =>
  toSlug(draft.id ?? draft.name) === toBase(one.skillId) || toSlug(draft.name) === toSlug(one.name)

/** A line that holds no words of anybody: it may outlive the message of its version. */
const wordless = /^v\d{1,5}(?:: \d{4}-\d{2}-\d{2}, (?:\d{1,2} steps?|\d{1,2} 步))?$/

type Told = { readonly day: string; readonly language: 'zh' | 'en' }

/** `before`: the newest version that there was. */
export function toSkill(draft: Draft, before: Skill | undefined, { day, language }: Told): Skill {
  const version = (before?.version ?? 0) + 1
  const base = toSlug(draft.id ?? (before ? toBase(before.skillId) : draft.name))
  const { name, description, triggers, steps } = draft
  const count = steps.length
  const counted = language === 'zh' ? `${count} 步` : count === 1 ? '1 step' : `${count} steps`
  const known = draft.history ?? before?.history.map(toWordless) ?? []
  const isTold = known.some((line) => line.startsWith(`v${version}:`))
  const history = [...known, ...(isTold ? [] : [`v${version}: ${day}, ${counted}`])].slice(-skillBounds.history)
  return {
    skillId: `${base}_v${version}`,
    name,
    description,
    triggers: [...triggers],
    steps: [...steps],
    version,
    history,
  }
}

const toWordless = (line: string): string => (wordless.test(line) ? line : (/^v\d{1,5}/.exec(line)?.[0] ?? 'v'))
