// Markdown as a terminal shows it: bold, italic and underlined words, lists, quotes, tables in columns, code as it stands. Nothing a text
// says can steer the terminal: control characters are taken out after reading, since a character reference may name one.
import { styleText } from 'node:util'
import wrapAnsi from 'wrap-ansi'
import { orPlain } from '#adapters/markup/or-plain.ts'
import { readBlocks, type Block, type Item, type Phrase } from '#adapters/markup/read-blocks.ts'
import { toTableText } from '#adapters/markup/table-text.ts'

type Style = Parameters<typeof styleText>[0]

/** C0 and C1 controls but tab and newline, and marks that change the direction of what is read. */
const steering = /[\p{Cc}\u202a-\u202e\u2066-\u2069\ufeff]/gu

export function toSafe(text: string): string {
  return text.replaceAll(steering, (found) => (found === '\n' || found === '\t' ? found : ''))
}

const style = (format: Style, text: string): string => styleText(format, text, { validateStream: false })

/** Lines of at most `columns` cells, joined by newlines; code and tables may be longer. */
export const toTerminal = orPlain(render, toSafe)

function render(markdown: string, columns: number): string {
  return showBlocks(readBlocks(toSafe(markdown)), Math.max(10, columns), true)
}

/** The number of a button. It alone stands out in reverse: `#1` in a text, whoever writes it, looks like any other word. */
export const toNumber = (number: number): string => style('inverse', `#${number}`)

/** Where nothing can stand out, no line begins as that of a choice does. */
export const withoutNumbers = (text: string): string => text.replaceAll(numbered, '$1＃$2')
const numbered = /^((?:[^\S\n]|[>│•·*+-])*)#(\d)/gm

function showBlocks(blocks: readonly Block[], columns: number, spread: boolean): string {
  return blocks.map((block) => showBlock(block, columns)).join(spread ? '\n\n' : '\n')
}

function showBlock(block: Block, columns: number): string {
  switch (block.kind) {
    case 'paragraph':
      return wrap(showPhrases(block.phrases), columns)
    case 'heading':
      return wrap(style(block.depth === 1 ? ['bold', 'underline'] : 'bold', showPhrases(block.phrases)), columns)
    case 'list':
      return block.items.map((item) => showItem(item, columns)).join(block.spread ? '\n\n' : '\n')
    case 'quote':
      return indent(showBlocks(block.blocks, columns - 2, true), style('dim', '│ '))
    case 'code': {
      const head = [block.language, block.info].filter(Boolean).join(' ')
      const lines = [...(head ? [style('dim', toSafe(head))] : []), ...toSafe(block.value).split('\n')]
      return indent(lines.map((line) => (line.includes('\u001b') ? line : style('cyan', line))).join('\n'), '    ')
    }
    case 'table':
      return toTableText(block.rows.map((row) => row.map(toPlain)))
    case 'rule':
      return style('dim', '─'.repeat(Math.min(columns, 40)))
    default:
      return block satisfies never
  }
}

function showItem({ mark = '•', blocks }: Item, columns: number): string {
  const margin = ' '.repeat(mark.length + 1)
  const text = indent(showBlocks(blocks, columns - margin.length, false), margin)
  return `${mark} ${text.slice(margin.length)}`
}

function showPhrases(phrases: readonly Phrase[]): string {
  return phrases.map(showPhrase).join('')
}

function showPhrase(phrase: Phrase): string {
  switch (phrase.kind) {
    case 'text':
    case 'formula':
      return toSafe(phrase.value)
    case 'code':
      return style('cyan', toSafe(phrase.value))
    case 'break':
      return '\n'
    case 'strong':
      return style('bold', showPhrases(phrase.phrases))
    case 'emphasis':
      return style('italic', showPhrases(phrase.phrases))
    case 'delete':
      return style('strikethrough', showPhrases(phrase.phrases))
    case 'link': {
      const url = toSafe(phrase.url)
      const words = showPhrases(phrase.phrases)
      return words === url || words === '' ? style('underline', url) : `${style('underline', words)} (${url})`
    }
    default:
      return phrase satisfies never
  }
}

function toPlain(phrases: readonly Phrase[]): string {
  return phrases
    .map((phrase) => {
      if ('value' in phrase) return toSafe(phrase.value)
      return phrase.kind === 'break' ? '\n' : toPlain(phrase.phrases)
    })
    .join('')
}

function wrap(text: string, columns: number): string {
  return wrapAnsi(text, columns, { hard: true })
}

function indent(text: string, margin: string): string {
  return text
    .split('\n')
    .map((line) => margin + line)
    .join('\n')
}
