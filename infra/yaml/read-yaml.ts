// Reads YAML that people write into texts, lists and maps, with the line of each. It makes nothing else: no tags, no anchors and aliases, no types.
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Node,
  type ParsedNode,
  type YAMLMap,
} from 'yaml'
import type { YamlEntry, YamlFault, YamlNode, YamlRead } from '#services/memory/skills/yaml-tree.ts'

/** Lists and maps in each other. */
const mostDepth = 8
/** Brackets open at one time, wherever they stand, and marks of lists in one line: the parser goes down for each. */
const mostOpen = 30
const mostChars = 16_384

type Fault = { readonly line: number; readonly fault: YamlFault }

export function readYaml(text: string): YamlRead {
  const deep = text.length > mostChars ? 1 : findDeep(text)
  if (deep !== undefined) return { faults: [{ line: deep, fault: 'deep' }] }
  const lines = new LineCounter()
  const read = parseDocument(text, {
    schema: 'failsafe',
    lineCounter: lines,
    // `silent` would take several documents for one.
    logLevel: 'error',
    // Theirs compares each with each.
    uniqueKeys: false,
    strict: true,
    stringKeys: true,
    prettyErrors: false,
  })
  const lineOf = (offset: number): number => Math.max(1, lines.linePos(offset).line)
  const faults: Fault[] = [...read.errors, ...read.warnings].map(({ code, pos }) => ({
    line: lineOf(pos[0]),
    fault: codes[code] ?? 'syntax',
  }))
  const root = read.contents && toNode(read.contents, { lineOf, faults, depth: 0 })
  return { ...(root ? { root } : {}), faults: toDistinct(faults) }
}

const codes: Readonly<Record<string, YamlFault>> = {
  BAD_INDENT: 'indent',
  TAB_AS_INDENT: 'tab',
  MISSING_CHAR: 'unclosed',
  BLOCK_IN_FLOW: 'unclosed',
  MULTIPLE_DOCS: 'documents',
  TAG_RESOLVE_FAILED: 'tag',
  BAD_ALIAS: 'alias',
  NON_STRING_KEY: 'key',
}

/** The first line where too much is open; brackets in texts count, too. */
function findDeep(text: string): number | undefined {
  let open = 0
  for (const [at, line] of text.split('\n').entries()) {
    for (const [sign] of line.matchAll(/[[\]{}]/g)) {
      open = Math.max(0, open + (sign === '[' || sign === '{' ? 1 : -1))
      if (open > mostOpen) return at + 1
    }
    if ((line.match(/[-?:](?=[ \t])/g)?.length ?? 0) > mostOpen && /^[ \t]*(?:[-?:][ \t]+){8}/.test(line)) return at + 1
  }
  return undefined
}

type At = { readonly lineOf: (offset: number) => number; readonly faults: Fault[]; readonly depth: number }

function toNode(node: Node | ParsedNode, at: At): YamlNode {
  const line = at.lineOf(node.range?.[0] ?? 0)
  // Not empty: that would be another mistake.
  const tell = (fault: YamlFault): YamlNode => {
    at.faults.push({ line, fault })
    return { line, kind: 'text', text: fault }
  }
  if (at.depth > mostDepth) return tell('deep')
  if (isAlias(node)) return tell('alias')
  if (node.anchor !== undefined) at.faults.push({ line, fault: 'alias' })
  if (node.tag !== undefined) at.faults.push({ line, fault: 'tag' })
  if (isScalar(node)) return { line, kind: 'text', text: typeof node.value === 'string' ? node.value : '' }
  if (isMap(node)) return { line, kind: 'map', entries: toEntries(node, { ...at, depth: at.depth + 1 }) }
  if (!isSeq(node)) return tell('syntax')
  const inner = { ...at, depth: at.depth + 1 }
  return { line, kind: 'list', items: node.items.map((item) => toItem(item, line, inner)) }
}

function toEntries(map: YAMLMap, at: At): readonly YamlEntry[] {
  const known = new Set<string>()
  return map.items.map(({ key, value }) => {
    const line = isNode(key) ? at.lineOf(key.range?.[0] ?? 0) : 1
    const name = isScalar(key) && typeof key.value === 'string' ? key.value : ''
    if (isScalar(key) && (key.anchor !== undefined || key.tag !== undefined)) at.faults.push({ line, fault: 'alias' })
    if (name !== '' && known.has(name)) at.faults.push({ line, fault: 'duplicate' })
    known.add(name)
    return { key: name, line, value: toItem(value, line, at) }
  })
}

/** `line`: where it would stand, for what is missing. */
const toItem = (item: unknown, line: number, at: At): YamlNode =>
  isNode(item) ? toNode(item, at) : { line, kind: 'text', text: '' }

const isNode = (item: unknown): item is Node => isScalar(item) || isMap(item) || isSeq(item) || isAlias(item)

function toDistinct(faults: readonly Fault[]): readonly Fault[] {
  const byName = new Map(faults.map((one) => [`${one.line} ${one.fault}`, one]))
  return [...byName.values()].toSorted((a, b) => a.line - b.line)
}
