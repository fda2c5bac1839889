// What a file that was sent back changes: each line is led to its record, by its sign or by its words, and whatever is not as the record has it is a change.
// Pure. A line whose record is another one by now changes nothing. Lines that are missing count only where the file ends as it was printed: of a message that
// was cut nothing is forgotten.
import type { Localised } from '#shared/chat/message.ts'
import { mostRecordChars, type MemoryKind, type MemoryRecord } from '#shared/memory/record.ts'
import { sections, toLineText, toSame, type Mark } from './document.ts'
import { isOf, toPlaceSign, toSeen } from './mark.ts'
import { dayOf, isPrinted } from './print.ts'
import type { Fault, ReadLine, ReadMemory } from './read.ts'
import type { Change } from './proposal.ts'

/** What a line is refused for that could be read. */
export type Misfit = { readonly line: number; readonly text: string } & (
  | { readonly kind: 'twice'; readonly first: number }
  | { readonly kind: 'unknown-done' | 'too-long' }
  | { readonly kind: 'never-kept'; readonly why: Localised }
)

export type Found = {
  readonly changes: readonly Change[]
  readonly faults: readonly (Fault | Misfit)[]
  /** Numbers of records that changed or went since the file was printed. */
  readonly stale: readonly number[]
  /** Lines left out whose records stay, since the file has not its last line, or is outdated. */
  readonly missing: number
  /** Its numbers are others by now, as where accounts were linked meanwhile. */
  readonly isOutdated: boolean
  /** How many records stand in the file as it would be printed now. */
  readonly printed: number
}

export type Standing = {
  readonly scope: string
  /** All that were looked at. */
  readonly records: readonly MemoryRecord[]
  readonly toDay: (ms: number) => string
  /** Why such words are kept of nobody here. */
  readonly refuse: (text: string) => Localised | undefined
  /** Of words under Patterns, where no record says it. */
  readonly toKind: (text: string) => MemoryKind
}

export function findChanges(read: Extract<ReadMemory, { kind: 'read' }>, standing: Standing): Found {
  const { scope, records } = standing
  const place = toPlaceSign(scope)
  const led = leadToRecords(read.lines, records, place)
  const changes: Change[] = []
  const misfits: Misfit[] = [...led.misfits]
  const firstOf = findFirsts([...led.claimed.values(), ...led.fresh])
  for (const [record, line] of led.claimed) {
    const change = toChange(record, line, standing)
    if (change) changes.push(change)
    if (change?.op !== 'edit' || change.text === undefined) continue
    misfits.push(...findMisfits(line, standing))
    const first = firstOf.get(toSame(line.text)) ?? line
    if (first !== line) misfits.push(toTwice(line, first))
  }
  for (const line of led.fresh) {
    misfits.push(...findMisfits(line, standing))
    changes.push(toNew(line, standing))
  }
  const printed = records.filter(isPrinted)
  const stale = new Set(led.stale)
  const left = printed.filter((record) => !led.claimed.has(record) && !stale.has(record.number))
  const { end } = read
  const isWhole = end !== undefined && led.places.has(end.place) && !led.isOutdated
  const gone = isWhole ? left.filter(({ number }) => number >= end.from && number <= end.to) : []
  changes.push(...gone.map((record): Change => ({ op: 'drop', number: record.number, seen: toSeen(record) })))
  return {
    changes,
    faults: [...read.faults, ...misfits].toSorted((a, b) => a.line - b.line),
    stale: led.stale,
    missing: isWhole ? 0 : left.length,
    isOutdated: led.isOutdated,
    printed: printed.length,
  }
}

type Led = {
  readonly claimed: ReadonlyMap<MemoryRecord, ReadLine>
  readonly fresh: readonly ReadLine[]
  readonly stale: readonly number[]
  readonly isOutdated: boolean
  /** By which signs these records are called. */
  readonly places: ReadonlySet<string>
  readonly misfits: readonly Misfit[]
}

