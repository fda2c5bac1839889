// What of a person's memory is shown on the page: the newest, or what some typed words find.
import { ofAll, ofPerson, type MemoryRecord, type MemoryScope } from '#shared/memory/record.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import { toLabel } from './place.ts'
import type { Recall } from './recall.ts'
import { toFolded } from './words.ts'

/** As the page gets it. Times are ms since 1970. */
export type ShownRecord = {
  /** `3`, or `g3` of what is kept for everybody. */
  readonly label: string
  /** Changes with each writing of its words; a deed names it, so that nobody changes what they have not seen. */
  readonly id: string
  readonly kind: string
  readonly text: string
  readonly saidAt: number
  readonly isConfirmed: boolean
  readonly isPinned: boolean
  /** Answers to its person in groups may tell it. */
  readonly isForGroups: boolean
  /** Something newer took its place. */
  readonly isOld: boolean
  /** Another person said it; their shown name where it is known. */
  readonly by?: string
  readonly uses: number
  readonly lastUsedAt?: number
  /** Conversations of this page in which it was said. */
  readonly from: readonly string[]
}

export type Look = {
  readonly scope: MemoryScope
  /** Empty for the newest. */
  readonly words: string
  readonly kind?: string
  /** Only what nobody has confirmed. */
  readonly waits?: true
  readonly nowMs: number
}

export type Seen = {
  /** The best or the newest first, at most a hundred. */
  readonly records: readonly ShownRecord[]
  /** All that is kept for this person and for everybody, whatever was looked for. */
  readonly total: number
  /** Not all that fits is here. */
  readonly isPart: boolean
}

const mostShown = 100
const mostFound = 50

type FindDeps = { readonly memory: Pick<MemoryStore, 'read'>; readonly recall: Pick<Recall, 'find'> }

export async function findShown(
  { memory, recall }: FindDeps,
  { scope, words, kind, waits, nowMs }: Look,
): Promise<Seen> {
  const scopes = [scope, ofAll]
  const read = (await Promise.all(scopes.map((one) => memory.read(one)))).flatMap((one) =>
    one === 'same' ? [] : [one],
  )
  const total = read.reduce((sum, { count }) => sum + count, 0)
  const newest = read.flatMap(({ records }) => records).toSorted((a, b) => b.saidAt - a.saidAt)
  const asked = toFolded(words)
  const literal = asked === '' ? newest : newest.filter((one) => toFolded(one.text).includes(asked))
  const meant =
    asked === ''
      ? []
      : (await recall.find({ scopes, text: words, limit: mostFound, nowMs })).found.map((one) => one.record)
  const all = [...new Map([...literal, ...meant].map((one) => [toLabel(one, { own: scope }), one])).values()]
  const fitting = all.filter(
    (one) => (kind === undefined || one.kind === kind) && (!waits || one.status === 'unconfirmed'),
  )
  return {
    records: fitting.slice(0, mostShown).map((one) => toShown(one, scope)),
    total,
    isPart: fitting.length > mostShown || (asked === '' && total > newest.length),
  }
}

export function toShown(record: MemoryRecord, own: MemoryScope): ShownRecord {
  const { id, kind, text, saidAt, status, pinned, groups, supersededBy, speaker, name, uses, lastUsedAt, from } = record
  return {
    label: toLabel(record, { own }),
    id,
    kind,
    text,
    saidAt,
    isConfirmed: status === 'confirmed',
    isPinned: pinned === true,
    isForGroups: groups === true,
    isOld: supersededBy !== undefined,
    ...(own === ofPerson(speaker) ? {} : { by: name ?? speaker }),
    uses,
    ...(lastUsedAt === undefined ? {} : { lastUsedAt }),
    from: [...new Set(from.flatMap(({ conversation }) => (conversation.startsWith('web:') ? [conversation] : [])))],
  }
}
