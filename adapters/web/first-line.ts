// The first line of what the bot said, without Markdown: what a list shows of a message.
import { toReadable } from '#adapters/markup/markdown.ts'
import { readBlocks, type Block, type Phrase } from '#adapters/markup/read-blocks.ts'

const mostChars = 200
/** What begins a message so far down is not its first line. */
const readChars = 1000

export function toFirstLine(markdown: string): string {
  const said = readBlocks(toReadable(markdown.slice(0, readChars))).map(toText)
  const [line = ''] = said.join('\n').trim().split('\n', 1)
  return [...line.trim()].slice(0, mostChars).join('')
}

function toText(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return toWords(block.phrases)
    case 'quote':
      return block.blocks.map(toText).join('\n')
    case 'list':
      return block.items.map(({ blocks }) => blocks.map(toText).join('\n')).join('\n')
    case 'code':
      return block.value
    case 'table':
      return block.rows.map((row) => row.map(toWords).join(' ')).join('\n')
    case 'rule':
      return ''
    default:
      return block satisfies never
  }
}

function toWords(phrases: readonly Phrase[]): string {
  return phrases
    .map((phrase) => ('value' in phrase ? phrase.value : phrase.kind === 'break' ? '\n' : toWords(phrase.phrases)))
    .join('')
}
