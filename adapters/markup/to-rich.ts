// Renders Markdown as the blocks of a Telegram rich message, for texts that a plain one would not show well. Built from our own tree of
// the text and of no more kinds than these: no media, mention, button or hidden link can be expressed. Images are not loaded but named.
import type { BlockContent, DefinitionContent, List, Nodes, PhrasingContent, RootContent, Table } from 'mdast'
import { parseMarkdown, toReadable } from './markdown.ts'
import { isSameAddress, mayClaim, toShortUrl, visible } from './link-words.ts'
import { toNumbers } from './read-blocks.ts'

export type RichText = string | RichText[] | RichMark
type RichMark =
  | { readonly type: 'bold' | 'italic' | 'strikethrough' | 'code'; readonly text: RichText }
  | { readonly type: 'url'; readonly text: RichText; readonly url: string }
type RichCell = {
  readonly text: RichText
  readonly is_header?: true
  readonly align: 'left' | 'center' | 'right'
  readonly valign: 'top'
}
type RichItem = {
  readonly blocks: RichBlock[]
  readonly has_checkbox?: true
  readonly is_checked?: true
  readonly value?: number
}
export type RichBlock =
  | { readonly type: 'paragraph'; readonly text: RichText }
  | { readonly type: 'heading'; readonly text: RichText; readonly size: 1 | 2 | 3 | 4 | 5 | 6 }
  | { readonly type: 'pre'; readonly text: string; readonly language?: string }
  | { readonly type: 'divider' }
  | { readonly type: 'list'; readonly items: RichItem[] }
  | { readonly type: 'blockquote'; readonly blocks: RichBlock[] }
  | { readonly type: 'table'; readonly cells: RichCell[][]; readonly is_bordered: true }

/**
 * Of the source, which is no shorter than what is shown of it. Telegram takes 32,768 characters; ours fit even if those were bytes, 3 for
 * a Chinese character, and are read in a tenth of a second. https://core.telegram.org/bots/api#inputrichmessage
 */
export const mostRichChars = 10_000
const mostBlocks = 500
const mostLevels = 16
const mostColumns = 20

