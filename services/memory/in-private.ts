// /memory private, and words that say the same: what its person allowed to be told in groups is not told there any more.
import type { Language } from '#shared/chat/message.ts'
import type { Effect } from '#shared/feature/effect.ts'
import type { CommandContext } from '#shared/feature/feature.ts'
import { say } from '#shared/feature/say.ts'
import { ofPerson, type MemoryRecord } from '#shared/memory/record.ts'
import { readWithSkills } from '#services/memory/file/read-all.ts'
import { createRelevance } from '#services/memory/search/relevance.ts'
import { asMessage, isPlain } from './as-message.ts'
import { findKept, findLiteral, type FindDeps } from './find-kept.ts'
import { toDisallowed } from './marks.ts'
import { groupsId } from './settings.ts'
import { cameOf, toShown } from './words.ts'

const wish = /^(?:private|保密|不在群里用)(?:\s+|$)/iu
const mostTold = 8

/** The words behind it; empty for all. Undefined for another wish. */
export const readPrivate = (args: string): string | undefined =>
  wish.test(args) ? args.replace(wish, '').trim() : undefined

/** Safe to repeat. */
export async function keepPrivate(
  deps: FindDeps,
  context: CommandContext,
  words: string,
): Promise<readonly Effect<never>[]> {
  const { language, event, principal } = context
  if (event.group) return say(language, '请在和我的私聊里说。', 'Say that in the direct chat with me, please.')
  const isAllAllowed = (await deps.findChoice(principal, groupsId)) === 'on'
  if (isAllAllowed && words === '') await deps.setChoice(principal, groupsId, 'off')
  const scope = ofPerson(principal)
  const hidden: MemoryRecord[] = []
  for (const one of await findAllowed(deps, scope, words)) {
    const changed = await deps.memory.change(scope, one.number, (before) =>
      before.id === one.id && before.groups ? toDisallowed(before) : undefined,
    )
    if (changed) hidden.push(changed)
  }
  const isStill = isAllAllowed && words !== ''
  if (hidden.length === 0 && !isAllAllowed)
    return sayUntold(context, words === '' ? [] : await findKept(deps, scope, words))
  const text = [
    ...(hidden.length > 0 || !isStill ? [tellRecords(hidden.length > 0 ? 'some' : 'all', hidden, language)] : []),
    ...(isStill ? [still[language]] : []),
  ].join('\n\n')
  return [{ kind: 'send', text, cameOf: cameOf(hidden) }]
}

async function findAllowed(deps: FindDeps, scope: string, words: string): Promise<readonly MemoryRecord[]> {
  const allowed = (await readWithSkills(deps.memory, scope)).records.filter(({ groups }) => groups)
  const isRelevant = createRelevance(words)
  return words === ''
    ? allowed
    : [...new Set([...findLiteral(allowed, words), ...allowed.filter(({ text }) => isRelevant(text))])]
}

/** Nothing of it is told in groups anyway. "Keep my house private" may be meant otherwise where nothing is kept of it. */
function sayUntold(context: CommandContext, found: readonly MemoryRecord[]): readonly Effect<never>[] {
  const { event, language } = context
  const current = found.filter(({ kind, supersededBy }) => kind !== 'skill' && supersededBy === undefined)
  if (current.length === 0 && isPlain(context) && !/group|群/iu.test(event.text)) return asMessage(context)
  const text = `${tellRecords(current.length > 0 ? 'untold' : 'nothing', current, language)}\n\n${only[language]}`
  return [{ kind: 'send', text, cameOf: cameOf(current) }]
}

function tellRecords(how: keyof typeof head, records: readonly MemoryRecord[], language: Language): string {
  const lines = records.slice(0, mostTold).map(({ number, text }) => `- **${number}** ${toShown(text)}`)
  const rest = records.length - lines.length
  const more = rest === 0 ? [] : [language === 'zh' ? `- 还有 ${rest} 条` : `- and ${rest} more`]
  return [head[how][language], ...lines, ...more].join('\n')
}

const head = {
  some: { zh: '好，在群里不再用这些：', en: 'All right, in groups I do not use this any more:' },
  all: { zh: '好，为你记的在群里都不再用。', en: 'All right, in groups I use nothing that I keep for you any more.' },
  untold: { zh: '在群里我不会说这些：', en: 'In groups I tell nothing of this:' },
  nothing: { zh: '在群里我不会说这个。', en: 'In groups I tell nothing of that.' },
} as const

const only = {
  zh: '为你记的，只有你按过“允许在群里用”的才会在群里用到。你在群里说的，那个群都看得到。',
  en: 'Of what I keep for you, groups are told only what you pressed “Allow in groups” for. What you say in a group itself is there for that group.',
} as const

const still = {
  zh: '不过你允许我在群里用到为你记的一切：用 `/config` 里的“群里用记忆”关掉。',
  en: 'But you allow me to use all that I keep for you in groups: switch off Memory in groups under `/config`.',
} as const
