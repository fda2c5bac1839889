// Which records say mostly the same, by rules: of one kind, of one person, with the same numbers, names and negations. It errs on the side of keeping both.
import { agree } from '#shared/memory/agree.ts'
import { mostMerged, type MemoryKind, type MemoryRecord } from '#shared/memory/record.ts'
import type { Comparing, Reading } from '#shared/memory/store.ts'

const kinds: ReadonlySet<MemoryKind> = new Set(['fact', 'preference', 'todo', 'decision', 'constraint'])
/** Of all words of both so many are in both. */
const leastShared = 0.6
/** One word stands in much that is not the same. */
const leastWords = 2
/** The newest: each is compared with each. */
const mostCompared = 400

type Read = { readonly record: MemoryRecord; readonly reading: Reading; readonly words: ReadonlySet<string> }

/** Groups that may become one record each, by number; no record is in two of them. */
export function findAlike(
  comparing: Comparing,
  records: readonly MemoryRecord[],
): readonly (readonly MemoryRecord[])[] {
  const all = records.filter(mayMerge).slice(0, mostCompared)
  const read = all.map((record): Read => {
    const reading = comparing.read(record)
    return { record, reading, words: new Set(reading.words) }
  })
  const ordered = read.toSorted(
    (a, b) => b.record.text.length - a.record.text.length || b.record.number - a.record.number,
  )
  const taken = new Set<Read>()
  return ordered.flatMap((longest) => {
    if (taken.has(longest)) return []
    const others = ordered.filter((one) => one !== longest && !taken.has(one) && areAlike(comparing, longest, one))
    const group = [longest, ...others].slice(0, mostMerged)
    if (group.length < 2) return []
    for (const one of group) taken.add(one)
    return [group.map(({ record }) => record).toSorted((a, b) => a.number - b.number)]
  })
}

/** What was answered on a card says nothing without its question. */
const mayMerge = ({ kind, supersededBy, answers, asks }: MemoryRecord): boolean =>
  kinds.has(kind) && supersededBy === undefined && answers === undefined && asks === undefined

function areAlike(comparing: Comparing, longer: Read, shorter: Read): boolean {
  const [one, other] = [longer.record, shorter.record]
  if (one.kind !== other.kind || one.speaker !== other.speaker) return false
  if (!tellsTheSame(longer.reading, shorter.reading)) return false
  let shared = 0
  for (const word of shorter.words) if (longer.words.has(word)) shared += 1
  const isWithin = shared === shorter.words.size && shared >= leastWords
  if (isWithin) return holdsExact(longer.reading.exact, shorter.reading.exact)
  const all = longer.words.size + shorter.words.size - shared
  return shared >= leastShared * all && longer.reading.exact === shorter.reading.exact && comparing.isRepeat(one, other)
}

/** Neither tells another value of what has one value alone. */
function tellsTheSame({ slot: one }: Reading, { slot: other }: Reading): boolean {
  if (!one || !other) return true
  return one.of === other.of && agree(one.value, other.value)
}

/** The shorter one has no number that the longer one has not, and both deny as much, of the same people. */
function holdsExact(longer: string, shorter: string): boolean {
  const [told = '', negations, who] = longer.split('|')
  const [less = '', negationsToo, whoToo] = shorter.split('|')
  const known = new Set(told.split(' '))
  return (
    negations === negationsToo && who === whoToo && less.split(' ').every((value) => value === '' || known.has(value))
  )
}
