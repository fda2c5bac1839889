// A skill before it is kept, and what is wrong with what somebody wrote as one.
import type { Localised } from '#shared/chat/message.ts'
import type { SkillStep } from '#shared/memory/skill.ts'

export type Draft = {
  /** What its teacher calls it, without a version. */
  readonly id?: string
  readonly name: string
  readonly description: string
  readonly triggers: readonly string[]
  readonly steps: readonly SkillStep[]
  /** What its teacher says of each version, the newest last. */
  readonly history?: readonly string[]
}

/** `line`: of what was written, from 1; missing where it is about all of it. */
export type Fault = { readonly line?: number; readonly text: Localised }

export type DraftRead =
  | { readonly kind: 'draft'; readonly draft: Draft }
  | { readonly kind: 'faults'; readonly faults: readonly Fault[] }

/** Of all its texts together, in characters: its card is one message, and two of them fit a prompt. */
const mostSkillChars = 3000

export const tellTooLong = (what: Localised, length: number, most: number): Localised => ({
  zh: `${what.zh}有 ${length} 个字符，最多 ${most} 个。`,
  en: `${what.en} has ${length} characters; at most ${most} fit.`,
})
export const tellTooMany = (what: Localised, count: number, most: number): Localised => ({
  zh: `${what.zh}有 ${count} 个，最多 ${most} 个。`,
  en: `There are ${count} ${what.en}; at most ${most} fit.`,
})

/** All its words, for those who look at them. */
export const toWords = ({ id = '', name, description, triggers, steps, history = [] }: Draft): string =>
  [
    id,
    name,
    description,
    ...triggers,
    ...steps.flatMap(({ action, details, tools = [] }) => [
      action,
      ...(details === undefined ? [] : [details]),
      ...tools,
    ]),
    ...history,
  ].join('\n')

const whole: Localised = { zh: '整个流程', en: 'The whole procedure' }

/** What is too long as a whole is no draft. */
export function toRead(draft: Draft, faults: readonly Fault[]): DraftRead {
  const { length } = toWords(draft)
  const all =
    faults.length === 0 && length > mostSkillChars ? [{ text: tellTooLong(whole, length, mostSkillChars) }] : faults
  return all.length === 0 ? { kind: 'draft', draft } : { kind: 'faults', faults: all }
}

/** On one line, without what nobody sees. */
export const toPlain = (text: string): string =>
  text
    .replaceAll(/(?!\u200d)[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
