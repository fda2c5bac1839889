// A skill as people see it: YAML as in seed 001 §2.1. All texts stand in quotes, so that none of them means anything else.
import type { Skill, SkillStep } from '#shared/memory/skill.ts'
import type { Draft } from './draft.ts'

export type Shown = Omit<Skill, 'outcomes'> & {
  readonly outcomes?: Pick<NonNullable<Skill['outcomes']>, 'good' | 'bad'> | undefined
  /** Messages that taught it. */
  readonly learnedFrom: readonly string[]
  /** `2026-03-01` */
  readonly day: string
}

export const toYaml = (one: Shown): string =>
  [
    `skill_id: ${quote(one.skillId)}`,
    ...toBody(one),
    `learned_from: [${one.learnedFrom.map(quote).join(', ')}]`,
    `success_rate: ${toRate(one.outcomes)}`,
    `last_updated: ${quote(one.day)}`,
    ...toHistory(one.history),
  ].join('\n')

/** As its teacher writes it: without what the bot adds. */
export const toDraftYaml = ({ id, history, ...draft }: Draft): string =>
  [
    ...(id === undefined ? [] : [`skill_id: ${quote(id)}`]),
    ...toBody(draft),
    ...(history === undefined ? [] : toHistory(history)),
  ].join('\n')

type Body = Pick<Draft, 'name' | 'description' | 'triggers' | 'steps'>

const toBody = ({ name, description, triggers, steps }: Body): readonly string[] => [
  `name: ${quote(name)}`,
  `description: ${quote(description)}`,
  'trigger_conditions:',
  ...triggers.map((trigger) => `  - ${quote(trigger)}`),
  'steps:',
  ...steps.flatMap(toStep),
]

const toHistory = (lines: readonly string[]): readonly string[] => [
  'version_history:',
  ...lines.map((line) => `  - ${toLine(line)}`),
]

const toStep = ({ action, details, tools }: SkillStep): readonly string[] => [
  `  - action: ${quote(action)}`,
  ...(details === undefined ? [] : [`    details: ${quote(details)}`]),
  ...(tools === undefined ? [] : [`    tools: [${tools.map(quote).join(', ')}]`]),
]

/** What JSON quotes YAML reads. No text ends the block of code that it stands in. */
const quote = (text: string): string => JSON.stringify(text).replaceAll('```', String.raw`\u0060\u0060\u0060`)

function toLine(line: string): string {
  const [, version, said] = /^(v\d{1,5}): (.+)$/u.exec(line) ?? []
  return version === undefined || said === undefined ? quote(line) : `${version}: ${quote(said)}`
}

function toRate(outcomes: Shown['outcomes']): string {
  const { good = 0, bad = 0 } = outcomes ?? {}
  return good + bad === 0 ? 'null' : (good / (good + bad)).toFixed(2)
}
