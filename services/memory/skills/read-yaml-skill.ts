// A skill as its teacher writes it in YAML (seed 001 §2.1). Each mistake is told with its line, all of them at once.
import type { Localised } from '#shared/chat/message.ts'
import { skillBounds, type SkillStep } from '#shared/memory/skill.ts'
import { tellTooLong, tellTooMany, toPlain, toRead, type DraftRead, type Fault } from './draft.ts'
import type { ReadYaml, YamlEntry, YamlFault, YamlNode } from './yaml-tree.ts'

const mostChars = 16_384
const mostFaults = 20

/** What the bot itself writes there is read over. */
const ownKeys = new Set(['learned_from', 'success_rate', 'last_updated', 'uses', 'version'])
const keys = ['skill_id', 'name', 'description', 'trigger_conditions', 'steps', 'version_history'] as const
const stepKeys = ['action', 'details', 'tools'] as const

/** Beneath it nothing that stands there can be made out. */
const broken = new Set<YamlFault>(['syntax', 'indent', 'tab', 'unclosed', 'documents', 'deep', 'key'])

const fence = /^[ \t]{0,3}(?:```|~~~)/
/** A key as it is written with wide signs. */
const wideKey =
  /^([ \t]{0,40}(?:- {1,4})?(?:skill_id|name|description|trigger_conditions|steps|version_history|action|details|tools|v\d{1,4})) {0,3}：[ \t]{0,3}/gmu

/** Whether it is meant as YAML. */
export function isYaml(text: string): boolean {
  const plain = text.slice(0, mostChars + 1)
  return (
    fence.test(plain.trimStart()) ||
    /^(?:---|\{)/.test(plain.trimStart()) ||
    /^(?:skill_id|name|description|trigger_conditions|version_history) {0,3}[:：]/m.test(plain) ||
    /^steps {0,3}[:：] {0,3}\n {0,8}- /m.test(plain)
  )
}

/** Lines are counted within the fence, where there is one. */
export function readYamlSkill(text: string, readYaml: ReadYaml): DraftRead {
  if (text.length > mostChars)
    return { kind: 'faults', faults: [{ text: tellTooLong(words.whole, text.length, mostChars) }] }
  const { root, faults: found } = readYaml(toYaml(text))
  const faults: Fault[] = found.map(({ line, fault }) => ({ line, text: told[fault] }))
  if (found.some(({ fault }) => broken.has(fault))) return toFaults(faults)
  if (root?.kind !== 'map') return toFaults([...faults, { line: root?.line ?? 1, text: words.noMap }])
  const read = readMap(root, keys, ownKeys, faults)
  const missing = (['name', 'trigger_conditions', 'steps'] as const).filter((key) => !read[key])
  for (const key of missing) faults.push({ line: root.line, text: tellMissing(key) })
  const name = readText(read.name, { what: words.name, most: skillBounds.name }, faults)
  const draft = {
    ...toId(read.skill_id, faults),
    name,
    description: readText(read.description, { what: words.description, most: skillBounds.description }, faults) || name,
    triggers: readTriggers(read.trigger_conditions, faults),
    steps: readSteps(read.steps, faults),
    ...toHistory(read.version_history, faults),
  }
  return faults.length > 0 ? toFaults(faults) : toRead(draft, [])
}

const toFaults = (faults: readonly Fault[]): DraftRead => ({
  kind: 'faults',
  faults: faults.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)).slice(0, mostFaults),
})

/** Without its fence, with one kind of line end. */
function toYaml(text: string): string {
  const lines = text
    .replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replaceAll(/[\ufeff\u200b]/g, '')
    .split('\n')
  const first = lines.findIndex((line) => line.trim() !== '')
  if (first >= 0 && fence.test(lines[first] ?? '')) {
    lines.splice(0, first + 1)
    const end = lines.findLastIndex((line) => fence.test(line))
    if (end >= 0) lines.splice(end)
  }
  return lines.join('\n').replaceAll(wideKey, '$1: ')
}

type Named<K extends string> = Partial<Record<K, YamlEntry>>

function readMap<K extends string>(
  node: Extract<YamlNode, { kind: 'map' }>,
  known: readonly K[],
  silent: ReadonlySet<string>,
  faults: Fault[],
): Named<K> {
  const named: Named<K> = {}
  for (const entry of node.entries) {
    const key = known.find((one) => one === entry.key)
    if (key) named[key] ??= entry
    else if (!silent.has(entry.key)) faults.push({ line: entry.line, text: tellUnknown(entry.key, known) })
  }
  return named
}

type TextOf = { readonly what: Localised; readonly most: number }

/** Empty where it is missing or wrong. */
function readText(entry: YamlEntry | undefined, of: TextOf, faults: Fault[]): string {
  return entry ? readNode(entry.value, of, faults) : ''
}

function readNode(node: YamlNode, { what, most }: TextOf, faults: Fault[]): string {
  const { line } = node
  if (node.kind !== 'text') {
    faults.push({ line, text: { zh: `${what.zh}必须是一句文字。`, en: `${what.en} must be a text.` } })
    return ''
  }
  const text = toPlain(node.text)
  if (text === '') faults.push({ line, text: { zh: `${what.zh}是空的。`, en: `${what.en} is empty.` } })
  else if (text.length > most) faults.push({ line, text: tellTooLong(what, text.length, most) })
  return text
}

function toId(entry: YamlEntry | undefined, faults: Fault[]): { readonly id?: string } {
  const text = readText(entry, { what: words.id, most: 72 }, faults)
  if (!entry || text === '') return {}
  const [, id] = /^([\p{L}\p{M}\p{N}_]{1,64}?)(?:_v\d{1,5})?$/u.exec(text) ?? []
  if (id === undefined) {
    faults.push({ line: entry.line, text: words.badId })
    return {}
  }
  return { id }
}

type ListOf = { readonly what: Localised; readonly most: number }

function readList(entry: YamlEntry, { what, most }: ListOf, faults: Fault[]): readonly YamlNode[] {
  const { value } = entry
  if (value.kind !== 'list') {
    const en = `${entry.key} must be a list: a line with “- ” for each.`
    faults.push({ line: value.line, text: { zh: `${entry.key} 必须是列表：每项一行，以“- ”开头。`, en } })
    return []
  }
  if (value.items.length === 0)
    faults.push({ line: value.line, text: { zh: `${entry.key} 是空的。`, en: `${entry.key} is empty.` } })
  if (value.items.length > most) faults.push({ line: value.line, text: tellTooMany(what, value.items.length, most) })
  return value.items.slice(0, most)
}

function readTriggers(entry: YamlEntry | undefined, faults: Fault[]): readonly string[] {
  if (!entry) return []
  const of = { what: words.trigger, most: skillBounds.trigger }
  return readList(entry, { what: words.triggers, most: skillBounds.triggers }, faults).map((node) =>
    readNode(node, of, faults),
  )
}

function readSteps(entry: YamlEntry | undefined, faults: Fault[]): readonly SkillStep[] {
  if (!entry) return []
  return readList(entry, { what: words.steps, most: skillBounds.steps }, faults).map((node) => readStep(node, faults))
}

/** A text alone is an action. */
function readStep(node: YamlNode, faults: Fault[]): SkillStep {
  const ofAction = { what: words.action, most: skillBounds.action }
  if (node.kind === 'text') return { action: readNode(node, ofAction, faults) }
  if (node.kind === 'list') {
    faults.push({ line: node.line, text: words.badStep })
    return { action: '' }
  }
  const read = readMap(node, stepKeys, new Set(), faults)
  if (!read.action) faults.push({ line: node.line, text: tellMissing('action') })
  const details = readText(read.details, { what: words.details, most: skillBounds.details }, faults)
  const tools = read.tools ? readTools(read.tools, faults) : []
  return {
    action: readText(read.action, ofAction, faults),
    ...(details === '' ? {} : { details }),
    ...(tools.length === 0 ? {} : { tools: [...tools] }),
  }
}

function readTools(entry: YamlEntry, faults: Fault[]): readonly string[] {
  const of = { what: words.tool, most: skillBounds.tool }
  const names = readList(entry, { what: words.tools, most: skillBounds.tools }, faults).map((node) => ({
    line: node.line,
    name: readNode(node, of, faults),
  }))
  for (const { line, name } of names)
    if (name !== '' && !/^[\w.:-]{1,200}$/.test(name)) faults.push({ line, text: words.badTool })
  return names.map(({ name }) => name)
}

/** `v1: text`, as a text or as a map of one. */
function toHistory(entry: YamlEntry | undefined, faults: Fault[]): { readonly history?: readonly string[] } {
  if (!entry) return {}
  const of = { what: words.line, most: skillBounds.historyLine }
  const history = readList(entry, { what: words.lines, most: skillBounds.history }, faults).map((node) => {
    if (node.kind !== 'map') return readNode(node, of, faults)
    const [only, ...more] = node.entries
    if (!only || more.length > 0) faults.push({ line: node.line, text: words.badLine })
    return only ? readText({ ...only, value: withKey(only) }, of, faults) : ''
  })
  return history.length > 0 ? { history } : {}
}

const withKey = ({ key, value }: YamlEntry): YamlNode =>
  value.kind === 'text' ? { ...value, text: `${key}: ${value.text}` } : value

const tellMissing = (key: string): Localised => ({ zh: `缺少 ${key}。`, en: `${key} is missing.` })

function tellUnknown(key: string, known: readonly string[]): Localised {
  const shown = toPlain(key).slice(0, 40).replaceAll('`', "'")
  const names = known.map((one) => `\`${one}\``)
  return {
    zh: `没有 \`${shown}\` 这一项，可以写 ${names.join('、')}。`,
    en: `\`${shown}\` is no entry here. Write ${names.join(', ')}.`,
  }
}

