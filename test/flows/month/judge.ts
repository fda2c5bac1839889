// What a prompt has of memory, and whether that is what its question wanted.
import { ofAll, ofChat, ofPerson, type MemoryRecord, type MemoryScope } from '#shared/memory/record.ts'
import type { At, Wanted } from './script.ts'

export type Given = {
  /** As the prompt calls it: `3`, `g3`, `p3`. */
  readonly label: string
  readonly text: string
  /** It tells how somebody wants to be answered. */
  readonly isManner: boolean
}

export type Asked = {
  readonly day: number
  readonly at: At
  readonly text: string
  readonly wanted: Wanted
  readonly given: readonly Given[]
  /** What of it nobody allowed there. */
  readonly foreign: readonly string[]
  /** What it must not have stands somewhere in it. */
  readonly hasNever: boolean
}

const row = /^(?:> )?- #([gp]?\d+) [a-z]+, said by .{1,200}? on \d{4}-\d\d-\d\d(?:, not confirmed)?: (.*)$/u
const mannersHead = /How they want to be answered|他们希望你怎样回答/

/** `system`: the messages of a prompt that nobody said. */
export function readGiven(system: readonly string[]): readonly Given[] {
  let isManner = false
  return (system.at(-1) ?? '').split('\n').flatMap((line) => {
    isManner ||= mannersHead.test(line)
    const [, label, text] = row.exec(line) ?? []
    return label === undefined || text === undefined ? [] : [{ label, text, isManner }]
  })
}

export type Where = { readonly at: At; readonly conversation: string; readonly principal: string }

/** Nobody in this month allows that their own records are used in groups. */
export function findForeign(
  given: readonly Given[],
  { conversation, principal, at }: Where,
  stored: ReadonlyMap<MemoryScope, readonly MemoryRecord[]>,
): readonly string[] {
  const own = at.includes('@') ? ofChat(conversation) : ofPerson(principal)
  return given.flatMap(({ label, text }) => {
    const scope = label.startsWith('g') ? ofAll : own
    const number = Number(label.replace(/^[gp]/, ''))
    const record = stored.get(scope)?.find((one) => one.number === number)
    const isThere = !label.startsWith('p') && record?.text.replaceAll(/\s+/g, ' ').trim() === text
    return isThere ? [] : [`#${label} ${text}`]
  })
}

/** Why it counts as it does, on one line. */
export const describe = ({ day, at, text, given, foreign }: Asked): string =>
  `day ${day}, ${at}: ${text} -> ${given.map((one) => `#${one.label} ${one.text}`).join(' | ')} ${foreign.join(' | ')}`

export type Verdict = { readonly category: Category; readonly isGood: boolean }
export const categories = ['told', 'corrected', 'reworded', 'unknown', 'never', 'groups', 'scopes'] as const
export type Category = (typeof categories)[number]

/** A question counts in each category that it is about. */
export function judge({ at, wanted, given, foreign, hasNever }: Asked): readonly Verdict[] {
  const { gives, old, nothing, never, reworded } = wanted
  const facts = given.filter(({ isManner }) => !isManner)
  const has = (pattern: RegExp): boolean => given.some(({ text }) => pattern.test(text))
  const verdicts: Verdict[] = [{ category: 'scopes', isGood: foreign.length === 0 }]
  if (gives && old) verdicts.push({ category: reworded ? 'reworded' : 'corrected', isGood: has(gives) && !has(old) })
  else if (gives) verdicts.push({ category: 'told', isGood: has(gives) })
  if (never) verdicts.push({ category: 'never', isGood: !hasNever })
  else if (nothing) verdicts.push({ category: 'unknown', isGood: facts.length === 0 })
  if (at.includes('@')) verdicts.push({ category: 'groups', isGood: foreign.length === 0 && !hasNever })
  return verdicts
}
