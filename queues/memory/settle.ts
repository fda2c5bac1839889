// What a new record means to those that it resembles: it repeats one, takes the place of what it says otherwise, stands behind something newer, or
// contradicts something surer. It never makes anything surer, and takes nothing away.
import { agree } from '#shared/memory/agree.ts'
import { isShared, type MemoryRecord, type NewRecord } from '#shared/memory/record.ts'
import type { Comparing, Reading } from '#shared/memory/store.ts'

export type Others = {
  /** Of whose words most are its own, the likest first. */
  readonly like: readonly MemoryRecord[]
  /** Who shares its slot. */
  readonly mates: readonly MemoryRecord[]
}
export type Settled =
  | { readonly kind: 'repeat'; readonly of: MemoryRecord }
  | {
      readonly kind: 'new'
      readonly replaces: readonly MemoryRecord[]
      /** Something newer that says otherwise: it has its place already. */
      readonly behind?: MemoryRecord
      /** Something surer that says otherwise. */
      readonly against?: MemoryRecord
    }

type Certain = Pick<MemoryRecord, 'status' | 'origin' | 'taint'>

const origins = { tool: 0, inferred: 1, said: 2 } as const

/** In its status, its origin, and what others wrote that it was made of. */
export const isAsSure = (one: Certain, other: Certain): boolean =>
  (one.status === 'confirmed' || other.status === 'unconfirmed') &&
  origins[one.origin] >= origins[other.origin] &&
  (!isTainted(one) || isTainted(other))
const isTainted = ({ taint }: Certain): boolean => (taint?.length ?? 0) > 0

/** One of two at least stands there already. */
type Standing = NewRecord & Partial<Pick<MemoryRecord, 'scope'>>

/** Linked accounts are one person, whoever of them said and confirmed it. */
const isBySpeaker = (newer: Standing, older: Standing): boolean =>
  newer.confirmedBy === older.speaker || (newer.confirmedBy !== undefined && isShared(newer.scope ?? older.scope ?? ''))

/** What its speaker confirmed, or is an anchor, may take the place of all of its slot. Else it takes that of what is no surer. */
const mayReplace = (newer: Standing, older: Standing): boolean =>
  (newer.status === 'confirmed' && (newer.anchor !== undefined || isBySpeaker(newer, older))) || isAsSure(newer, older)

export function settle(comparing: Comparing, record: NewRecord, { like, mates }: Others): Settled {
  const repeated =
    like.find((one) => isCurrent(one) && comparing.isRepeat(one, record)) ??
    mates.find((one) => isCurrent(one) && tellsTheSame(comparing.read(one), comparing.read(record)))
  if (repeated) return { kind: 'repeat', of: repeated }
  const others = findOthers(comparing, record, mates)
  const behind = others.find((one) => one.saidAt > record.saidAt && mayReplace(one, record))
  if (behind) return { kind: 'new', replaces: [], behind }
  const { replaces, ...rest } = toReplaced(record, others)
  return { kind: 'new', replaces: replaces.filter((one) => one.saidAt <= record.saidAt), ...rest }
}

/** The same value in the same slot, in whatever words: "I live in Lyon", "I moved to Lyon". */
const tellsTheSame = (one: Reading, other: Reading): boolean =>
  one.exact === other.exact && isSameSet(one.slot?.value ?? [], other.slot?.value ?? [])
const isSameSet = (some: readonly string[], others: readonly string[]): boolean =>
  some.length > 0 && some.length === others.length && some.every((word) => others.includes(word))

export type Changed = { readonly after: MemoryRecord; readonly replaces: readonly MemoryRecord[] }

/** A record that stands there already and is changed: once a person confirms it, it counts as said now, also where something had taken its place. */
export function settleChanged(
  comparing: Comparing,
  [before, wanted]: readonly [MemoryRecord, MemoryRecord],
  mates: readonly MemoryRecord[],
): Changed {
  const isConfirmed = wanted.status === 'confirmed' && before.status === 'unconfirmed'
  const after = isConfirmed ? toCurrent(wanted) : wanted
  const isNew = isConfirmed || (wanted.status === 'confirmed' && before.text !== wanted.text)
  if (!isNew || !isCurrent(after)) return { after, replaces: [] }
  return { after, replaces: toReplaced(after, findOthers(comparing, after, mates)).replaces }
}

function toCurrent({ validTo: _until, supersededBy: _by, ...record }: MemoryRecord): MemoryRecord {
  return record
}

/** What nobody confirmed may stand beside something surer that says otherwise. */
export function toConflict(
  comparing: Comparing,
  record: MemoryRecord,
  mates: readonly MemoryRecord[],
): MemoryRecord | undefined {
  return isCurrent(record) ? toReplaced(record, findOthers(comparing, record, mates)).against : undefined
}

const isCurrent = ({ supersededBy }: MemoryRecord): boolean => supersededBy === undefined

/** Those that hold, and have another value in the same slot. */
function findOthers({ read }: Comparing, record: NewRecord, mates: readonly MemoryRecord[]): readonly MemoryRecord[] {
  const { value: own = [], keeps = false } = read(record).slot ?? {}
  if (keeps) return []
  return mates.filter((one) => isCurrent(one) && !agree(own, read(one).slot?.value ?? []))
}

function toReplaced(record: NewRecord, others: readonly MemoryRecord[]) {
  const replaces = others.filter((one) => mayReplace(record, one))
  const against = others.find((one) => one.status === 'confirmed' && !replaces.includes(one))
  return { replaces, ...(against && { against }) }
}

/** `by`: the number of what took its place; 0 where its unit is to give it one. */
export const toReplacedBy = (older: MemoryRecord, by: Pick<NewRecord, 'saidAt'>, number: number): MemoryRecord => ({
  ...older,
  validTo: Math.max(by.saidAt, older.saidAt),
  supersededBy: number,
})

/** A record and its JSON, as it was read. */
export type Read = { readonly json: string; readonly record: MemoryRecord }

/** For units, of each that is replaced: number, JSON as it was read, JSON as it is to be. */
export const toChanges = (
  mates: readonly Read[],
  replaced: readonly MemoryRecord[],
  by: Pick<MemoryRecord, 'saidAt' | 'number'>,
): readonly string[] =>
  mates
    .filter(({ record }) => replaced.includes(record))
    .flatMap(({ json, record }) => [String(record.number), json, JSON.stringify(toReplacedBy(record, by, by.number))])
