// One step as a model writes it, and what it means by the names of others. Small slips are read as they are meant: a number as a text, one need
// that is no list, "step 2", "yes".
import { z } from 'zod'
import { cleanText } from '#shared/chat/clean-text.ts'
import { toPlainLine } from '#shared/feature/inert.ts'
import { maxLines, maxNamed, type Condition, type PlanBounds, type TaskEdge, type TaskNode } from './graph.ts'
import { groupEdges } from './order.ts'

const text = z.union([z.string(), z.number()]).transform(String)
const list = z.union([z.array(text), text.transform((one) => one.split(/[,，、;；]/u))])
const named = list.transform((all) => all.map((one) => toPlainLine(one, 80)).filter((one) => one !== ''))
const paths = list.transform((all) => all.map((one) => toPlainLine(one, 300)).filter((one) => one !== ''))
const flag = z.union([z.boolean(), text.transform((one) => /^\s*(?:true|yes|y|1|是)\s*$/i.test(one))])
const condition = text.transform((one, context): Condition => {
  if (/fail|error|失败/i.test(one)) return 'on_failure'
  if (/always|总是|始终/i.test(one)) return 'always'
  if (!/^\s*$|success|done|ok|成功/i.test(one))
    context.addIssue({ code: 'custom', message: 'give on_success, on_failure or always' })
  return 'on_success'
})

const stepShape = z.object({
  id: text.nullish(),
  title: text.nullish(),
  task: text.nullish(),
  needs: named.nullish(),
  when: condition.nullish(),
  outputs: named.nullish(),
  files: paths.nullish(),
  tools: named.nullish(),
  writes_outside: flag.nullish(),
  checkpoint: flag.nullish(),
  critical: flag.nullish(),
  minutes: text.transform(Number.parseFloat).nullish(),
  /** Of a step that is added. */
  after: text.nullish(),
})
export type Step = z.infer<typeof stepShape>

/** What the model is told of a step's fields. */
export const stepProperties = {
  title: { type: 'string', maxLength: 120 },
  task: { type: 'string', maxLength: 1000, description: 'What is to be done, complete in itself.' },
  needs: {
    type: 'array',
    items: { type: 'string' },
    description: 'Steps it waits for, by number or id. The step before it when left out.',
  },
  when: { enum: ['on_success', 'on_failure', 'always'], description: 'How those must end.' },
  outputs: { type: 'array', items: { type: 'string' }, description: 'Names of what it makes for later steps.' },
  files: { type: 'array', items: { type: 'string' }, description: 'Files it works on.' },
  tools: { type: 'array', items: { type: 'string' }, description: 'Only these tools.' },
  writes_outside: { type: 'boolean', description: 'It changes something outside of this task.' },
  checkpoint: { type: 'boolean', description: 'The person looks at it before the next step.' },
  critical: { type: 'boolean', description: 'The task is worth nothing without it.' },
  minutes: { type: 'number' },
} as const

/** A text alone is its task. Returns sentences where it cannot be read; `name` is what they call it. */
export function readStep(unchecked: unknown, name: string): Step | readonly string[] {
  const read = stepShape.safeParse(typeof unchecked === 'string' ? { task: unchecked } : unchecked)
  if (read.success) return read.data
  return read.error.issues.slice(0, 3).map(({ path: [field = ''], code, message }) => {
    const why = code === 'custom' ? message : 'give it as the tool describes it'
    return field === ''
      ? `${name} is no object. Give one with "title" and "task".`
      : `${name}: "${String(field)}": ${why}.`
  })
}
export const isStep = (read: Step | readonly string[]): read is Step => !Array.isArray(read)

/** A node with what a step says of it; all else stays. Sentences, about the step by its `name`, where it says too much or nothing. */
export function withStep(
  node: TaskNode,
  step: Step,
  { maxTaskChars, maxTitleChars, name = node.id }: PlanBounds & { readonly name?: string },
): TaskNode | readonly string[] {
  const said = { title: step.title?.trim() ?? '', task: cleanText(step.task ?? '').text }
  const task = said.task || node.task || cleanText(said.title).text
  if (task === '') return [`${name} has neither "title" nor "task".`]
  if (task.length > maxTaskChars)
    return [`The task of ${name} has ${task.length} characters; at most ${maxTaskChars}. Shorten or part it.`]
  const { outputs, minutes, files, tools } = step
  return {
    ...node,
    title: toPlainLine(said.title || node.title || task, maxTitleChars) || node.id,
    task,
    inputs: { ...node.inputs, ...(files ? { files } : {}) },
    constraints: {
      ...node.constraints,
      ...(tools ? { allowed_tools: tools } : {}),
      ...(minutes && minutes > 0 ? { time_budget_sec: Math.round(minutes * 60) } : {}),
    },
    outputs: outputs
      ? {
          ...node.outputs,
          named: [...new Set(outputs)].slice(0, maxNamed).map((one) => ({ name: one, artifact: null })),
        }
      : node.outputs,
    writes_outside: step.writes_outside ?? node.writes_outside,
    checkpoint: step.checkpoint ?? node.checkpoint,
    critical: step.critical ?? node.critical,
  }
}