function leadToRecords(lines: readonly ReadLine[], records: readonly MemoryRecord[], place: string): Led {
  const byNumber = new Map(records.map((record) => [record.number, record]))
  const claimed = new Map<MemoryRecord, ReadLine>()
  const stale: number[] = []
  const misfits: Misfit[] = []
  const rest: ReadLine[] = []
  const places = findPlaces(lines, byNumber, place)
  const isOwn = ({ mark }: ReadLine): boolean => mark !== undefined && places.has(mark.place)
  let isOutdated = false
  for (const line of lines) {
    const { mark } = line
    const record = mark && isOwn(line) ? byNumber.get(mark.number) : undefined
    const isKnown = record !== undefined && mark !== undefined && isOf(mark, record) && isPrinted(record)
    // No number is used again: then all of them are others.
    if (record && mark && !isOf(mark, record)) isOutdated = true
    const first = isKnown ? claimed.get(record) : undefined
    if (first) misfits.push(toTwice(line, first))
    else if (isKnown) claimed.set(record, line)
    else rest.push(line)
  }
  const free = Map.groupBy(
    records.filter((record) => isPrinted(record) && !claimed.has(record)).toReversed(),
    ({ text }) => toSame(text),
  )
  const firstOf = findFirsts([...claimed.values()])
  const fresh: ReadLine[] = []
  for (const line of rest) {
    const same = toSame(line.text)
    const record = takeLikest(free.get(same) ?? [], line)
    const first = firstOf.get(same)
    firstOf.set(same, first ?? line)
    if (record) claimed.set(record, line)
    else if (line.mark && isOwn(line)) stale.push(line.mark.number)
    else if (first) misfits.push(toTwice(line, first))
    else if (line.done) misfits.push({ kind: 'unknown-done', line: line.line, text: line.text })
    else fresh.push(line)
  }
  return { claimed, fresh, stale, isOutdated, places, misfits }
}

/** Linked accounts call what they share each by their own sign: of those most lines have the words of the records that they name. */
function findPlaces(
  lines: readonly ReadLine[],
  byNumber: ReadonlyMap<number, MemoryRecord>,
  own: string,
): ReadonlySet<string> {
  const marks = lines.flatMap(({ mark }) => mark ?? [])
  const isKnown = (mark: Mark): boolean => {
    const record = byNumber.get(mark.number)
    return record !== undefined && isOf(mark, record)
  }
  const others = [...Map.groupBy(marks, (mark) => mark.place)].flatMap(([place, all]) =>
    all.filter(isKnown).length * 2 > all.length ? [place] : [],
  )
  return new Set([own, ...others])
}

/** The first line of each text. */
const findFirsts = (lines: readonly ReadLine[]): Map<string, ReadLine> =>
  new Map(lines.toSorted((a, b) => b.line - a.line).map((line) => [toSame(line.text), line]))

const toTwice = ({ line, text }: ReadLine, first: ReadLine): Misfit => ({
  kind: 'twice',
  line,
  text,
  first: first.line,
})

/** Of several that say the same the one of its section first. Each is taken once. */
function takeLikest(records: MemoryRecord[], { section }: ReadLine): MemoryRecord | undefined {
  const at = records.findIndex((record) => sectionOf(record) === section)
  return records.splice(Math.max(at, 0), 1)[0]
}

const sectionOf = ({ status, kind }: MemoryRecord) =>
  status === 'unconfirmed' ? 'Patterns' : sections.find((one) => one.kind === kind)?.name
const kindOf = ({ section }: ReadLine): MemoryKind | undefined => sections.find(({ name }) => name === section)?.kind

/** Undefined where the line says what the record does. */
function toChange(record: MemoryRecord, line: ReadLine, { toDay }: Standing): Change | undefined {
  const seen = toSeen(record)
  const { number } = record
  if (line.done) return { op: 'drop', number, seen, done: true }
  // Who writes other words of it, or puts it under another section, says so themselves.
  const isSame = toSame(record.text) === toSame(line.text)
  const kind = kindOf(line) ?? record.kind
  const isConfirmed = record.status === 'unconfirmed' && (!isSame || line.section !== 'Patterns')
  const day = line.day !== undefined && !isDayOf(record, line.day, toDay) ? line.day : undefined
  if (isSame && kind === record.kind && !isConfirmed && day === undefined) return undefined
  return {
    op: 'edit',
    number,
    seen,
    kind,
    ...(isSame ? {} : { text: line.text }),
    ...(day === undefined ? {} : { day }),
  }
}

const dayMs = 86_400_000

/** A file that was printed in another zone may be a day off. */
function isDayOf(record: MemoryRecord, day: string, toDay: (ms: number) => string): boolean {
  const days = record.validFrom === undefined ? [-1, 0, 1].map((by) => toDay(record.saidAt + by * dayMs)) : []
  return [dayOf(record, toDay), ...days].includes(day)
}

function toNew(line: ReadLine, { toKind }: Standing): Change {
  const { text, day } = line
  const dated = day === undefined ? {} : { day }
  return { op: 'new', line: line.line, kind: kindOf(line) ?? toKind(text), text, ...dated }
}

function findMisfits({ line, text }: ReadLine, { refuse }: Standing): readonly Misfit[] {
  if (text.length > mostRecordChars) return [{ kind: 'too-long', line, text }]
  const why = refuse(toLineText(text))
  return why ? [{ kind: 'never-kept', line, text, why }] : []
}
