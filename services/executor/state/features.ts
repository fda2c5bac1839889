// The features of this fleet, found by what they bring. Two that claim one name are refused at the start: the first would hide the other.
import type { Command, Feature, QuestionRule } from '#shared/feature/feature.ts'
import type { Setting } from '#shared/feature/setting.ts'
import type { Tool } from '#shared/model/tool.ts'
import { BotError } from '#shared/errors.ts'
import { stopKind } from '#shared/run/question.ts'

export type Features = {
  readonly all: readonly Feature[]
  readonly commands: readonly Command[]
  readonly tools: readonly Tool[]
  findCommand(name: string): { readonly feature: Feature; readonly found: Command } | undefined
  findTool(name: string): { readonly feature: Feature; readonly found: Tool } | undefined
  /** By its kind, or the one it had in older releases. */
  findQuestion(kind: string): { readonly feature: Feature; readonly found: QuestionRule } | undefined
  findSetting(id: string): { readonly feature: Feature; readonly found: Setting } | undefined
}

/** Throws BotError `config` naming each name that is claimed twice. */
export function indexFeatures(all: readonly Feature[]): Features {
  const clashes: string[] = []
  const index = <T>(what: string, list: (feature: Feature) => readonly (readonly [string, T])[]) => {
    const byName = new Map<string, { readonly feature: Feature; readonly found: T }>()
    for (const feature of all)
      for (const [name, found] of list(feature)) {
        const before = byName.get(name)
        if (before) clashes.push(`${what} "${name}": ${before.feature.name} and ${feature.name}`)
        else byName.set(name, { feature, found })
      }
    return byName
  }
  index('feature', (feature) => [[feature.name, feature]])
  const commands = index('command', (feature) => (feature.commands ?? []).map((command) => [command.name, command]))
  const tools = index('tool', (feature) => (feature.tools ?? []).map((tool) => [tool.name, tool]))
  const settings = index('setting', (feature) => (feature.settings ?? []).map((setting) => [setting.id, setting]))
  const questions = index('question', (feature) => [...toKinds(feature)])
  if (questions.has(stopKind)) clashes.push(`question "${stopKind}": it is the executor’s own`)
  if (clashes.length > 0)
    throw new BotError('config', ['Two features claim one name:', ...clashes.map((clash) => `  - ${clash}`)].join('\n'))
  return {
    all,
    commands: [...commands.values()].map(({ found }) => found),
    tools: [...tools.values()].map(({ found }) => found),
    findCommand: (name) => commands.get(name),
    findTool: (name) => tools.get(name),
    findQuestion: (kind) => questions.get(kind),
    findSetting: (id) => settings.get(id),
  }
}

/** The kind as its records name it. */
export const toKind = (feature: Pick<Feature, 'name'>, own: string): string => `${feature.name}.${own}`

function* toKinds(feature: Feature): Iterable<readonly [string, QuestionRule]> {
  for (const [own, rule] of Object.entries(feature.questions ?? {})) {
    yield [toKind(feature, own), rule]
    if (rule.formerly !== undefined) yield [rule.formerly, rule]
  }
}
