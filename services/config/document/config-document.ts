// The settings of a chat as CONFIG.md: `/config file` prints it, and the same text, changed by hand and pasted behind /config, is applied: all of it,
// or nothing, and then it is said why. In a group it is for those who may change the settings one by one.
import { showDocument } from '#shared/feature/document.ts'
import type { Localised } from '#shared/chat/message.ts'
import type { Effect } from '#shared/feature/effect.ts'
import type { CommandContext } from '#shared/feature/feature.ts'
import { mayChange, notForOthers, sayNotAllowed } from '#shared/feature/rights.ts'
import { say } from '#shared/feature/say.ts'
import type { Setting } from '#shared/feature/setting.ts'
import { settingsFor, toChoose, toHeld } from './held.ts'
import { printEntries } from './print-entries.ts'
import { readEntries, type ReadEntries } from './read-entries.ts'
import { toRefusal } from './refusal.ts'
import { findWanted, toEntry, type Wanted } from './setting-entries.ts'

const caption: Localised = {
  zh: '本聊天的设置。改好后贴在 /config 后面发给我，就会应用。',
  en: 'The settings of this chat. Change them and send the text behind /config, and they are applied.',
}

export async function showConfig(settings: readonly Setting[], context: CommandContext): Promise<readonly Effect[]> {
  const { event, language } = context
  const entries = await Promise.all(
    settingsFor(settings, event).map(async (one) => toEntry(one, await context.holds(one.id), language)),
  )
  return [showDocument({ name: 'CONFIG.md', text: printEntries(entries, language), caption: caption[language] })]
}

export async function applyConfig(settings: readonly Setting[], context: CommandContext): Promise<readonly Effect[]> {
  const { args, event, language } = context
  if (!mayChange(event.group, context)) return sayNotAllowed(language)
  const read: ReadEntries = event.truncated ? { kind: 'too-long' } : readEntries(args)
  if (read.kind === 'too-long')
    return say(
      language,
      '这份文件太长，不会是 CONFIG.md，什么都没有改。',
      'That is far too long for a CONFIG.md; nothing was changed.',
    )
  if (read.kind === 'faulty') return [{ kind: 'send', text: toRefusal(read.faults, language) }]
  const { wanted, misfits } = findWanted(settings, read.entries, event)
  return misfits.length > 0
    ? [{ kind: 'send', text: toRefusal(misfits, language) }]
    : await makeAllowed(await toChanges(wanted, context), context)
}

/** All or nothing: also where one of them is not theirs to choose. */
async function makeAllowed(changes: readonly Wanted[], context: CommandContext): Promise<readonly Effect[]> {
  const { language, owner } = context
  const refused = changes.find(({ setting }) => setting.onlyOwners && !owner)?.setting
  if (!refused) return await make(changes, context)
  const label = refused.label[language]
  return say(
    language,
    `${label}：${notForOthers.zh}什么都没有改。`,
    `${label}: ${notForOthers.en} Nothing was changed.`,
  )
}

/** What does not hold yet. */
async function toChanges(wanted: readonly Wanted[], { holds }: CommandContext): Promise<readonly Wanted[]> {
  const held = await Promise.all(wanted.map(({ setting }) => holds(setting.id)))
  return wanted.filter(({ choice }, at) => choice.id !== held[at])
}

async function make(
  changes: readonly Wanted[],
  { conversation, language, principal }: CommandContext,
): Promise<readonly Effect[]> {
  if (changes.length === 0)
    return say(
      language,
      '里面写的和现在的一样，没有要改的。',
      'All that it says holds already; there is nothing to change.',
    )
  // Kept elsewhere, and so not in the unit of the step: made again if that is repeated.
  for (const { setting, choice } of changes) await setting.choose?.(choice.id, { conversation, principal })
  const spoken = changes.findLast(({ choice }) => choice.language)?.choice.language ?? language
  const lines = changes.map(({ setting, choice }) => `- ${toHeld(setting, choice.id, spoken)}`)
  const head = spoken === 'zh' ? '已按 CONFIG.md 修改：' : 'Changed as CONFIG.md says:'
  return [
    ...changes.flatMap(({ setting, choice }) => toChoose(setting, choice)),
    { kind: 'send', text: [head, '', ...lines].join('\n') },
  ]
}
