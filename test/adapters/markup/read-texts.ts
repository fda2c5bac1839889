// What must be seen of a text, word by word: once as the parsed Markdown has it in its text nodes, and once as it stands in the source, read without any
// parser of Markdown.
import type { Nodes } from 'mdast'
import { expect } from 'vitest'
import type { Formula } from '#adapters/markup/formula-node.d.ts'

/** Words that follow each other. */
type Words = readonly string[]
/** Words beside each other, such as the cells of a table, which a channel may show line by line. */
export type Group = readonly Words[]

type HowFormula = (formula: Formula) => string

/** The words of each text node, and each formula whole, with its marks unless `how` says otherwise. */
export function readTexts(node: Nodes, how: HowFormula = ({ value }) => value): readonly Group[] {
  if (node.type === 'table')
    return [node.children.flatMap((row) => row.children.map((cell) => readTexts(cell, how).flat(2)))]
  if (node.type === 'formula') return [[[toFlat(how(node)).trim()]]]
  if (node.type === 'image') return [[toWords(node.alt ?? '')]]
  if ('children' in node) return node.children.flatMap((child: Nodes) => readTexts(child, how))
  return 'value' in node ? [[toWords(node.value)]] : []
}

const toFlat = (text: string): string => text.replaceAll(/\s+/g, ' ')
const toWords = (text: string): Words => text.split(/\s+/).filter((word) => word !== '')

/** Numbers, names and words with the signs between them that are no marks of Markdown, and formulas of one line. */
const token =
  /(?<!\\)\\\(.{1,400}?\\\)|[\p{L}\p{M}\p{N}]+(?:(?:[.,:/+=^%@-]+|(?<=\p{N})(?:\*+|~)(?=\p{N})|(?<=[A-Za-z0-9])_+(?=[A-Za-z0-9]))[\p{L}\p{M}\p{N}]+)*/gu
const marks = [
  /^[ \t>]*(?:`{3}|~{3}).*/,
  /^[ \t>]*[-*+][ \t]+\[[ x]\]/,
  /^[ \t>*+-]*\d{1,9}[.)][ \t]/,
  /\]\([^\s()]*(?:\([^\s()]*\)[^\s()]*)*(?: "[^"]*")?\)/g,
  /&[a-z]{2,9};/g,
  /(?<=\|.*)<br ?\/?>(?=.*\|)/g,
]

/** A group for each line. */
export function toSourceTokens(source: string): readonly Group[] {
  return source.split('\n').map((line) => {
    const said = marks.reduce((text, mark) => text.replace(mark, ' '), line)
    const parts = said.startsWith('|') ? said.split(/(?<!\\)\|| {2,}/) : [said]
    return parts.map((part) => part.match(token) ?? [])
  })
}

export function expectInOrder(groups: readonly Group[], shown: string, where: string): void {
  const text = toFlat(shown)
  let from = 0
  for (const group of groups) {
    const ends = group.map((words) => {
      let at = from
      for (const word of words) {
        const found = text.indexOf(word, at)
        expect(found, `${where}: “${word}” is not in “${text.slice(at, at + 200)}”`).toBeGreaterThanOrEqual(0)
        at = found + word.length
      }
      return at
    })
    from = Math.max(from, ...ends)
  }
}
