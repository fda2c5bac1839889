// What /memory lists: all that is kept where it is asked, the newest, what is to be done, what waits for a yes, or what has to do with some words.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import { ofAll, ofAsked, type MemoryRecord } from '#shared/memory/record.ts'
import { isExpired } from './anchor-words.ts'
import { inOrder } from './anchor-order.ts'
import { collectionOf, mostInCollection } from './collections.ts'
import { findLiteral, type FindDeps } from './find-kept.ts'
import { mostFindChars, type Look } from './on-card.ts'
import type { Place } from './place.ts'
import type { MemoryDeps } from './ports.ts'
import { toDay } from './words.ts'

const mostFound = 50

export type Looked = {
  /** In the order in which they are listed. */
  readonly records: readonly MemoryRecord[]
  /** More are kept than could be looked at. */
  readonly isPart: boolean
  /** All that is kept here. */
  readonly count: number
  /** Questions that wait for this person; of what waits alone. */
  readonly questions: number
}

export async function lookFor(
  deps: FindDeps,
  { own, reads }: Place,
  { look, principal, group }: { readonly look: Look; readonly principal: PrincipalId; readonly group: boolean },
): Promise<Looked> {
  const found = await Promise.all(reads.map((scope) => deps.memory.read(scope)))
  const read = found.flatMap((one) => (one === 'same' ? [] : [one]))
  const count = read.reduce((sum, one) => sum + one.count, 0)
  const all = read.flatMap((one) => one.records)
  const isPart = count > all.length
  const listed = { isPart, count, questions: 0 }
  switch (look.kind) {
    case 'all':
      return { ...listed, records: [...all.filter(isAhead), ...all.filter((one) => !isAhead(one))] }
    case 'recent':
      return { ...listed, records: all.toSorted((a, b) => b.saidAt - a.saidAt) }
    case 'todos':
      return { ...listed, records: all.filter((one) => one.kind === 'todo' && isCurrent(one)) }
    case 'waiting': {
      const records = all.filter((one) => one.status === 'unconfirmed' && isCurrent(one) && one.scope !== ofAll)
      // What a person is to be asked is nobody else's matter.
      const questions = group ? 0 : await countQuestions(deps, principal)
      return { ...listed, records: records.filter(({ scope }) => scope === own), questions }
    }
    case 'find': {
      const words = (look.words ?? '').slice(0, mostFindChars)
      const literal = findLiteral(all, words)
      const meant = await deps.recall.find({ scopes: reads, text: words, limit: mostFound, nowMs: deps.now() })
      const both = [...literal, ...meant.found.map(({ record }) => record)]
      const once = new Map(both.map((one) => [`${one.scope} ${one.number}`, one]))
      return { ...listed, isPart: meant.isPart, records: [...once.values()] }
    }
    case 'in':
      return { ...listed, ...(await findIn(deps, reads, { look, all })) }
    case 'anchors':
      return { ...listed, records: inOrder(all, (one) => isExpired(one, toDay(deps.now(), deps.timeZone))) }
    default:
      return look.kind satisfies never
  }
}

type In = { readonly look: Look; readonly all: readonly MemoryRecord[] }

/** Of a collection the newest first; by words the best few, else those that have the words in them. */
async function findIn(deps: FindDeps, reads: Place['reads'], { look: { collection, words = '' }, all }: In) {
  const own = all.filter((one) => collectionOf(one) === collection).toSorted((a, b) => b.saidAt - a.saidAt)
  if (words === '') return { records: own }
  const asked = { scopes: reads, text: words, limit: mostRanked, nowMs: deps.now() }
  const { found, isPart } = await deps.recall.find(asked)
  const ranked = found.map(({ record }) => record).filter((one) => collectionOf(one) === collection)
  const records = ranked.length > 0 ? ranked : findLiteral(own, words)
  return { records: records.slice(0, mostInCollection), isPart }
}

/** Others of the scope may stand before those of the collection. */
const mostRanked = 5000

/** What is pinned stands first. */
const isAhead = ({ pinned, supersededBy }: MemoryRecord): boolean => pinned === true && supersededBy === undefined

const isCurrent = ({ supersededBy }: MemoryRecord): boolean => supersededBy === undefined

async function countQuestions({ memory }: MemoryDeps, principal: PrincipalId): Promise<number> {
  const read = await memory.read(ofAsked(principal))
  const all = read === 'same' ? [] : read.records
  return all.filter(({ asks }) => asks && asks.held !== true && asks.never !== true).length
}
