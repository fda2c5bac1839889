// Markdown as a chat can show it: a small tree of blocks and phrases, for every renderer. Whatever else the parser knows (HTML, footnotes,
// references) is text as it was written, so that no renderer need know of it and nothing said is lost. An image is a link to it.
import type { Code, List, Nodes, PhrasingContent } from 'mdast'
import { toShortUrl } from './link-words.ts'
import { parseMarkdown } from './markdown.ts'

export type Link = {
  readonly kind: 'link'
  /** For an image: its own address, which may be the data of the whole image. `url` is then short. */
  readonly image?: string
  readonly url: string
  readonly title?: string | null | undefined
  readonly phrases: readonly Phrase[]
}
export type Phrase =
  | { readonly kind: 'text' | 'code'; readonly value: string }
  | { readonly kind: 'break' }
  /** As it was written, with its marks, and what stands between them (TeX). */
  | { readonly kind: 'formula'; readonly value: string; readonly tex: string; readonly isBlock: boolean }
  | { readonly kind: 'strong' | 'emphasis' | 'delete'; readonly phrases: readonly Phrase[] }
  | Link
/**
 * `mark`: what an item begins with, such as `3.` or a ticked box; a bullet when absent. `isOutOfTurn`: whoever counts the items would give this one another
 * number. `checked`: whether its box is ticked.
 */
export type Item = {
  readonly mark?: string
  readonly isOutOfTurn?: true
  readonly checked?: boolean
  readonly blocks: readonly Block[]
}
export type Align = 'left' | 'center' | 'right' | null
export type Block =
  | { readonly kind: 'paragraph'; readonly phrases: readonly Phrase[] }
  | { readonly kind: 'heading'; readonly depth: number; readonly phrases: readonly Phrase[] }
  /** `start`: the number of the first item; absent where they have none. */
  | { readonly kind: 'list'; readonly items: readonly Item[]; readonly spread: boolean; readonly start?: number }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  /** `info`: what stands behind the fence and is no language. */
  | { readonly kind: 'code'; readonly value: string; readonly language: string; readonly info: string }
  /** The first row is the head. `aligns`: by column. */
  | {
      readonly kind: 'table'
      readonly rows: readonly (readonly (readonly Phrase[])[])[]
      readonly aligns: readonly Align[]
    }
  | { readonly kind: 'rule' }

export function readBlocks(source: string): Block[] {
  return readWithOffsets(source).map(({ block }) => block)
}

/** The blocks with where each begins in `source`. */
export function readWithOffsets(source: string, withinMs?: number): { readonly block: Block; readonly at: number }[] {
  return parseMarkdown(source, withinMs).children.map((node) => {
    return { block: toBlock(node, source), at: node.position?.start.offset ?? 0 }
  })
}

function toBlock(node: Nodes, source: string): Block {
  if (node.type === 'paragraph') return { kind: 'paragraph', phrases: toPhrases(node.children, source) }
  if (node.type === 'heading') return { kind: 'heading', depth: node.depth, phrases: toPhrases(node.children, source) }
  if (node.type === 'list') {
    const marks = toMarks(node, source)
    const items = node.children.map((item, i) => ({ ...marks[i], blocks: toBlocks(item, source) }))
    return { kind: 'list', items, spread: node.spread ?? false, ...(node.ordered ? { start: node.start ?? 1 } : {}) }
  }
  if (node.type === 'blockquote') return { kind: 'quote', blocks: toBlocks(node, source) }
  if (node.type === 'code') return { kind: 'code', value: node.value, ...toHead(node) }
  if (node.type === 'table') {
    return {
      kind: 'table',
      rows: node.children.map(({ children }) => children.map((cell) => toPhrases(cell.children, source))),
      aligns: node.align ?? [],
    }
  }
  if (node.type === 'thematicBreak') return { kind: 'rule' }
  return { kind: 'paragraph', phrases: [asWritten(node, source)] }
}

function toBlocks({ children }: { readonly children: readonly Nodes[] }, source: string): Block[] {
  return children.map((node) => toBlock(node, source))
}

type Mark = Omit<Item, 'blocks'>

function toMarks(list: List, source: string): readonly Mark[] {
  const numbers = list.ordered ? toNumbers(list, source) : []
  return list.children.map(({ checked }, i): Mark => {
    if (typeof checked === 'boolean') return { mark: checked ? '☑' : '☐', checked }
    const number = numbers[i]
    if (!number) return {}
    return { mark: `${number.written}.`, ...(number.isOutOfTurn ? { isOutOfTurn: true } : {}) }
  })
}

export type ItemNumber = { readonly written: string; readonly isOutOfTurn: boolean }

/**
 * The numbers of a list's items. Markdown counts them from the first one, but "1. B, 3. C, 7. A" says which ones are meant: from the first that is out of turn
 * they stand as they were written. Those that are all the same are to be counted.
 */
export function toNumbers({ start, children }: List, source: string): readonly ItemNumber[] {
  const first = start ?? 1
  let [isSame, isOutOfTurn] = [true, false]
  return children.map(({ position }, i) => {
    const from = position?.start.offset ?? 0
    const said = /^\d{1,9}(?=[.)])/.exec(source.slice(from, from + 10))?.[0] ?? String(first + i)
    isSame &&= Number(said) === first
    isOutOfTurn ||= said.startsWith('0') ? said !== String(first + i) : !isSame && Number(said) !== first + i
    return { written: isOutOfTurn ? said : String(first + i), isOutOfTurn }
  })
}

function toHead({ lang, meta, value }: Code): { readonly language: string; readonly info: string } {
  const isLanguage = value !== '' && !meta && /^[\w+#.-]{1,32}$/.test(lang ?? '')
  return isLanguage
    ? { language: lang ?? '', info: '' }
    : { language: '', info: [lang, meta].filter(Boolean).join(' ') }
}

function toPhrases(nodes: readonly PhrasingContent[], source: string): Phrase[] {
  return nodes.map((node): Phrase => {
    switch (node.type) {
      case 'text':
        return { kind: 'text', value: node.value }
      case 'inlineCode':
        return { kind: 'code', value: node.value }
      case 'break':
        return { kind: 'break' }
      case 'formula':
        return { kind: 'formula', value: node.value, tex: node.tex, isBlock: node.isBlock }
      case 'strong':
      case 'emphasis':
      case 'delete':
        return { kind: node.type, phrases: toPhrases(node.children, source) }
      case 'link':
        return { kind: 'link', url: node.url, title: node.title, phrases: toPhrases(node.children, source) }
      case 'image':
        return {
          kind: 'link',
          image: node.url,
          url: toShortUrl(node.url),
          title: node.title,
          phrases: [{ kind: 'text', value: node.alt ?? '' }],
        }
      case 'html':
      case 'footnoteReference':
      case 'imageReference':
      case 'linkReference':
        return asWritten(node, source)
      default:
        return node satisfies never
    }
  })
}

function asWritten({ position }: Nodes, source: string): Phrase {
  return { kind: 'text', value: source.slice(position?.start.offset ?? 0, position?.end.offset ?? 0) }
}
