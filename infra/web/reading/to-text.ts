// A part of a document as plain text that looks like Markdown: headings with `#`, items with `-`, a blank line between paragraphs. Links are
// their words only; where they lead is listed apart.
import type { DomElement } from 'linkedom'
import { walk } from './walk.ts'

export type Text = { readonly text: string; /** There is more than fits. */ readonly cut: boolean }

const paragraphs = new Set(
  'p ul ol dl table blockquote pre figure figcaption h1 h2 h3 h4 h5 h6 hr article section main'.split(' '),
)
const lines = new Set('div li tr br dt dd header footer nav aside address details summary caption form'.split(' '))

/** At most about `mostChars` characters; what is beyond is not looked at. */
export function toText(root: DomElement, mostChars: number): Text {
  const page = createPage()
  let pre = 0
  let items = 0
  for (const visit of walk(root)) {
    if (visit.kind === 'text') {
      if (pre > 0) page.write(visit.text)
      else page.flow(visit.text)
      if (page.length() > mostChars) break
      continue
    }
    const { localName: name } = visit.element
    if (name === 'pre') pre += visit.kind === 'enter' ? 1 : -1
    if (name === 'li') items += visit.kind === 'enter' ? 1 : -1
    // A paragraph in an item makes no gap in the list.
    if (paragraphs.has(name)) page.end(items > 0 ? 1 : 2)
    else if (lines.has(name)) page.end(1)
    if (visit.kind === 'enter') page.mark(toMark(name))
  }
  const text = page.text()
  return text.length > mostChars ? { text: `${text.slice(0, mostChars).trimEnd()} …`, cut: true } : { text, cut: false }
}

function toMark(name: string): string {
  if (name === 'li') return '- '
  if (name === 'td' || name === 'th') return '| '
  const [, level] = /^h([1-6])$/.exec(name) ?? []
  return level === undefined ? '' : `${'#'.repeat(Number(level))} `
}

type Page = {
  /** Text in which blanks are one. */
  flow(text: string): void
  /** Text as it is. */
  write(text: string): void
  /** What stands before the next text, if there is any before the line ends. */
  mark(mark: string): void
  /** The line ends; with 2 a blank one follows. */
  end(breaks: 1 | 2): void
  length(): number
  text(): string
}

function createPage(): Page {
  const parts: string[] = []
  let chars = 0
  let breaks = 0
  let blank = false
  let mark = ''
  const write = (text: string): void => {
    if (text === '') return
    const before = chars === 0 ? '' : breaks > 0 ? '\n'.repeat(breaks) : blank || mark !== '' ? ' ' : ''
    const part = `${before}${mark}${text}`
    parts.push(part)
    chars += part.length
    breaks = 0
    blank = false
    mark = ''
  }
  return {
    write,
    flow(text) {
      const words = text.replaceAll(/\s+/g, ' ')
      if (words.startsWith(' ')) blank = true
      write(words.trim())
      if (words.endsWith(' ') && words.length > 1) blank = true
    },
    mark: (next) => {
      if (next !== '') mark = next
    },
    end(wanted) {
      breaks = Math.max(breaks, wanted)
    },
    length: () => chars,
    text: () => parts.join(''),
  }
}
