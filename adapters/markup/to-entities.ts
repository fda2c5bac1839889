// Renders Markdown as plain text with entities (Telegram's form: ranges in UTF-16 units), so that no text can be taken for markup.
// A link never hides where it leads: its host, or its whole address, stands beside its words. Images are not loaded but named.
import type {
  BlockContent,
  DefinitionContent,
  Image,
  Link,
  List,
  ListItem,
  Nodes,
  PhrasingContent,
  RootContent,
  Table,
} from 'mdast'
import { isSameAddress, mayClaim, visible } from './link-words.ts'
import { parseMarkdown } from './markdown.ts'
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
export function toEntities(markdown: string): EntityText {
  const source = markdown.toWellFormed()
  const out = createWriter(source)
  writeBlocks(out, parseMarkdown(source).children, { gap: '\n\n', indent: '', quoted: false })
  if (visible.test(out.text())) return { text: out.text(), entities: out.entities() }
  return { text: visible.test(source) ? source : '…', entities: [] }
}

type Writer = {
  write(text: string): void
  /** Marks what `inner` writes. */
  mark(kind: EntityKind, inner: () => void): void
  add(entity: TextEntity): void
  text(): string
  entities(): TextEntity[]
  /** How a node was written. */
  source(node: Nodes): string
}

function createWriter(source: string): Writer {
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
    add: (entity) => void entities.push(entity),
    text: () => text,
    entities: () => entities.toSorted((a, b) => a.offset - b.offset || b.length - a.length),
    source: (node) => source.slice(node.position?.start.offset ?? 0, node.position?.end.offset ?? 0),
  }
}

type Place = { readonly gap: string; readonly indent: string; readonly quoted: boolean }
type Block = RootContent | BlockContent | DefinitionContent

function writeBlocks(out: Writer, blocks: readonly Block[], place: Place): void {
  blocks.forEach((block, i) => {
    if (i > 0) out.write(place.gap + place.indent)
    writeBlock(out, block, place)
  })
}

function writeBlock(out: Writer, block: Block, place: Place): void {
  switch (block.type) {
    case 'paragraph':
      return writeInline(out, block.children)
    case 'heading':
      return out.mark({ type: 'bold' }, () => writeInline(out, block.children))
    case 'list':
      return writeList(out, block, place)
    case 'blockquote': {
      const inner = () => writeBlocks(out, block.children, { ...place, gap: '\n', quoted: true })
      return place.quoted ? inner() : out.mark({ type: 'blockquote' }, inner)
    }
    case 'code': {
      // What stands behind the fence is shown unless it is the name of a language, which Telegram shows itself.
      const isLanguage = block.value !== '' && !block.meta && /^[\w+#.-]{1,32}$/.test(block.lang ?? '')
      const info = isLanguage ? '' : [block.lang, block.meta].filter(Boolean).join(' ')
      if (info) out.write(block.value === '' ? info : `${info}\n`)
      const language = isLanguage && block.lang ? { language: block.lang } : {}
      return out.mark({ type: 'pre', ...language }, () => out.write(block.value))
    }
    case 'table':
      return writeTable(out, block)
    case 'thematicBreak':
      return out.write('———')
    case 'text':
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
      return out.write(out.source(block))
    default:
      return block satisfies never
  }
}

function writeList(out: Writer, list: List, place: Place): void {
  list.children.forEach((item, i) => {
    if (i > 0) out.write(`\n${list.spread ? '\n' : ''}${place.indent}`)
    out.write(toMarker(list, item, i))
    writeBlocks(out, item.children, { gap: '\n', indent: `${place.indent}  `, quoted: place.quoted })
  })
}

function toMarker(list: List, item: ListItem, i: number): string {
  if (typeof item.checked === 'boolean') return item.checked ? '☑ ' : '☐ '
  return list.ordered ? `${(list.start ?? 1) + i}. ` : '• '
}

function writeTable(out: Writer, table: Table): void {
  const rows = table.children.map((row) =>
    row.children.map((cell) => {
      const text = createWriter('')
      writeInline({ ...text, source: (node) => out.source(node) }, cell.children)
      return text.text()
    }),
  )
  out.mark({ type: 'pre' }, () => out.write(toTableText(rows)))
}

function writeInline(out: Writer, nodes: readonly PhrasingContent[]): void {
  for (const node of nodes) {
    switch (node.type) {
      case 'text':
        out.write(node.value)
        break
      case 'strong':
        out.mark({ type: 'bold' }, () => writeInline(out, node.children))
        break
      case 'emphasis':
        out.mark({ type: 'italic' }, () => writeInline(out, node.children))
        break
      case 'delete':
        out.mark({ type: 'strikethrough' }, () => writeInline(out, node.children))
        break
      case 'inlineCode':
        out.mark({ type: 'code' }, () => out.write(node.value))
        break
      case 'break':
        out.write('\n')
        break
      case 'link':
        writeLink(out, node, () => writeInline(out, node.children))
        break
      case 'image':
        writeLink(out, node, () => out.write(node.alt ?? ''))
        break
      case 'html':
      case 'footnoteReference':
      case 'imageReference':
      case 'linkReference':
        out.write(out.source(node))
        break
      default:
        node satisfies never
    }
  }
}

function writeLink(out: Writer, { url, title }: Pick<Link | Image, 'url' | 'title'>, words: () => void): void {
  const offset = out.text().length
  words()
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
