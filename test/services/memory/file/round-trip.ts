// Random memories as MEMORY.md: what is printed is read as it was, and sent back as it is it changes nothing, however editors and chat programs wrote it.
import fc from 'fast-check'
import { languages } from '#shared/chat/message.ts'
import { memoryKinds, type MemoryRecord } from '#shared/memory/record.ts'
import { toKind } from '#services/memory/kind.ts'
import { findChanges, type Standing } from '#services/memory/file/diff.ts'
import { levels, sections, toLineText, toSame, type Line, type MemoryDocument } from '#services/memory/file/document.ts'
import { printMemory, toDocument } from '#services/memory/file/print.ts'
import { readMemory, type ReadLine } from '#services/memory/file/read.ts'
import { toDay as toDayIn } from '#services/memory/words.ts'

const scope = 'user:web:ann'
export const toDay = (ms: number): string => toDayIn(ms, 'Asia/Shanghai')

/** Texts as people write them, and with whatever the form itself is made of. */
const pieces = fc.constantFrom(
  '- ',
  '[x] ',
  '[2026-01-01]',
  '## Facts',
  '<!-- 3 abcdef01 -->',
  '<!-- end: 1-9 abc -->',
  '-->',
  '```',
  '> ',
  '：',
  '［ ］',
  'confidence: low',
  '我住在里昂',
  'I live in Lyon',
  '👨‍👩‍👧',
  '\n',
  '\r\n',
  '\u2028',
  'e\u0301',
  '½',
  '\ufeff',
  '#',
)
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
  fc.array(fc.oneof(pieces, fc.string({ maxLength: 8 })), { minLength: 1, maxLength: 8 }).map((all) => all.join('')),
)
const lineText = anyText.map(toLineText).filter((text) => text !== '')
const day = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
  .map((at) => at.toISOString().slice(0, 10))
const hex = (length: number) =>
  fc.array(fc.constantFrom(...'0123456789abcdef'), { minLength: length, maxLength: length }).map((all) => all.join(''))
const number = fc.integer({ min: 1, max: 999_999_999 })
const mark = fc.record({ number, place: hex(3), words: hex(5) })

/** Without what is undefined, as the reader gives it. */
const toLine = (line: { readonly [Name in keyof Line]: Line[Name] | undefined }): Line =>
  JSON.parse(JSON.stringify(line))
const line: fc.Arbitrary<Line> = fc
  .record({
    section: fc.constantFrom(...sections.map(({ name }) => name)),
    day,
    text: lineText,
    mark: fc.option(mark, { nil: undefined }),
    isDone: fc.boolean(),
    level: fc.constantFrom(...levels),
    evidence: fc.integer({ min: 1, max: 999_999 }),
  })
  .map(({ section, day: date, text, mark: sign, isDone, level, evidence }) =>
    toLine({
      section,
      day: section === 'Todos' ? undefined : date,
      text: sign === undefined ? withoutSigns(text) : text,
      mark: sign,
      done: section === 'Todos' && isDone ? true : undefined,
      confidence: section === 'Patterns' ? level : undefined,
      evidence: section === 'Patterns' ? evidence : undefined,
    }),
  )
/** Behind a line without a sign none may stand that looks like one. */
const withoutSigns = (text: string): string => text.replaceAll(/-->|->|[–—]>/g, '.')

const place = (one: Line): number => sections.findIndex(({ name }) => name === one.section)
const memoryDocument: fc.Arbitrary<MemoryDocument> = fc
  .record({
    lines: fc.array(line, { maxLength: 12 }),
    end: fc.option(fc.record({ from: number, to: number, place: hex(3) }), { nil: undefined }),
  })
  .map(({ lines, end }) => ({ lines: lines.toSorted((a, b) => place(a) - place(b)), ...(end ? { end } : {}) }))

export const printedIsRead = fc.property(memoryDocument, fc.constantFrom(...languages), (document, language) => {
  const read = readMemory(printMemory(document, language))
  if (read.kind !== 'read') return false
  const found = { lines: read.lines.map(withoutNumber), ...(read.end ? { end: read.end } : {}) }
  return read.faults.length === 0 && JSON.stringify(sort(found)) === JSON.stringify(sort(document))
})

function withoutNumber({ line: _line, ...one }: ReadLine): Line {
  return one
}

/** Fields in one order. */
const sort = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sort)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, one]) => [name, sort(one)]),
        )
      : value

