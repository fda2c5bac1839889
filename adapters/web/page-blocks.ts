// A reply's Markdown as the page shows it: blocks and phrases as data, which the page turns into elements without reading Markdown or
// HTML again. Links that a browser must not open are text, and one whose words name another address has its own beside it. It runs in
// the thread of `open-block-reader.ts`.
import { isSameAddress, mayClaim, visible } from '#adapters/markup/link-words.ts'
import { toReadable } from '#adapters/markup/markdown.ts'
import { readWithOffsets, type Align, type Block, type Link, type Phrase } from '#adapters/markup/read-blocks.ts'
import type { Highlighter, Token } from './highlight.ts'

export type PagePhrase =
  | string
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'break' }
  /** As it was written, and without its marks. */
  | { readonly kind: 'formula'; readonly text: string; readonly tex: string; readonly isBlock: boolean }
  | { readonly kind: 'strong' | 'emphasis' | 'delete'; readonly phrases: readonly PagePhrase[] }
  /** Data, or an address that may be this server's: the page shows no others. `otherwise`: what stands for it then. */
  | {
      readonly kind: 'image'
      readonly url: string
      readonly alt: string
      readonly otherwise: readonly PagePhrase[]
    }
  /** `target`: to be shown behind the words. */
  | {
      readonly kind: 'link'
      readonly url: string
      readonly title?: string
      readonly target?: string
      readonly phrases: readonly PagePhrase[]
    }
/** `mark`: its number as it was written, where counting would give another one. */
export type PageItem = { readonly checked?: boolean; readonly mark?: string; readonly blocks: readonly PageBlock[] }
export type PageBlock =
  | { readonly kind: 'paragraph'; readonly phrases: readonly PagePhrase[] }
  | { readonly kind: 'heading'; readonly depth: number; readonly phrases: readonly PagePhrase[] }
  | { readonly kind: 'list'; readonly items: readonly PageItem[]; readonly spread: boolean; readonly start?: number }
  | { readonly kind: 'quote'; readonly blocks: readonly PageBlock[] }
  | { readonly kind: 'code'; readonly language: string; readonly tokens: readonly Token[] }
  | {
      readonly kind: 'table'
      readonly aligns: readonly Align[]
      readonly rows: readonly (readonly (readonly PagePhrase[])[])[]
    }
  | { readonly kind: 'rule' }

/** Longer replies are shown as they stand. */
export const mostReadChars = 64 * 1024
/** For all code of one text; what is left when it is used up has no colours. */
const colouredWithinMs = 200

/** A block, and where it begins in its text. */
export type PlacedBlock = { readonly block: PageBlock; readonly at: number }

export type PageReader = {
  /** Of a whole text. */
  read(markdown: string): readonly PageBlock[]
  /** Of readable text, in about this time at most. What takes longer is shown as it stands. */
  readPlaced(source: string, withinMs?: number): readonly PlacedBlock[]
}

/** A text as it stands. */
export const plainBlock = (text: string): PageBlock => ({ kind: 'paragraph', phrases: [text] })

export function createPageReader(highlighter: Highlighter): PageReader {
  const readAll: PageReader['readPlaced'] = (source, withinMs = Infinity) => {
    if (source.length > mostReadChars) return [{ block: plainBlock(source), at: 0 }]
    let leftMs = Math.min(colouredWithinMs, withinMs)
    const colour = (code: string, language: string): readonly Token[] => {
      if (!highlighter.prepare(code, language)) return [code]
      const startedMs = performance.now()
      const tokens = highlighter.highlight(code, language, leftMs)
      leftMs -= performance.now() - startedMs
      return tokens ?? [code]
    }
    return readWithOffsets(source, withinMs).map(({ block, at }) => ({ block: toPageBlock(block, colour), at }))
  }
  return {
    readPlaced: readAll,
    read: (markdown) => readAll(toReadable(markdown)).map(({ block }) => block),
  }
}

type Colour = (code: string, language: string) => readonly Token[]

function toPageBlock(block: Block, colour: Colour): PageBlock {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return { ...block, phrases: toPhrases(block.phrases) }
    case 'quote':
      return { kind: 'quote', blocks: block.blocks.map((inner) => toPageBlock(inner, colour)) }
    case 'list': {
      const items = block.items.map(({ checked, mark, isOutOfTurn, blocks }) => {
        const inner = blocks.map((each) => toPageBlock(each, colour))
        if (checked !== undefined) return { checked, blocks: inner }
        return isOutOfTurn && mark ? { mark, blocks: inner } : { blocks: inner }
      })
      return { ...block, items }
    }
    case 'code': {
      const { value, language, info } = block
      return { kind: 'code', language: language || info, tokens: colour(value, language) }
    }
    case 'table':
      return { ...block, rows: block.rows.map((row) => row.map(toPhrases)) }
    case 'rule':
      return block
    default:
      return block satisfies never
  }
}

function toPhrases(phrases: readonly Phrase[]): PagePhrase[] {
  return phrases.flatMap((phrase): PagePhrase[] => {
    switch (phrase.kind) {
      case 'text':
        return [phrase.value]
      case 'code':
        return [{ kind: 'code', text: phrase.value }]
      case 'break':
        return [{ kind: 'break' }]
      case 'formula':
        return [{ kind: 'formula', text: phrase.value, tex: phrase.tex, isBlock: phrase.isBlock }]
      case 'strong':
      case 'emphasis':
      case 'delete':
        return [{ kind: phrase.kind, phrases: toPhrases(phrase.phrases) }]
      case 'link':
        return toLink(phrase)
      default:
        return phrase satisfies never
    }
  })
}

const imageData = /^data:image\/(?:png|jpe?g|gif|webp|avif);base64,/i
const pageFile = /^(?:https?:\/\/[^/\\\s]{1,255})?\/page\/[\w-]{1,64}\.(?:svg|png)$/i

function toLink(link: Link): PagePhrase[] {
  const { image } = link
  const otherwise = toAddress(link)
  if (image === undefined || !(imageData.test(image) || pageFile.test(image))) return otherwise
  return [{ kind: 'image', url: image, alt: toText(link.phrases), otherwise }]
}

function toAddress({ url, title, phrases }: Link): PagePhrase[] {
  const words = toPhrases(phrases)
  const said = toText(phrases)
  const target = URL.parse(url)
  if (!target || !['http:', 'https:', 'mailto:'].includes(target.protocol)) return [...words, ` (${url})`]
  const claims = (mayClaim(said) || hasFormula(phrases)) && !isSameAddress(said, url)
  return [
    {
      kind: 'link',
      url: target.href,
      phrases: visible.test(said) ? words : [url],
      ...(title ? { title } : {}),
      ...(claims ? { target: target.host || target.pathname } : {}),
    },
  ]
}

/** The page shows it otherwise than it was written, so its words may claim anything. */
function hasFormula(phrases: readonly Phrase[]): boolean {
  return phrases.some((one) => one.kind === 'formula' || ('phrases' in one && hasFormula(one.phrases)))
}

function toText(phrases: readonly Phrase[]): string {
  return phrases
    .map((phrase) => ('value' in phrase ? phrase.value : phrase.kind === 'break' ? '\n' : toText(phrase.phrases)))
    .join('')
}