const words = {
  whole: { zh: '这段文字', en: 'The text' },
  noMap: {
    zh: '这里要写 `name:`、`trigger_conditions:`、`steps:` 这样的各项。',
    en: 'Entries such as `name:`, `trigger_conditions:` and `steps:` are to stand here.',
  },
  name: { zh: 'name ', en: 'name' },
  description: { zh: 'description ', en: 'description' },
  id: { zh: 'skill_id ', en: 'skill_id' },
  trigger: { zh: '触发条件', en: 'The condition' },
  triggers: { zh: '触发条件', en: 'conditions' },
  action: { zh: 'action ', en: 'action' },
  details: { zh: 'details ', en: 'details' },
  steps: { zh: '步骤', en: 'steps' },
  tool: { zh: '工具名', en: 'The tool’s name' },
  tools: { zh: '工具', en: 'tools' },
  line: { zh: '版本说明', en: 'The line' },
  lines: { zh: '版本说明', en: 'lines of versions' },
  badId: { zh: 'skill_id 只能有字母、数字和 _。', en: 'skill_id has letters, digits and _ only.' },
  badStep: { zh: '一个步骤要写成 action、details、tools。', en: 'A step has action, details and tools.' },
  badTool: { zh: '工具名只能有字母、数字和 _ . : -。', en: 'A tool’s name has letters, digits and _ . : - only.' },
  badLine: {
    zh: '每个版本一行，例如 `- v1: 基础版本`。',
    en: 'One line for each version, such as `- v1: the first one`.',
  },
} as const

const told: Readonly<Record<YamlFault, Localised>> = {
  syntax: {
    zh: '这里不是正确的 YAML。含有冒号的文字要加引号。',
    en: 'This is no correct YAML. Put a text with a colon in quotes.',
  },
  indent: { zh: '缩进不对，或者括号没有关上。', en: 'The indentation is wrong, or a bracket is not closed.' },
  tab: { zh: '缩进请用空格，不要用制表符。', en: 'Indent with spaces, not with tabs.' },
  unclosed: { zh: '引号或括号没有关上。', en: 'A quote or a bracket is not closed.' },
  duplicate: { zh: '这一项写了两次。', en: 'This entry stands there twice.' },
  documents: { zh: '只能写一个技能：这里又开始了一个。', en: 'One procedure at a time: another one begins here.' },
  tag: { zh: '不能用 `!` 标签。', en: 'Tags with `!` are not taken.' },
  alias: { zh: '不能用 `&` 和 `*` 引用。', en: 'References with `&` and `*` are not taken.' },
  deep: { zh: '层数太多。', en: 'Too much stands within each other.' },
  key: { zh: '项的名字必须是文字。', en: 'The name of an entry must be a text.' },
}
