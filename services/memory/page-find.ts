// What of a person's memory is shown on the page: the newest, or what some typed words find.
import { parseConversation, type Channel } from '#shared/chat/conversation.ts'
import type { Anchor } from '#shared/memory/anchor.ts'
import { ofAll, ofPerson, type MemoryRecord, type MemoryScope } from '#shared/memory/record.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import { readWithSkills } from '#services/memory/file/read-all.ts'
import { toMessageLink } from './message-link.ts'
import { toLabel } from './place.ts'
import type { Recall } from './recall.ts'
import { toFolded } from './words.ts'

/** Where it was said. `href`: its conversation on this page, or its message where that has an address. */
type ShownSource = { readonly channel: Channel; readonly href?: string }

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
  /** The newest first, at most three. */
  readonly from: readonly ShownSource[]
  /** Of what was settled: about what, why, and how long. */
  readonly anchor?: Anchor
}

export type Look = {
  readonly scope: MemoryScope
  /** Empty for the newest. */
  readonly words: string
  readonly kind?: string
  /** Only what nobody has confirmed. */
  readonly waits?: true
  /** So many are there already. */
  readonly skip: number
  readonly nowMs: number
}

export type Seen = {
  /** The best or the newest first, at most a hundred. */
  readonly records: readonly ShownRecord[]
  /** All that is kept for this person and for everybody, whatever was looked for. */
  readonly total: number
  /** There are more behind these. */
  readonly hasMore: boolean
}

const mostShown = 100
const mostFound = 50
const mostSources = 3

type FindDeps = { readonly memory: Pick<MemoryStore, 'read' | 'find'>; readonly recall: Pick<Recall, 'find'> }

export async function findShown(
  { memory, recall }: FindDeps,
  { scope, words, kind, waits, skip, nowMs }: Look,
): Promise<Seen> {
  const scopes = [scope, ofAll]
  const read = (await Promise.all(scopes.map((one) => memory.read(one)))).flatMap((one) =>
    one === 'same' ? [] : [one],
  )
  const total = read.reduce((sum, { count }) => sum + count, 0)
  // Nearly all look at the newest alone.
  const isFirst = skip === 0 && kind === undefined && !waits
  const each = isFirst ? read : await Promise.all(scopes.map((one) => readWithSkills(memory, one)))
  const newest = each.flatMap(({ records }) => records).toSorted((a, b) => b.saidAt - a.saidAt)
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
    records: fitting.slice(skip, skip + mostShown).map((one) => toShown(one, scope)),
    total,
    hasMore: fitting.length > skip + mostShown || (isFirst && asked === '' && total > newest.length),
  }
}

export function toShown(record: MemoryRecord, own: MemoryScope): ShownRecord {
  const { id, kind, text, saidAt, status, pinned, groups, supersededBy, speaker, name, uses, lastUsedAt, anchor } =
    record
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
    from: toSources(record),
    ...(anchor && { anchor }),
  }
}

function toSources({ from }: MemoryRecord): readonly ShownSource[] {
  const all = from.toReversed().map(({ conversation, messages }): ShownSource => {
    const { channel, chat } = parseConversation(conversation)
    // A direct chat and a group of Discord look alike here.
    const href = channel === 'web' ? `#${chat}` : toMessageLink(conversation, messages.at(-1) ?? '', { group: true })
    return { channel, ...(href === undefined ? {} : { href }) }
  })
  return [...new Map(all.map((one) => [`${one.channel} ${one.href}`, one])).values()].slice(0, mostSources)
}
