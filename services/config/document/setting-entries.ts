// Settings as entries of CONFIG.md, in both directions. What is to be made is found as a whole before anything is made.
import { findNearest } from '#shared/nearest.ts'
import type { Language } from '#shared/chat/message.ts'
import type { Section, Setting, SettingChoice } from '#shared/feature/setting.ts'
import type { Printed } from './print-entries.ts'
import { isElsewhere } from './held.ts'
import type { Entry } from './read-entries.ts'

/** What an entry is refused for. */
export type Misfit = { readonly line: number; readonly key: string } & (
  | { readonly kind: 'unknown-key'; readonly nearest: string | undefined }
  | { readonly kind: 'twice'; readonly firstLine: number }
  | { readonly kind: 'own' }
  | { readonly kind: 'elsewhere'; readonly section: Section }
  | { readonly kind: 'wrong-value'; readonly value: string; readonly values: readonly string[] }
)

export type Wanted = { readonly setting: Setting; readonly choice: SettingChoice }

type Known = { readonly setting: Setting; readonly section: Section; readonly key: string }
const toKnown = (setting: Setting): Known => ({
  setting,
  ...(setting.entry ?? { section: 'Preferences', key: setting.id }),
})

/** `held`: the id of the choice that holds. */
export function toEntry(setting: Setting, held: string, language: Language): Printed {
  const { section, key } = toKnown(setting)
  const choices = setting.choices.map((choice) => toWritten(setting, choice.id))
  const comment = `${setting.label[language]}${language === 'zh' ? '：' : ': '}${choices.join(' | ')}`
  return { section, key, value: toWritten(setting, held), comment }
}

/** All of it, or what is wrong with it. */
export function findWanted(
  settings: readonly Setting[],
  entries: readonly Entry[],
  chat: { readonly group: boolean },
): { readonly wanted: readonly Wanted[]; readonly misfits: readonly Misfit[] } {
  const known = settings.filter((setting) => setting.isFor?.(chat) ?? true).map(toKnown)
  const seen = new Map<string, number>()
  const wanted: Wanted[] = []
  const misfits: Misfit[] = []
  for (const entry of entries) {
    const found = known.find(({ key }) => isSame(key, entry.key))
    const key = found?.key ?? entry.key
    const firstLine = seen.get(key.toLowerCase())
    seen.set(key.toLowerCase(), firstLine ?? entry.line)
    const fitting =
      firstLine !== undefined
        ? ({ kind: 'twice', firstLine } as const)
        : found && isElsewhere(found.setting, chat)
          ? ({ kind: 'own' } as const)
          : toFitting(known, entry)
    if ('choice' in fitting) wanted.push(fitting)
    else misfits.push({ ...fitting, line: entry.line, key })
  }
  return { wanted, misfits }
}

type Fitting = Wanted | DistributiveOmit<Exclude<Misfit, { kind: 'twice' | 'own' }>, 'line' | 'key'>
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

function toFitting(known: readonly Known[], { section, key, value }: Entry): Fitting {
  const found = known.find((one) => isSame(one.key, key))
  if (!found) return { kind: 'unknown-key', nearest: findMeant(known, key) }
  if (found.section !== section) return { kind: 'elsewhere', section: found.section }
  const { setting } = found
  const choice = setting.choices.find(({ id, label }) =>
    [toWritten(setting, id), id, label.zh, label.en].some((name) => isSame(name, value)),
  )
  if (choice) return { setting, choice }
  return { kind: 'wrong-value', value, values: setting.choices.map(({ id }) => toWritten(setting, id)) }
}

/** However it was typed. */
const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

const mostSlips = 3
function findMeant(known: readonly Known[], key: string): string | undefined {
  const names = known.map((one) => one.key)
  const { name, slips } = findNearest(
    key.toLowerCase(),
    names.map((one) => one.toLowerCase()),
  )
  return slips <= mostSlips ? names.find((one) => isSame(one, name)) : undefined
}

const switched: ReadonlyMap<string, string> = new Map([
  ['on', 'true'],
  ['off', 'false'],
])

/** A setting that is on or off, or goes by itself, is true or false, as in the seed. */
function toWritten({ choices }: Setting, id: string): string {
  return choices.every((choice) => switched.has(choice.id) || choice.id === 'auto') ? (switched.get(id) ?? id) : id
}
