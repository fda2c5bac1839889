// Renders Markdown as plain text with entities (Telegram's form: ranges in UTF-16 units), so that no text can be taken for markup.
// A link never hides where it leads: its host, or its whole address, stands beside its words. Images are not loaded but named.
import { askedTwice } from './asked-twice.ts'
import { isSameAddress, mayClaim, visible } from './link-words.ts'
import { toReadable } from './markdown.ts'
import { orPlain } from './or-plain.ts'
import { readBlocks, type Block, type Item, type Link, type Phrase } from './read-blocks.ts'
import { toTableText } from './table-text.ts'

type Range = { readonly offset: number; readonly length: number }
export type TextEntity =
  | (Range & { readonly type: 'bold' | 'italic' | 'strikethrough' | 'code' | 'blockquote' })
  | (Range & { readonly type: 'pre'; readonly language?: string })
  | (Range & { readonly type: 'text_link'; readonly url: string })
type EntityKind =
  | { readonly type: 'bold' | 'italic' | 'strikethrough' | 'code' | 'blockquote' }
  | { readonly type: 'pre'; readonly language?: string }
  | { readonly type: 'text_link'; readonly url: string }

export type EntityText = { readonly text: string; readonly entities: readonly TextEntity[] }

/** Never empty: what would show nothing is shown as it was written, or as an ellipsis. */
export const toEntities = askedTwice(orPlain(render, asItStands))

function render(markdown: string): EntityText {
  const out = createWriter()
  writeBlocks(out, readBlocks(toReadable(markdown)), { gap: '\n\n', indent: '', quoted: false })
  return visible.test(out.text()) ? { text: out.text(), entities: out.entities() } : asItStands(markdown)
}

function asItStands(markdown: string): EntityText {
  const source = toReadable(markdown)
  return { text: visible.test(source) ? source : '…', entities: [] }
}

type Writer = {
  write(text: string): void
  /** Marks what `inner` writes. */
  mark(kind: EntityKind, inner: () => void): void
  add(entity: TextEntity): void
  text(): string
  entities(): TextEntity[]
}

function createWriter(): Writer {
  let text = ''
  const entities: TextEntity[] = []
  return {
    write(more) {
      text += more
    },
    mark(kind, inner) {
      const offset = text.length
      inner()
      if (text.length > offset) entities.push({ ...kind, offset, length: text.length - offset })
    },
    add: (entity) => {
      entities.push(entity)
    },
    text: () => text,
    entities: () => entities.toSorted((a, b) => a.offset - b.offset || b.length - a.length),
  }
}

type Layout = { readonly gap: string; readonly indent: string; readonly quoted: boolean }

function writeBlocks(out: Writer, blocks: readonly Block[], layout: Layout): void {
  blocks.forEach((block, i) => {
    if (i > 0) out.write(layout.gap + layout.indent)
    writeBlock(out, block, layout)
  })
}

function writeBlock(out: Writer, block: Block, layout: Layout): void {
  switch (block.kind) {
    case 'paragraph':
      return writePhrases(out, block.phrases)
    case 'heading':
      return out.mark({ type: 'bold' }, () => writePhrases(out, block.phrases))
    case 'list':
      return block.items.forEach((item, i) => {
        if (i > 0) out.write(`\n${block.spread ? '\n' : ''}${layout.indent}`)
        writeItem(out, item, layout)
      })
    case 'quote': {
      const inner = () => writeBlocks(out, block.blocks, { ...layout, gap: '\n', quoted: true })
      return layout.quoted ? inner() : out.mark({ type: 'blockquote' }, inner)
    }
    case 'code': {
      // What stands behind the fence is shown unless it is the name of a language, which Telegram shows itself.
      const { value, info, language } = block
      if (info) out.write(value === '' ? info : `${info}\n`)
      return out.mark({ type: 'pre', ...(language ? { language } : {}) }, () => out.write(value))
    }
    case 'table': {
      const rows = block.rows.map((row) => row.map(toPlain))
      return out.mark({ type: 'pre' }, () => out.write(toTableText(rows)))
    }
    case 'rule':
      return out.write('———')
    default:
      return block satisfies never
  }
}

function writeItem(out: Writer, { mark = '•', blocks }: Item, layout: Layout): void {
  out.write(`${mark} `)
  writeBlocks(out, blocks, { gap: '\n', indent: `${layout.indent}  `, quoted: layout.quoted })
}

function toPlain(phrases: readonly Phrase[]): string {
  const out = createWriter()
  writePhrases(out, phrases)
  return out.text()
}

const marks = { strong: 'bold', emphasis: 'italic', delete: 'strikethrough' } as const

function writePhrases(out: Writer, phrases: readonly Phrase[]): void {
  for (const phrase of phrases) {
    switch (phrase.kind) {
      case 'text':
      case 'formula':
        out.write(phrase.value)
        break
      case 'strong':
      case 'emphasis':
      case 'delete':
        out.mark({ type: marks[phrase.kind] }, () => writePhrases(out, phrase.phrases))
        break
      case 'code':
        out.mark({ type: 'code' }, () => out.write(phrase.value))
        break
      case 'break':
        out.write('\n')
        break
      case 'link':
        writeLink(out, phrase)
        break
      default:
        phrase satisfies never
    }
  }
}

function writeLink(out: Writer, { url, title, phrases }: Link): void {
  const offset = out.text().length
  writePhrases(out, phrases)
  const said = out.text().slice(offset)
  const target = URL.parse(url)
  const isWeb = target?.protocol === 'https:' || target?.protocol === 'http:'
  if (!visible.test(said)) out.write(url)
  else if (!isSameAddress(said, url) && (!target || !isWeb || mayClaim(said))) out.write(` (${url})`)
  else if (target && !isSameAddress(said, url)) {
    out.add({ type: 'text_link', url, offset, length: said.length })
    out.write(` (${target.host})`)
  }
  if (title) out.write(` “${title}”`)
}
