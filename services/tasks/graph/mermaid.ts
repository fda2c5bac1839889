// A plan as a picture (Mermaid) and as lines of a chat card. Titles are anybody's words: they are shown and mean nothing.
import type { Language } from '#shared/chat/message.ts'
import { toInertLine, toPlainLine } from '#shared/feature/inert.ts'
import type { NodeStatus, TaskEdge, TaskGraph, TaskNode } from './graph.ts'

const titleChars = 80
const mostLines = 40

const colours: Readonly<Record<NodeStatus, string>> = {
  pending: 'fill:#eeeeee,stroke:#888888,color:#222222',
  running: 'fill:#cfe4ff,stroke:#2266bb,color:#222222',
  done: 'fill:#d2f2d2,stroke:#338833,color:#222222',
  failed: 'fill:#ffd5d5,stroke:#bb3333,color:#222222',
  blocked: 'fill:#fff0c2,stroke:#aa8800,color:#222222',
  skipped: 'fill:#ffffff,stroke:#aaaaaa,color:#777777',
}
const arrows: Readonly<Record<TaskEdge['condition'], string>> = {
  on_success: '-->',
  on_failure: '-.->|failure|',
  always: '-->|always|',
}

export function toMermaid({ nodes, edges }: TaskGraph): string {
  return [
    'flowchart TD',
    ...nodes.map((node) => `  ${toName(node.id)}["${node.id} ${toLabel(node.title)}"]:::${node.status}`),
    ...edges.map(({ from, to, condition }) => `  ${toName(from)} ${arrows[condition]} ${toName(to)}`),
    ...Object.entries(colours).map(([status, colour]) => `  classDef ${status} ${colour}`),
  ].join('\n')
}

const toName = (id: string): string => id.replace('-', '')

/** Each sign that could mean something, by its number: quotes, brackets, `%%`, and Markdown, which Mermaid reads in labels too. */
const toLabel = (title: string): string =>
  toPlainLine(title, titleChars).replaceAll(
    /[^\p{L}\p{M}\p{N}\p{So} ,.!?，。、！？：；（）]/gu,
    (sign) => `#${sign.codePointAt(0)};`,
  )

const marks: Readonly<Record<NodeStatus, string>> = {
  pending: '⏳',
  running: '▶️',
  done: '✅',
  failed: '❌',
  blocked: '⏸',
  skipped: '⤵️',
}
const words = {
  zh: {
    waits: (steps: string) => `（等第 ${steps} 步）`,
    needless: '（用不到）',
    more: (count: number) => `……还有 ${count} 步`,
  },
  en: {
    waits: (steps: string) => ` (waits for ${steps})`,
    needless: ' (not needed)',
    more: (count: number) => `… ${count} more`,
  },
} as const

/** One line a node: how it stands, its number, its title, safe as Markdown. At most forty; of a longer plan those around what is next. */
export function toLines(graph: TaskGraph, language: Language): readonly string[] {
  const numbers = new Map(graph.nodes.map(({ id }, at) => [id, at + 1]))
  const lines = graph.nodes.map(
    (node, at) =>
      `${marks[node.status]} ${at + 1}. ${toInertLine(node.title, titleChars)}${toNote(node, numbers, language)}`,
  )
  if (lines.length <= mostLines) return lines
  const { more } = words[language]
  const shown = mostLines - 2
  const next = graph.nodes.findIndex(({ status }) => status !== 'done' && status !== 'skipped')
  const first = Math.min(Math.max(0, (next < 0 ? lines.length : next) - 3), lines.length - shown)
  const behind = lines.length - first - shown
  return [
    ...(first > 0 ? [more(first)] : []),
    ...lines.slice(first, first + shown),
    ...(behind > 0 ? [more(behind)] : []),
  ]
}

function toNote({ reason }: TaskNode, numbers: ReadonlyMap<string, number>, language: Language): string {
  if (reason?.kind === 'branch') return words[language].needless
  if (reason?.kind !== 'upstream') return ''
  const steps = reason.nodes.flatMap((id) => numbers.get(id) ?? []).slice(0, 5)
  return words[language].waits(steps.join(language === 'zh' ? '、' : ', '))
}