const record = fc.record({
  text: anyText,
  // Skills stand in no file.
  kind: fc.constantFrom(...memoryKinds.filter((kind) => kind !== 'skill')),
  saidAt: fc.integer({ min: 0, max: 4_000_000_000_000 }),
  isConfirmed: fc.boolean(),
  validFrom: fc.option(day, { nil: undefined }),
  messages: fc.integer({ min: 0, max: 6 }),
  isOld: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
  gap: fc.integer({ min: 1, max: 3 }),
})

/** A memory of up to thirty records, the newest first. */
export const records: fc.Arbitrary<readonly MemoryRecord[]> = fc.array(record, { maxLength: 30 }).map((all) => {
  let last = 0
  return all
    .map(({ text, kind, saidAt, isConfirmed, validFrom, messages, isOld, gap }): MemoryRecord => {
      last += gap
      return {
        v: 1,
        scope,
        number: last,
        id: `said-${last}`,
        kind,
        speaker: 'web:ann',
        text,
        saidAt,
        ...(validFrom === undefined ? {} : { validFrom }),
        status: isConfirmed ? 'confirmed' : 'unconfirmed',
        origin: isConfirmed ? 'said' : 'inferred',
        from: [{ conversation: 'web:main', messages: Array.from({ length: messages }, (_, n) => `m${last}-${n}`) }],
        uses: 0,
        ...(isOld ? { supersededBy: 1_000_000, validTo: saidAt } : {}),
      }
    })
    .toReversed()
})

export const standing = (all: readonly MemoryRecord[]): Standing => ({
  scope,
  records: all,
  toDay,
  toKind,
  refuse: () => undefined,
})

export const print = (all: readonly MemoryRecord[], language: 'zh' | 'en' = 'en'): string =>
  printMemory(toDocument({ scope, records: all, from: 1, toDay, mostChars: 200_000 }).document, language)

const wide: ReadonlyMap<string, string> = new Map([
  ['- ', '－ '],
  ['[', '［'],
  [']', '］'],
])

/** What editors, keyboards and chat programs do to the form. */
const damages = {
  'as it is': (text: string) => text,
  CRLF: (text: string) => text.replaceAll('\n', '\r\n'),
  CR: (text: string) => text.replaceAll('\n', '\r'),
  'a byte order mark': (text: string) => `\ufeff${text}`,
  'a block of code': (text: string) => `\`\`\`markdown\n${text}\n\`\`\``,
  'trailing blanks': (text: string) => text.replaceAll('\n', '  \t\n'),
  'other bullets': (text: string) => text.replaceAll(/^( *)- /gm, '$1* '),
  'full-width signs': (text: string) =>
    text.replaceAll(/^- (?:\[[^\]]{1,10}\])?/gm, (head) =>
      head.replaceAll(/- |[[\]]/g, (sign) => wide.get(sign) ?? sign),
    ),
  'dashes of two hyphens': (text: string) => text.replaceAll(/<!--( [^<>\n]{1,40}) -->$/gm, '<!—$1 —>'),
  'no blank lines': (text: string) => text.replaceAll(/\n\n+/g, '\n'),
  'another order': (text: string) => {
    const [head = '', ...parts] = text.split('\n## ')
    return [head, ...parts.toReversed()].join('\n## ')
  },
} as const

/** Sent back as it was printed, or as programs changed it, it changes nothing. */
export const sentBackChangesNothing = fc.property(
  records,
  fc.constantFrom(...Object.values(damages)),
  fc.constantFrom(...languages),
  (all, damage, language) => {
    const read = readMemory(damage(print(all, language)))
    if (read.kind !== 'read') return false
    const { changes, faults, stale, missing } = findChanges(read, standing(all))
    return changes.length + faults.length + stale.length + missing === 0
  },
)

/** Without the signs lines are led to their records by their words: in whatever memory whose texts differ, nothing changes. */
export const sentBackWithoutSigns = fc.property(records, (all) => {
  const seen = new Set<string>()
  const distinct = all.filter(({ text }) => {
    const same = toSame(text)
    const isFresh = same !== '' && !seen.has(same) && !/<!|-->|->|[–—]>/.test(same)
    seen.add(same)
    return isFresh
  })
  const bare = print(distinct).replaceAll(/ <!-- \d+ [\da-f]{8} -->$/gm, '')
  const read = readMemory(bare)
  if (read.kind !== 'read') return false
  const { changes, faults, stale, missing } = findChanges(read, standing(distinct))
  return changes.length + faults.length + stale.length + missing === 0
})
