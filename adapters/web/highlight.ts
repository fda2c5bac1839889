// Colours code: the text in pieces, each with the kind of thing it is. Data, no markup; text that is long, of an unknown language or takes
// too long is one piece.
import { createRequire } from 'node:module'
import type * as Library from 'lowlight'
import type { Lowlight, Node } from 'lowlight'
import { finishIn } from '#queues/finish-in.ts'

/** A piece of the text, with what it is where that has a colour. */
export type Token = string | readonly [text: string, kind: TokenKind]
export type TokenKind = 'keyword' | 'string' | 'number' | 'comment' | 'name' | 'type' | 'variable' | 'added' | 'removed'

const mostChars = 20_000

/** Scopes of https://highlightjs.readthedocs.io/en/latest/css-classes-reference.html; the others have the colour of text. */
const kinds: Readonly<Record<string, TokenKind>> = {
  keyword: 'keyword',
  literal: 'keyword',
  'selector-tag': 'keyword',
  doctag: 'keyword',
  tag: 'keyword',
  string: 'string',
  regexp: 'string',
  link: 'string',
  char: 'string',
  code: 'string',
  number: 'number',
  symbol: 'number',
  bullet: 'number',
  comment: 'comment',
  quote: 'comment',
  meta: 'comment',
  title: 'name',
  section: 'name',
  name: 'name',
  type: 'type',
  built_in: 'type',
  class: 'type',
  'selector-class': 'type',
  'selector-id': 'type',
  attr: 'variable',
  attribute: 'variable',
  variable: 'variable',
  property: 'variable',
  'template-variable': 'variable',
  addition: 'added',
  deletion: 'removed',
}

export type Highlighter = {
  /** Makes a language ready, which takes a while at first. False for one that is not known, and for code that is too long. */
  prepare(code: string, language: string): boolean
  /** Colours code that was prepared for. Undefined when it takes longer, or cannot be coloured. */
  highlight(code: string, language: string, withinMs: number): readonly Token[] | undefined
}

/** 20 MB and 50 ms, which a process that shows no code goes without. */
function loadLanguages(): Lowlight {
  const loaded: unknown = createRequire(import.meta.url)('lowlight')
  if (!isLibrary(loaded)) throw new Error('lowlight is not as it was.')
  return loaded.createLowlight(loaded.common)
}

const isLibrary = (loaded: unknown): loaded is typeof Library =>
  typeof loaded === 'object' && loaded !== null && 'createLowlight' in loaded && 'common' in loaded

export function createHighlighter(): Highlighter {
  let languages: Lowlight | undefined
  let ready = new Set<string>()
  return {
    prepare(code, language) {
      const name = language.toLowerCase()
      if (code.length > mostChars || name === '') return false
      languages ??= loadLanguages()
      if (!languages.registered(name)) return false
      if (!ready.has(name)) languages.highlight(name, '')
      ready.add(name)
      return true
    },
    highlight(code, language, withinMs) {
      if (withinMs <= 0) return undefined
      const known = (languages ??= loadLanguages())
      const tree = read(() => finishIn(withinMs, () => known.highlight(language.toLowerCase(), code)))
      if (tree) return join(tree.children)
      // A language within another one may be half prepared.
      languages = undefined
      ready = new Set()
      return undefined
    },
  }
}

/** A grammar that loses its way in some code throws. */
function read<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

type Open = { readonly nodes: readonly Node[]; readonly kind: TokenKind | undefined; next: number }

/** The leaves in order, neighbours of a kind as one. The tree is as deep as the code nests, so that it is not walked by calls within calls. */
function join(children: readonly Node[]): Token[] {
  const joined: { text: string; readonly kind: TokenKind | undefined }[] = []
  const open: Open[] = [{ nodes: children, kind: undefined, next: 0 }]
  for (let level = open.at(-1); level; level = open.at(-1)) {
    const node = level.nodes[level.next++]
    if (!node) open.pop()
    else if (node.type === 'element') open.push({ nodes: node.children, kind: toKind(node, level.kind), next: 0 })
    else {
      const last = joined.at(-1)
      if (last && last.kind === level.kind) last.text += node.value
      else joined.push({ text: node.value, kind: level.kind })
    }
  }
  return joined.map(({ text, kind }) => (kind === undefined ? text : [text, kind]))
}

/** What is inserted into a string is code again. */
function toKind(
  { properties }: Extract<Node, { type: 'element' }>,
  outer: TokenKind | undefined,
): TokenKind | undefined {
  const [scope = ''] = [properties.className].flat().map((name) => String(name).replace(/^hljs-/, ''))
  return scope === 'subst' ? undefined : (kinds[scope] ?? outer)
}