export const isNode = (made: TaskNode | readonly string[]): made is TaskNode => !Array.isArray(made)

/** One worker does all for now: the role that carries things out (002 §8.1). */
export const toBlank = (id: string): TaskNode => ({
  id,
  title: '',
  task: '',
  role: 'body',
  executor: { type: 'subagent', name: 'body' },
  inputs: { files: [], context_refs: [], upstream_outputs: [] },
  constraints: { allowed_tools: [], time_budget_sec: null, token_budget: null },
  quality: { evidence_level_required: 'L0', checklist: [] },
  status: 'pending',
  retries: 0,
  outputs: { artifacts_dir: '', summary: '', patch_files: [], evidence: [], named: [] },
  metrics: { cost_estimate: 0, actual_cost: 0, tokens: 0, started_at: null, finished_at: null },
  writes_outside: false,
  checkpoint: false,
  critical: false,
  reason: null,
  waives: [],
})

export type Resolve = (name: string) => string | undefined

/** Reads a node's id, the model's own id of it, its number (from 1) or its title. The first that has a name keeps it. */
export function createResolve(
  known: readonly { readonly node: TaskNode; readonly own?: string | undefined }[],
): Resolve {
  const names = new Map<string, string>()
  const learn = (name: string, id: string): void => {
    const key = name.trim().toLowerCase()
    if (!names.has(key)) names.set(key, id)
  }
  for (const { node, own } of known) if (own !== undefined) learn(own, node.id)
  for (const { node } of known) learn(node.id, node.id)
  for (const [at, { node }] of known.entries()) learn(String(at + 1), node.id)
  for (const { node } of known) learn(node.title, node.id)
  return (name) => {
    const key = name.trim().toLowerCase()
    const [, sign = '', number = ''] = /^(n-?|steps? ?|第|步骤 ?|#)0{0,5}(\d{1,5}) ?步?$/u.exec(key) ?? []
    const byNumber = sign.startsWith('n') ? `n-${number.padStart(3, '0')}` : number
    return names.get(key) ?? (number === '' ? undefined : names.get(byNumber))
  }
}

/** Edges into a node from those that it needs; `1.outputs.draft` needs step 1. Needs that nobody knows are sentences. */
export function toNeeds(
  node: TaskNode,
  { needs, when }: Pick<Step, 'needs' | 'when'>,
  nodes: { readonly resolve: Resolve; readonly byId: ReadonlyMap<string, TaskNode> },
): { readonly edges: readonly TaskEdge[]; readonly problems: readonly string[] } {
  const [edges, problems] = [new Map<string, TaskEdge>(), new Array<string>()]
  for (const need of needs ?? []) {
    const [name = '', output] = need.split('.outputs.', 2)
    const from = nodes.resolve(name)
    const outputs = from === undefined ? [] : (nodes.byId.get(from)?.outputs.named ?? [])
    if (from === undefined)
      problems.push(
        `${node.id} ("${node.title.slice(0, 40)}") needs "${need.slice(0, 40)}", and there is no such step. Name steps by their number, from 1.`,
      )
    else if (output !== undefined && output !== 'summary' && !outputs.some((one) => one.name === output))
      problems.push(`${node.id} needs "${need.slice(0, 80)}", and ${from} does not name that among its "outputs".`)
    else edges.set(from, { from, to: node.id, condition: when ?? 'on_success' })
  }
  return { edges: [...edges.values()], problems }
}

/** Each node reads what those before it make: the outputs that they name, or else their summaries. */
export function withInputs(nodes: readonly TaskNode[], edges: readonly TaskEdge[]): readonly TaskNode[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const into = groupEdges(edges, 'to')
  return nodes.map((node) => {
    const made = (into.get(node.id) ?? []).flatMap(({ from }) => {
      const names = byId.get(from)?.outputs.named.map(({ name }) => name) ?? []
      return (names.length > 0 ? names : ['summary']).map((name) => `${from}.outputs.${name}`)
    })
    return { ...node, inputs: { ...node.inputs, upstream_outputs: made.slice(0, maxLines) } }
  })
}
