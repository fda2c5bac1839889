// Reads Markdown (GFM) into a tree. What a chat cannot show and a model hardly means (HTML, link definitions, footnotes, indented
// code) stays text, so that nothing said is lost; a single tilde is a range ("5~10"), not a strike-through.
import type { Nodes, Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly'
import { gfmStrikethroughCjkFriendly } from 'micromark-extension-cjk-friendly-gfm-strikethrough'
import { gfm } from 'micromark-extension-gfm'
import { combineExtensions } from 'micromark-util-combine-extensions'
import { withFewMarks } from '#shared/chat/normal-form.ts'
import { finishIn } from '#queues/finish-in.ts'
import { putPieces } from './put-pieces.ts'
import { hidePieces } from './read-pieces.ts'
import { createStandIns } from './stand-ins.ts'

type Extension = ReturnType<typeof gfm>
type ConstructRecord = NonNullable<Extension['text']>

const disabled = ['definition', 'htmlFlow', 'htmlText', 'codeIndented']
// Strike-through comes with emphasis that Chinese punctuation does not break: by the letter of CommonMark, ‘**注意：**请看’ is no emphasis.
const leftOut = [
  'gfmFootnoteDefinition',
  'gfmFootnoteCall',
  'gfmPotentialFootnoteCall',
  'emailAutolink',
  'strikethrough',
]
const chinese = [cjkFriendlyExtension(), gfmStrikethroughCjkFriendly({ singleTilde: false })]
/** Ten thousand characters of what people write take a fiftieth of it; some that nobody writes would take minutes. */
const readWithinMs = 500
/** Whatever is read so far below that limit needs no watching, which costs a tenth of a millisecond. */
const briefChars = 2000
/** Matched in quadratic time: ten thousand marks would block the process for 15 s. Where there are more, they stay text. */
const costly = [
  { marks: /[*_~]+/g, most: 1000, constructs: ['attention', 'strikethrough'] },
  { marks: /\[/g, most: 600, constructs: ['labelStartLink', 'labelStartImage', 'labelEnd'] },
  { marks: /\|/g, most: 5000, constructs: ['table'] },
  {
    marks: /^[ \t>]*(?:[-+*=#>]|\d{1,9}[.)])/gm,
    most: 300,
    constructs: ['list', 'headingAtx', 'thematicBreak', 'blockQuote'],
  },
  { marks: /^[ \t>]*(?:-+|=+)[ \t]*$/gm, most: 50, constructs: ['setextUnderline'] },
] as const
/** More paragraphs than anybody writes in the lengths that are read here. */
const mostParagraphs = 1000
/** Deeper quotes and lists are abuse; reading them would cost seconds or the stack. */
const mostLevels = 600
const tooDeep = /(?:^|\n)(?:[ \t]*(?:>|(?:[*+-]|\d+[.)])(?=[ \t]))){33}|(?<![[*_~!]|\]\()(?:[[*_~!]|\]\(){500}/

// Put together once: that costs as much as reading a short text. Looking for an email address at the start of each word costs a third of
// it, and apps find them by themselves; looking for a table in each paragraph costs less, but most texts have none.
const withoutTables = toSyntax([...leftOut, 'table'])
const withTables = toSyntax(leftOut)
const thorough = gfmFromMarkdown()
/** Without the second search for bare links. */
const quick = thorough.map((one) => ({ ...one, transforms: [] }))
/** Where reading from left to right may miss a bare link. */
const missable = /\[|www\./i

/** Signs that turn the direction of writing, and how Markdown names them by number. */
const turning = /[\u202a-\u202e\u2066-\u2069]/g
const namedTurning = /&#(?:x0*(?:202[a-e]|206[6-9])|0*(?:823[4-8]|829[4-7]));/gi

/** What can be read: no half surrogate pair, no heap of accents, and nothing that would show a link's words and the host beside them backwards. */
export function toReadable(markdown: string): string {
  return withFewMarks(markdown.replaceAll(turning, '').replaceAll(namedTurning, '\ufffd')).toWellFormed()
}

/**
 * The tree with positions in `source`, never deeper than `mostLevels`, so that whoever renders it may walk it by calls within calls. Text that would be too
 * deep a tree, takes too long, or that the parser fails at, is one paragraph as it stands.
 */
export function parseMarkdown(source: string, withinMs = readWithinMs): Root {
  if (tooDeep.test(source) || (source.match(/\n[ \t]*(?=\n)/g)?.length ?? 0) > mostParagraphs) return plain(source)
  try {
    const root =
      source.length <= briefChars ? read(source) : finishIn(Math.min(withinMs, readWithinMs), () => read(source))
    if (root && !isDeeper(root, mostLevels)) return root
  } catch {
    // The text is shown all the same.
  }
  return plain(source)
}

/** Looked at level by level: the tree may be too deep for calls within calls. */
function isDeeper(root: Root, most: number): boolean {
  let level: readonly Nodes[] = [root]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) return true
    level = level.flatMap((node): readonly Nodes[] => ('children' in node ? node.children : []))
  }
  return false
}

function read(source: string): Root {
  const standIns = createStandIns(source)
  const pieces = standIns ? hidePieces(source, standIns) : []
  const text = standIns?.text() ?? source
  const excess = costly.filter(({ marks, most }) => (text.match(marks)?.length ?? 0) > most)
  const off = excess.flatMap(({ constructs }) => constructs)
  const syntax = text.includes('|') ? withTables : withoutTables
  const extensions = off.length > 0 ? [syntax, { disable: { null: [...disabled, ...off] } }] : [syntax]
  const root = fromMarkdown(text, { extensions, mdastExtensions: missable.test(text) ? thorough : quick })
  if (standIns && text !== source) putPieces(root, { source, pieces, standIns })
  return root
}

/** GFM without these constructs, which are not even tried. */
function toSyntax(left: readonly string[]): Extension {
  const { text, document, flow, ...rest } = gfm({ singleTilde: false })
  const keep = (all: ConstructRecord = {}): ConstructRecord => {
    const kept = Object.entries(all).map(([code, some = []]) => {
      return [code, [some].flat().filter(({ name = '' }) => !left.includes(name))] as const
    })
    return Object.fromEntries(kept.filter(([, some]) => some.length > 0))
  }
  const kept = { ...rest, text: keep(text), document: keep(document), flow: keep(flow) }
  return combineExtensions([kept, ...chinese, { disable: { null: disabled } }])
}

function plain(value: string): Root {
  const position = { start: { line: 1, column: 1, offset: 0 }, end: { line: 1, column: 1, offset: value.length } }
  return { type: 'root', children: [{ type: 'paragraph', position, children: [{ type: 'text', value, position }] }] }
}
