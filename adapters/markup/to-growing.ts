// The beginning of a text that is still being written, as a card's Markdown that later beginnings continue sign by sign: Feishu writes a text
// letter by letter only while the old one is a prefix of the new one. So what later words may turn into something else is left out until they have
// come: a mark that is not closed, a word that may be a link, a line that may be a list's or a table's; and code stays open.
// https://open.feishu.cn/document/cardkit-v1/card-element/content
import type { Nodes, Parents } from 'mdast'
import { parseMarkdown, toReadable } from './markdown.ts'
import { toCardMarkdown } from './to-card.ts'

/** Undefined where nothing is certain yet. */
export function toGrowing(markdown: string): string | undefined {
  const { text, isInCode } = toCertain(toReadable(markdown))
  if (text.trim() === '') return undefined
  const rendered = toCardMarkdown(text)
  return isInCode ? rendered.replace(closingFence, '') : rendered
}

type Certain = { readonly text: string; readonly isInCode: boolean }

const closingFence = /\n[ >]{0,200}`{3}$/
/** What may yet become a bullet, a number, a box, a heading, a quote, a rule, or the line below a heading or a table's head. */
const onlyMarks = /^[\s\-+*#>=|~`:\d.)]*(?:\[[ xX]?\]?)?$/
const fence = /^[ >]*(?:`{3,}|~{3,})[ \t]*$/

function toCertain(source: string): Certain {
  const block = findLastBlock(parseMarkdown(source))
  if (!block) return { text: '', isInCode: false }
  if (block.type === 'code') return toCertainCode(source, block)
  const end = block.type === 'table' ? toTableEnd(source, block) : toInlineEnd(source, block)
  return { text: withoutMarks(source.slice(0, end)), isInCode: false }
}

const startOf = ({ position }: Nodes): number => position?.start.offset ?? 0
const endOf = ({ position }: Nodes): number => position?.end.offset ?? 0

/** Through lists and quotes. */
function findLastBlock(root: Parents): Nodes | undefined {
  let last: Nodes | undefined = root.children.at(-1)
  while (last && (last.type === 'list' || last.type === 'listItem' || last.type === 'blockquote')) {
    const inner: Nodes | undefined = last.children.at(-1)
    if (!inner) return last
    last = inner
  }
  return last
}

function toCertainCode(source: string, code: Nodes): Certain {
  const lines = source.slice(startOf(code), endOf(code)).split('\n')
  if (lines.length > 1 && fence.test(lines.at(-1) ?? '') && source.length > endOf(code))
    return { text: source, isInCode: false }
  const end = source.lastIndexOf('\n')
  const hasLines = source.slice(startOf(code), Math.max(0, end)).includes('\n')
  return hasLines
    ? { text: source.slice(0, end), isInCode: true }
    : { text: withoutMarks(source.slice(0, startOf(code))), isInCode: false }
}

/** Its last row may be written still. Without rows the head would be a line of pipes. */
function toTableEnd(source: string, table: Nodes): number {
  const end = source.lastIndexOf('\n', endOf(table) - 1)
  const lines = source.slice(startOf(table), Math.max(startOf(table), end)).split('\n').length
  return lines < 3 ? startOf(table) : end
}

function toInlineEnd(source: string, block: Nodes): number {
  let end = Math.min(endOf(block), findOpen(source, block) ?? Infinity)
  // They may be the head of a table, and the line below it.
  for (let lines = 0, from = end; lines < 2 && from > startOf(block); lines++) {
    const to = from
    from = source.lastIndexOf('\n', from - 1)
    if (source.slice(Math.max(from, 0), to).includes('|')) end = Math.max(from, startOf(block))
  }
  for (;;) {
    const before = end
    end = withoutLastWord(source, startOf(block), end)
    const marked = 'children' in block ? block.children.find((one) => isMarkedUpTo(one, end)) : undefined
    // How a mark is written hangs on what follows it.
    if (marked && !/\s/.test(source.charAt(end))) end = startOf(marked)
    if (end === before || end <= startOf(block)) return end
  }
}

const isMarkedUpTo = (node: Nodes, end: number): boolean =>
  node.type !== 'text' && startOf(node) < end && endOf(node) >= end

/** A word of plain letters may yet be an address, a name of a character or an emoji. */
function withoutLastWord(source: string, start: number, from: number): number {
  let at = from
  while (at > start && /[!-~]/.test(source.charAt(at - 1))) at -= 1
  return at
}

/** Where in the block the first mark stands that may yet be closed. */
function findOpen(source: string, node: Nodes): number | undefined {
  if (node.type === 'text') {
    for (let at = startOf(node); at < endOf(node); at++) if (isOpen(source, at, endOf(node))) return at
    return undefined
  }
  if (!('children' in node)) return undefined
  for (const child of node.children) {
    const found = findOpen(source, child)
    if (found !== undefined) return found
  }
  return undefined
}

function isOpen(source: string, at: number, end: number): boolean {
  const [before, sign, after] = [source.charAt(at - 1), source.charAt(at), source.charAt(at + 1)]
  if (before === '\\') return false
  // A formula keeps its signs, other text loses the backslashes of escapes.
  if (sign === '\\') return after === '(' || after === '[' || after === 'b'
  if (sign === '$') return !/[\s\d]/.test(after) || at + 1 >= end
  if (sign === '`') return true
  if (sign === '~') return after === '~' || before === '~'
  if (sign === '*') return !(/\s/.test(after) && /^\s?$/.test(before))
  if (sign === '_') return !(/\w/.test(before) && /\w/.test(after))
  if (sign === '<') return /[a-z]/i.test(after)
  if (sign !== '[') return false
  const close = source.indexOf(']', at)
  return close < 0 || close + 1 >= end || source.charAt(close + 1) === '('
}

function withoutMarks(text: string): string {
  let rest = text.trimEnd()
  let wasRule = false
  for (;;) {
    const line = rest.lastIndexOf('\n') + 1
    const last = rest.slice(line)
    if (rest === '' || !(onlyMarks.test(last) || (wasRule && last.includes('|')))) return rest
    // Without its rule the head of a table is a line of pipes.
    wasRule = last.includes('|')
    rest = rest.slice(0, line).trimEnd()
  }
}
