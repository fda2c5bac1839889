// The features of this fleet, found by what they bring. Two that claim one name are refused at the start: the first would hide the other.
import { z } from 'zod'
import { depths } from '#shared/chat/decision.ts'
import { languages } from '#shared/chat/message.ts'
import type { Command, Feature, LetterRule, QuestionRule, TimerRule } from '#shared/feature/feature.ts'
import type { Slice } from '#shared/feature/slice.ts'
import type { Marks } from '#shared/feature/marks.ts'
import type { Preferences, Setting } from '#shared/feature/setting.ts'
import type { Tool } from '#shared/model/tool.ts'
import { BotError } from '#shared/errors.ts'
import { stopKind } from '#shared/run/question.ts'
import { checkSlice } from './check-slice.ts'
import { createToolLists, type ToolLists } from './tool-lists.ts'

export type Features = {
  readonly all: readonly Feature[]
  readonly commands: readonly Command[]
  readonly tools: Omit<ToolLists, 'find'>
  /** What other processes are to know of, now: `question:config.menu`, `timer:…`, `letter:…`, `command:…`, `tool:…`. */
  kinds(): readonly string[]
  findCommand(name: string): { readonly feature: Feature; readonly found: Command } | undefined
  findTool(name: string): { readonly feature: Feature; readonly found: Tool } | undefined
  /** By its kind. */
  findQuestion(kind: string): { readonly feature: Feature; readonly found: QuestionRule } | undefined
  /** By its kind. */
  findTimer(kind: string): { readonly feature: Feature; readonly found: TimerRule } | undefined
  /** By its kind. */
  findLetter(kind: string): { readonly feature: Feature; readonly found: LetterRule } | undefined
  findSetting(id: string): { readonly feature: Feature; readonly found: Setting } | undefined
}

/** Throws BotError `config` naming each name that is claimed twice, or is none. `onFailed` hears of a feature's hook that threw. */
export function indexFeatures(given: readonly Feature[], onFailed: OnFailed = () => {}): Features {
  const clashes: string[] = []
  const all = given.map((feature) => harden(feature, onFailed))
  const index = <T>(what: keyof typeof names, list: (feature: Feature) => readonly (readonly [string, T])[]) => {
    const byName = new Map<string, { readonly feature: Feature; readonly found: T }>()
    for (const feature of all)
      for (const [name, found] of list(feature)) {
        if (!names[what].test(name))
          clashes.push(`${what} "${name}" of ${feature.name}: it has other signs than its kind may have`)
        const before = byName.get(name)
        if (before) clashes.push(`${what} "${name}": ${before.feature.name} and ${feature.name}`)
        else byName.set(name, { feature, found })
      }
    return byName
  }
  index('feature', (feature) => [[feature.name, feature]])
  const commands = index('command', (feature) => (feature.commands ?? []).map((command) => [command.name, command]))
  // Of a list that changes, what cannot be used is left out.
  index('tool', ({ tools = [] }) => (typeof tools === 'function' ? [] : tools.map((tool) => [tool.name, tool])))
  const settings = index('setting', (feature) => (feature.settings ?? []).map((setting) => [setting.id, setting]))
  for (const { found } of settings.values())
    for (const { id } of found.choices)
      if (!names.choice.test(id))
        clashes.push(`choice "${id}" of setting ${found.id}: it has other signs than its kind may have`)
  for (const { found } of settings.values())
    if (found.of === 'person' && (!found.choose || found.choices.some(({ change }) => change !== undefined)))
      clashes.push(`setting "${found.id}": what is a person’s own is not kept in a conversation`)
  const questions = index('question', (feature) => toRules(feature, feature.questions))
  const timers = index('timer', (feature) => toRules(feature, feature.timers))
  const letters = index('letter', (feature) => toRules(feature, feature.letters))
  index('projection', (feature) => (feature.after ?? []).map((one) => [toKind(feature, one.name), one] as const))
  if (questions.has(stopKind)) clashes.push(`question "${stopKind}": it is the executor’s own`)
  if (clashes.length > 0)
    throw new BotError(
      'config',
      ['Features cannot be used together:', ...clashes.map((clash) => `  - ${clash}`)].join('\n'),
    )
  const tools = createToolLists(all, onFailed)
  const kinds = Object.entries({ question: questions, timer: timers, letter: letters, command: commands })
    .flatMap(([what, byName]) => [...byName.keys()].map((name) => toKnown(what, name)))
    .concat(toKnown('timer', compactTimer), toKnown('letter', forgottenLetter), toKnown('letter', reportLetter))
  return {
    all,
    commands: [...commands.values()].map(({ found }) => found),
    tools,
    kinds: () => [...kinds, ...tools.now().map(({ name }) => toKnown('tool', name))],
    findCommand: (name) => commands.get(name),
    findTool: (name) => tools.find(name),
    findQuestion: (kind) => questions.get(kind),
    findTimer: (kind) => timers.get(kind),
    findLetter: (kind) => letters.get(kind),
    findSetting: (id) => settings.get(id),
  }
}

