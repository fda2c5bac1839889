// /memory private, and words that say the same: what its person allowed to be told in groups is not told there any more.
import type { Language } from '#shared/chat/message.ts'
import type { Effect } from '#shared/feature/effect.ts'
import type { CommandContext } from '#shared/feature/feature.ts'
import { say } from '#shared/feature/say.ts'
import { ofPerson, type MemoryRecord } from '#shared/memory/record.ts'
import { createRelevance } from '#services/memory/search/relevance.ts'
import type { LookDeps } from './look.ts'
import { toDisallowed } from './marks.ts'
import { groupsId } from './settings.ts'
import { cameOf, toFolded, toShown } from './words.ts'

const wish = /^(?:private|保密|不在群里用)(?:\s+|$)/iu
const mostTold = 8

/** The words behind it; empty for all. Undefined for another wish. */
export const readPrivate = (args: string): string | undefined =>
  wish.test(args) ? args.replace(wish, '').trim() : undefined

/** Safe to repeat. */
export async function keepPrivate(
  deps: LookDeps,
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
  if (hidden.length === 0 && !isAllAllowed) return sayNothing(context)
  const text = [
    ...(hidden.length > 0 || !isStill ? [tellHidden(hidden, language)] : []),
    ...(isStill ? [still[language]] : []),
  ].join('\n\n')
  return [{ kind: 'send', text, cameOf: cameOf(hidden) }]
}

/** In plain words it may have been meant otherwise: then it is a message as any other. */
const sayNothing = ({ event, language, about }: CommandContext): readonly Effect<never>[] =>
  event.command === undefined
    ? [{ kind: 'turn', text: event.text, about }]
    : say(language, '没有哪一条是允许在群里用的。', 'Nothing of that may be told in groups.')

async function findAllowed({ memory }: LookDeps, scope: string, words: string): Promise<readonly MemoryRecord[]> {
  const read = await memory.read(scope)
  const allowed = read === 'same' ? [] : read.records.filter(({ groups }) => groups)
  if (words === '') return allowed
  const asked = toFolded(words)
  const isRelevant = createRelevance(words)
  return allowed.filter(({ text }) => toFolded(text).includes(asked) || isRelevant(text))
}

function tellHidden(hidden: readonly MemoryRecord[], language: Language): string {
  const lines = hidden.slice(0, mostTold).map(({ number, text }) => `- **${number}** ${toShown(text)}`)
  const rest = hidden.length - lines.length
  const more = rest === 0 ? [] : [language === 'zh' ? `- 还有 ${rest} 条` : `- and ${rest} more`]
  return [head[hidden.length > 0 ? 'some' : 'all'][language], ...lines, ...more].join('\n')
}

const head = {
  some: { zh: '好，在群里不再用这些：', en: 'All right, in groups I do not use this any more:' },
  all: { zh: '好，为你记的在群里都不再用。', en: 'All right, in groups I use nothing that I keep for you any more.' },
} as const

const still = {
  zh: '不过你允许我在群里用到为你记的一切：用 `/config` 里的“群里用记忆”关掉。',
  en: 'But you allow me to use all that I keep for you in groups: switch off Memory in groups under `/config`.',
} as const
