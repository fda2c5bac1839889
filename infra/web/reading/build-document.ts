// Builds a document from HTML within bounds of depth and size, so that whatever reads it may recurse: what is nested deeper is laid flat, and
// after so many elements reading ends. What a browser would run or not show never gets in: scripts, styles, hidden parts, forms, frames.
import { Parser } from 'htmlparser2'
import { parseHTML, type DomDocument, type DomElement } from 'linkedom'
import { isHidden } from './is-hidden.ts'
import { toPlainAddress } from '#shared/model/addresses.ts'

export type Built = {
  readonly document: DomDocument
  readonly title: string
  /** How long its text is. */
  readonly chars: number
  /** The rest of the page was not read. */
  readonly cut: boolean
}

const mostDepth = 200
/** A browser lays flat what is beyond 512; what opens so many without closing any wants to do harm. */
const mostOpen = 3000
const mostElements = 20_000
/** Forty times what is shown; the longest articles have a tenth of it. */
const mostTextChars = 500_000
const mostTitleChars = 500
const mostNameChars = 200
const pieceChars = 65_536

const unread = new Set(
  (
    'script style template noscript iframe frame frameset object embed applet svg math canvas audio video picture img map ' +
    'select textarea button input datalist dialog progress meter'
  ).split(' '),
)
/** What says nothing of where text stands: there is one body, and all is in it. */
const outer = new Set(['html', 'head', 'body'])
/** What tells Readability the main part from the rest. */
const keptAttributes = ['class', 'id', 'role', 'rel', 'itemprop', 'dir'] as const

/** `address` is where relative links start, unless the page says another. */
export function buildDocument(html: string, address: string): Built {
  const builder = createBuilder(address)
  const parser = new Parser(
    { onopentag: builder.open, onclosetag: builder.close, ontext: builder.text },
    { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
  )
  let at = 0
  for (; at < html.length && !builder.isFull(); at += pieceChars) parser.write(html.slice(at, at + pieceChars))
  if (!builder.isFull()) parser.end()
  return { ...builder.built(), cut: builder.isFull() }
}

type Attributes = Readonly<Record<string, string>>
type Builder = {
  open(name: string, attributes: Attributes): void
  close(): void
  text(text: string): void
  isFull(): boolean
  built(): Omit<Built, 'cut'>
}

function createBuilder(address: string): Builder {
  const tree = createTree()
  let open = 0
  /** How many were open around the part that is not read. */
  let unreadFrom: number | undefined
  let chars = 0
  let isFull = false
  let base = address
  let title: string | undefined
  let isInTitle = false
  let namedTitle = ''
  return {
    open(name, attributes) {
      if (isFull) return
      open++
      isFull = open > mostOpen || tree.elements() >= mostElements
      if (unreadFrom !== undefined) return
      if (unread.has(name) || isHidden(attributes)) unreadFrom = open
      else if (name === 'base') base = toPlainAddress(attributes['href'] ?? '', address) ?? base
      else if (name === 'meta' && attributes['property'] === 'og:title') namedTitle ||= attributes['content'] ?? ''
      isInTitle = name === 'title' && title === undefined && unreadFrom === undefined
      if (isInTitle) title = ''
      if (unreadFrom === undefined) tree.open(name, attributes, base)
    },
    close() {
      if (isFull) return
      if (unreadFrom === undefined) tree.close()
      else if (unreadFrom === open) unreadFrom = undefined
      isInTitle = false
      open--
    },
    text(text) {
      if (isFull || unreadFrom !== undefined) return
      if (isInTitle) title = `${title}${text}`.slice(0, mostTitleChars)
      else tree.text(text)
      chars += text.length
      isFull = chars > mostTextChars
    },
    isFull: () => isFull,
    built: () => ({ document: tree.document(), chars, title: (title || namedTitle).slice(0, mostTitleChars) }),
  }
}

type Tree = {
  open(name: string, attributes: Attributes, base: string): void
  close(): void
  text(text: string): void
  elements(): number
  document(): DomDocument
}

/** What was opened, within each other up to the bound, and flat beyond it. */
function createTree(): Tree {
  const { document } = parseHTML('<!doctype html><html><head></head><body></body></html>')
  const parents: DomElement[] = []
  let elements = 0
  // Texts come in pieces, one for each entity.
  let pending = ''
  const parent = (): DomElement => parents.at(-1) ?? document.body
  const flush = (): void => {
    if (pending !== '') parent().appendChild(document.createTextNode(pending))
    pending = ''
  }
  return {
    open(name, attributes, base) {
      flush()
      const isFlat = outer.has(name) || name === 'title' || parents.length >= mostDepth
      const element = isFlat ? parent() : document.createElement(name)
      if (!isFlat) {
        setAttributes(element, attributes, base)
        parent().appendChild(element)
        elements++
      }
      parents.push(element)
    },
    close() {
      flush()
      parents.pop()
    },
    text: (text) => {
      pending += text
    },
    elements: () => elements,
    document() {
      flush()
      return document
    },
  }
}

function setAttributes(element: DomElement, attributes: Attributes, base: string): void {
  for (const kept of keptAttributes)
    if (attributes[kept] !== undefined) element.setAttribute(kept, attributes[kept].slice(0, mostNameChars))
  const link = element.localName === 'a' ? toPlainAddress(attributes['href'] ?? '', base) : undefined
  if (link !== undefined) element.setAttribute('href', link)
}
