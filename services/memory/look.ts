// What /memory lists: all that is kept where it is asked, the newest, what is to be done, what waits for a yes, or what has to do with some words.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import { ofAll, ofAsked, type MemoryRecord } from '#shared/memory/record.ts'
import { mostFindChars, type Look } from './on-card.ts'
import type { Place } from './place.ts'
import type { MemoryDeps } from './ports.ts'
import type { Recall } from './recall.ts'
import { toFolded } from './words.ts'

export type LookDeps = MemoryDeps & { readonly recall: Pick<Recall, 'find'> }

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
  deps: LookDeps,
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
      const asked = toFolded(words)
      const literal = all.filter(({ text }) => toFolded(text).includes(asked))
      const meant = await deps.recall.find({ scopes: reads, text: words, limit: mostFound, nowMs: deps.now() })
      const both = [...literal, ...meant.found.map(({ record }) => record)]
      const once = new Map(both.map((one) => [`${one.scope} ${one.number}`, one]))
      return { ...listed, isPart: meant.isPart, records: [...once.values()] }
    }
    default:
      return look.kind satisfies never
  }
}

/** What is pinned stands first. */
const isAhead = ({ pinned, supersededBy }: MemoryRecord): boolean => pinned === true && supersededBy === undefined

const isCurrent = ({ supersededBy }: MemoryRecord): boolean => supersededBy === undefined

async function countQuestions({ memory }: MemoryDeps, principal: PrincipalId): Promise<number> {
  const read = await memory.read(ofAsked(principal))
  const all = read === 'same' ? [] : read.records
  return all.filter(({ asks }) => asks && asks.held !== true && asks.never !== true).length
}