/** The executor's own: no feature is called so. */
export const compactTimer = 'context.compact'
export const forgottenLetter = 'context.forgotten'
export const reportLetter = 'context.report'

const ownKind = /^[a-z][a-z0-9-]{0,29}\.[a-z][a-z0-9-]{0,39}$/
/** As Redis, buttons and menus take them. */
const names = {
  // Timers called `q.<question>` are deadlines of questions.
  feature: /^(?!q$|context$)[a-z][a-z0-9-]{0,29}$/,
  command: /^[a-z][a-z0-9_]{0,31}$/,
  tool: /^[a-zA-Z0-9_-]{1,64}$/,
  setting: /^[a-z0-9_]{1,20}$/,
  choice: /^[a-z0-9_]{1,20}$/,
  timer: ownKind,
  letter: ownKind,
  projection: ownKind,
  question: ownKind,
}

export type OnFailed = (feature: string, error: unknown) => void

/** The feature, with hooks that never throw and whose slices can be read again: what fails is told and changes nothing. */
function harden(feature: Feature, onFailed: OnFailed): Feature {
  const { name, slice, prefers, edited, under, marks, plans, ended } = feature
  const safe =
    <A, R>(hook: (given: A) => R, otherwise: (given: A) => R) =>
    (value: A): R => {
      try {
        return hook(value)
      } catch (error) {
        onFailed(name, error)
        return otherwise(value)
      }
    }
  return {
    ...feature,
    ...(slice ? { slice: hardenSlice(name, slice, safe) } : {}),
    ...(prefers
      ? {
          prefers: safe(
            (own) => toPreferences(prefers(own)),
            () => ({}),
          ),
        }
      : {}),
    ...(edited ? { edited: safe(edited, () => []) } : {}),
    ...(under ? { under: safe(under, () => undefined) } : {}),
    ...(marks ? { marks: hardenMarks(marks, safe) } : {}),
    ...(plans ? { plans: { ...plans, take: safe(plans.take, () => undefined) } } : {}),
    ...(ended ? { ended: safe(ended, () => []) } : {}),
  }
}

type Safe = <A, R>(hook: (given: A) => R, otherwise: (given: A) => R) => (value: A) => R

const hardenMarks = (marks: Marks, safe: Safe): Marks => ({
  without: safe(marks.without, (text) => text),
  of: safe(marks.of, () => undefined),
})

function hardenSlice(name: string, slice: Slice<unknown>, safe: Safe): Slice<unknown> {
  const { inNewSession, calledOff, atRest, forget } = slice
  const checked = (own: unknown): unknown => (own === undefined ? own : checkSlice({ name, slice }, own))
  return {
    ...slice,
    ...(inNewSession
      ? {
          inNewSession: safe(
            (own) => checked(inNewSession(own)),
            (own) => own,
          ),
        }
      : {}),
    ...(atRest
      ? {
          atRest: safe(
            (own) => checked(atRest(own)),
            (own) => own,
          ),
        }
      : {}),
    ...(calledOff
      ? {
          calledOff: (own, which) =>
            safe(
              (value) => checked(calledOff(value, which)),
              () => own,
            )(own),
        }
      : {}),
    ...(forget
      ? {
          forget: (own, id) =>
            safe(
              (value) => checked(forget(value, id)),
              () => own,
            )(own),
        }
      : {}),
  }
}

const preferences = z.object({
  language: z.enum(languages).optional(),
  depth: z.enum(depths).optional(),
  model: z.string().optional(),
})

/** Most chats prefer nothing, and each message asks. */
const toPreferences = (said: Preferences): Preferences =>
  Object.values(said).every((one) => one === undefined) ? {} : preferences.parse(said)

/** As processes tell each other what they know. */
export const toKnown = (what: string, name: string): string => `${what}:${name}`

/** The kind as its records name it. */
export const toKind = (feature: Pick<Feature, 'name'>, own: string): string => `${feature.name}.${own}`

/** Rules by their kinds. */
const toRules = <R>(feature: Feature, rules: Readonly<Record<string, R>> = {}): (readonly [string, R])[] =>
  Object.entries(rules).map(([own, rule]) => [toKind(feature, own), rule])
