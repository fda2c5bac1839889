// Renders Markdown as Discord's Markdown: what Discord shares with GFM stays markup, everything else is escaped to stand as written.
// A link never hides where it leads, nothing becomes a mention, a time stamp or a spoiler, and a fence is always closed.
// https://support.discord.com/hc/en-us/articles/210298617
import { askedTwice } from './asked-twice.ts'
import { isSameAddress, visible } from './link-words.ts'
import { toReadable } from './markdown.ts'
import { orPlain } from './or-plain.ts'
import { gap, joinPhrases, marks, onOneLine, plain, wrap } from './phrase-marks.ts'
import { readBlocks, type Block, type Item, type Link, type Phrase } from './read-blocks.ts'
import { toTableText } from './table-text.ts'

const maxHeading = 3

/** Never empty: what would show nothing is shown as it was written, or as an ellipsis. */
export const toDiscord = askedTwice(orPlain(render, toPlain))

function render(markdown: string): string {
  const text = blocks(readBlocks(toReadable(markdown)), '\n\n')
  return visible.test(text) ? text : toPlain(markdown)
}

function toPlain(markdown: string): string {
  const source = toReadable(markdown)
  return visible.test(source) ? escapeDiscord(source) : '…'
}

/** A text that Discord shows as it is. */
export function escapeDiscord(text: string): string {
  return guardStarts(escapeInline(text))
}

function escapeInline(text: string): string {
  return text.replaceAll(/[\\*_~`|<>[\]]/g, String.raw`\$&`).replaceAll(/@(?=everyone|here|[&!]?\d)/gi, `@${gap}`)
}

function blocks(all: readonly Block[], between: string): string {
  return all
    .map(block)
    .filter((text) => text !== '')
    .join(between)
}

function block(one: Block): string {
  switch (one.kind) {
    case 'paragraph':
      return guardStarts(inline(one.phrases))
    case 'heading': {
      const words = onOneLine(inline(one.phrases))
      if (words.trim() === '') return ''
      return one.depth <= maxHeading ? `${'#'.repeat(one.depth)} ${words}` : wrap('**', words)
    }
    case 'list':
      return one.items.map(listItem).join(one.spread ? '\n\n' : '\n')
    case 'quote':
      // Discord does not nest quotes.
      return one.blocks
        .map((inner) => [inner.kind, block(inner)] as const)
        .filter(([, text]) => text !== '')
        .map(([kind, text]) => (kind === 'quote' ? text : text.replaceAll(/^/gm, '> ')))
        .join('\n')
    case 'code': {
      const said = one.info ? escapeDiscord(one.info) : ''
      if (!visible.test(one.value)) return said
      return `${said && `${said}\n`}${fence(one.value, one.language)}`
    }
    case 'table':
      return fence(toTableText(one.rows.map((row) => row.map(plain))), '')
    case 'rule':
      return '———'
    default:
      return one satisfies never
  }
}

function listItem({ mark = '-', isOutOfTurn, blocks: inner }: Item): string {
  const [first = '', ...rest] = blocks(inner, '\n').split('\n')
  return [`${isOutOfTurn ? guardStarts(mark) : mark} ${first}`, ...indent(rest, first.startsWith('```'))].join('\n')
}

/** What lies in a fence keeps its own indent. */
function indent(lines: readonly string[], startsInside: boolean): string[] {
  let inside = startsInside
  return lines.map((line) => {
    const isFence = line.startsWith('```')
    const text = inside || isFence ? line : `  ${line}`
    if (isFence) inside = !inside
    return text
  })
}

/** A number begins a list only where a blank stands behind its dot: `3.14` and `192.168.1.1` are copied as they are. */
const lineStart = /^([^\S\n\r\u2028\u2029]*)(#|-|\+|\d+(?=[.)](?:\s|$)))/gm

/** Lines of a paragraph that would begin a list or a heading. Only text is looked at: markup begins with other signs. */
function guardStarts(text: string): string {
  return text.replaceAll(lineStart, (_, blank: string, mark: string) =>
    /\d/.test(mark) ? `${blank}${mark}${gap}` : `${blank}\\${mark}`,
  )
}

const inline = (phrases: readonly Phrase[]): string => joinPhrases(phrases, phrase)

function phrase(one: Phrase): string {
  switch (one.kind) {
    case 'text':
    case 'formula':
      return escapeInline(one.value)
    case 'strong':
    case 'emphasis':
    case 'delete':
      return wrap(marks[one.kind], inline(one.phrases))
    case 'code':
      return code(one.value)
    case 'break':
      return '\n'
    case 'link':
      return link(one)
    default:
      return one satisfies never
  }
}

/** More than one backtick in a row would open or end something: such code is text. */
function code(value: string): string {
  const said = onOneLine(value)
  if (said.trim() === '') return ''
  if (said.includes('``')) return escapeInline(said)
  return said.includes('`') ? `\`\` ${said} \`\`` : `\`${said}\``
}

function fence(value: string, language: string): string {
  const safe = value.replaceAll(/`{3,}/g, (ticks) => [...ticks].join(gap))
  return `\`\`\`${language}\n${safe}\n\`\`\``
}

function link({ url, title, phrases }: Link): string {
  const [words, said] = [inline(phrases), plain(phrases)]
  const target = URL.parse(url)
  const isWeb = target?.protocol === 'https:' || target?.protocol === 'http:'
  const shown = isWeb && !/[\s<>\\`]/.test(url) ? `<${url}>` : escapeInline(url)
  const name = title ? ` “${escapeInline(title)}”` : ''
  if (!visible.test(said) || isSameAddress(said, url)) return (isWeb ? shown : words || shown) + name
  return `${words} (${shown})${name}`
}