const tableLine = /\|[ \t]*:?-|-:?[ \t]*\|/
/** How headings and lists begin, and the lines below headings. */
const richLine = /^[ \t>]*(?:#{1,6}[ \t]|(?:[-+*]|\d{1,9}[.)])[ \t]|(?:-+|=+)[ \t]*$)/m

/**
 * The blocks, where a rich message shows more than a plain one: a table, or in a text over `plainChars` a heading, a task or a list in
 * a list. Undefined otherwise, and for what Telegram would refuse (length, blocks, depth, columns).
 */
export function toRich(markdown: string, plainChars: number): RichBlock[] | undefined {
  const isLong = markdown.length > plainChars
  // Most texts hold none of these and are not read for it.
  const mayGain = tableLine.test(markdown) || (isLong && richLine.test(markdown))
  if (markdown.length > mostRichChars || !mayGain) return undefined
  const source = toReadable(markdown)
  const root = parseMarkdown(source)
  if (!gains(root, isLong)) return undefined
  const out: Rendering = { source, count: 0, levels: 0, columns: 0 }
  const blocks = toBlocks(out, root.children, 1)
  const fits = out.count <= mostBlocks && out.levels <= mostLevels && out.columns <= mostColumns
  return fits && blocks.length > 0 ? blocks : undefined
}

function gains(root: Nodes, isLong: boolean, inList = false): boolean {
  if (root.type === 'table') return true
  if (isLong && root.type === 'heading') return true
  if (isLong && root.type === 'listItem' && typeof root.checked === 'boolean') return true
  if (isLong && root.type === 'list' && inList) return true
  const inside = inList || root.type === 'list'
  return 'children' in root && root.children.some((child) => gains(child, isLong, inside))
}

type Rendering = { readonly source: string; count: number; levels: number; columns: number }
type Block = RootContent | BlockContent | DefinitionContent

/** What shows nothing is left out: Telegram takes no empty blocks. `level` counts from 1. */
function toBlocks(out: Rendering, nodes: readonly Block[], level: number): RichBlock[] {
  return nodes.flatMap((node) => {
    const block = toBlock(out, node, level)
    if (block === undefined) return []
    out.count += 1
    out.levels = Math.max(out.levels, level)
    return [block]
  })
}

function toBlock(out: Rendering, node: Block, level: number): RichBlock | undefined {
  switch (node.type) {
    case 'paragraph':
      return toParagraph(toInline(out, node.children, level + 1))
    case 'heading': {
      const text = toInline(out, node.children, level + 1)
      return isShown(text) ? { type: 'heading', text, size: node.depth } : undefined
    }
    case 'list':
      return toList(out, node, level)
    case 'blockquote': {
      const blocks = toBlocks(out, node.children, level + 1)
      return blocks.length > 0 ? { type: 'blockquote', blocks } : undefined
    }
    case 'code': {
      // What stands behind the fence is shown unless it is the name of a language, which Telegram shows itself.
      const isLanguage = node.value !== '' && !node.meta && /^[\w+#.-]{1,32}$/.test(node.lang ?? '')
      const info = isLanguage ? '' : [node.lang, node.meta].filter(Boolean).join(' ')
      const text = [info, node.value].filter(Boolean).join('\n')
      if (!isShown(text)) return undefined
      return { type: 'pre', text, ...(isLanguage && node.lang ? { language: node.lang } : {}) }
    }
    case 'table':
      return toTable(out, node, level)
    case 'thematicBreak':
      return { type: 'divider' }
    case 'text':
    case 'formula':
    case 'strong':
    case 'emphasis':
    case 'delete':
    case 'inlineCode':
    case 'break':
    case 'link':
    case 'image':
    case 'listItem':
    case 'tableRow':
    case 'tableCell':
    case 'definition':
    case 'footnoteDefinition':
    case 'footnoteReference':
    case 'html':
    case 'imageReference':
    case 'linkReference':
    case 'yaml':
      return toParagraph(sourceOf(out, node))
    default:
      return node satisfies never
  }
}

function toParagraph(text: RichText): RichBlock | undefined {
  return isShown(text) ? { type: 'paragraph', text } : undefined
}

function toList(out: Rendering, list: List, level: number): RichBlock | undefined {
  const numbers = list.ordered ? toNumbers(list, out.source) : []
  const items = list.children.flatMap((item, i): RichItem[] => {
    const blocks = toBlocks(out, item.children, level + 2)
    if (blocks.length === 0) return []
    out.count += 1
    return [
      {
        blocks,
        ...(typeof item.checked === 'boolean' ? { has_checkbox: true } : {}),
        ...(item.checked ? { is_checked: true } : {}),
        ...(numbers[i] ? { value: Number(numbers[i].written) } : {}),
      },
    ]
  })
  return items.length > 0 ? { type: 'list', items } : undefined
}

function toTable(out: Rendering, table: Table, level: number): RichBlock | undefined {
  const columns = table.children.reduce((most, row) => Math.max(most, row.children.length), 0)
  out.columns = Math.max(out.columns, columns)
  // It will not be sent so; filled up, a thousand columns and rows would be a million cells.
  if (columns > mostColumns) return toParagraph(sourceOf(out, table))
  out.count += table.children.length
  const cells = table.children.map((row, i) =>
    Array.from({ length: columns }, (_, j): RichCell => {
      const text = toInline(out, row.children[j]?.children ?? [], level + 3)
      return { text, ...(i === 0 ? { is_header: true } : {}), align: table.align?.[j] ?? 'left', valign: 'top' }
    }),
  )
  return { type: 'table', cells, is_bordered: true }
}

function toInline(out: Rendering, nodes: readonly PhrasingContent[], level: number): RichText {
  out.levels = Math.max(out.levels, level)
  return join(nodes.map((node) => toMark(out, node, level)))
}

function toMark(out: Rendering, node: PhrasingContent, level: number): RichText {
  switch (node.type) {
    case 'text':
    case 'formula':
      return node.value
    case 'strong':
      return mark('bold', toInline(out, node.children, level + 1))
    case 'emphasis':
      return mark('italic', toInline(out, node.children, level + 1))
    case 'delete':
      return mark('strikethrough', toInline(out, node.children, level + 1))
    case 'inlineCode':
      return mark('code', node.value)
    case 'break':
      return '\n'
    case 'link':
      return toLink(node, toInline(out, node.children, level + 1))
    case 'image':
      return toLink({ url: toShortUrl(node.url), title: node.title }, node.alt ?? '')
    case 'html':
    case 'footnoteReference':
    case 'imageReference':
    case 'linkReference':
      return sourceOf(out, node)
    default:
      return node satisfies never
  }
}

type Target = { readonly url: string; readonly title?: string | null | undefined }

/** The same rule as in to-entities.ts: the host, or where words could claim another target the whole address, stands beside them. */
function toLink({ url, title }: Target, words: RichText): RichText {
  const said = toPlain(words)
  const target = URL.parse(url)
  const isWeb = target?.protocol === 'https:' || target?.protocol === 'http:'
  const toAddress = (text: RichText): RichText => (isWeb ? { type: 'url', text, url } : text)
  const named = title ? [` “${title}”`] : []
  if (hasAddress(words)) return join([words, ` (${url})`, ...named])
  if (!visible.test(said)) return join([toAddress(url), ...named])
  if (isSameAddress(said, url)) return join([toAddress(words), ...named])
  if (target && isWeb && !mayClaim(said)) return join([toAddress(words), ` (${target.host})`, ...named])
  return join([words, ' (', toAddress(url), ')', ...named])
}

function mark(type: 'bold' | 'italic' | 'strikethrough' | 'code', text: RichText): RichText {
  return isShown(text) ? { type, text } : text
}

function join(parts: readonly RichText[]): RichText {
  const shown = parts.filter((part) => part !== '')
  return shown.length === 1 ? (shown[0] ?? '') : shown.length === 0 ? '' : shown
}

function toPlain(text: RichText): string {
  if (typeof text === 'string') return text
  return Array.isArray(text) ? text.map(toPlain).join('') : toPlain(text.text)
}

/** A picture that is a link holds two addresses. */
function hasAddress(text: RichText): boolean {
  if (typeof text === 'string') return false
  return Array.isArray(text) ? text.some(hasAddress) : text.type === 'url' || hasAddress(text.text)
}

function isShown(text: RichText): boolean {
  return visible.test(toPlain(text))
}

function sourceOf({ source }: Rendering, { position }: Nodes): string {
  return source.slice(position?.start.offset ?? 0, position?.end.offset ?? 0)
}
