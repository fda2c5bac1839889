// Finds records for a turn. Each scope is read as it is now, and tokenised once for each version that it has: most turns read a few bytes of it.
import type { Entry } from '#shared/memory/entry.ts'
import type { MemoryRecord, MemoryScope } from '#shared/memory/record.ts'
import type { MemoryStore, ScopeRead } from '#shared/memory/store.ts'
import { createPrepared, type Prepared } from '#services/memory/search/prepare.ts'
import { rankPrepared } from '#services/memory/search/rank.ts'

export type FoundRecord = { readonly record: MemoryRecord; readonly score: number }

export type Recall = {
  /** The best first; records that something newer took the place of are left out. Throws BotError `store-unavailable`. */
  find(query: RecallQuery): Promise<readonly FoundRecord[]>
  /** What is kept of how people want to be served, the newest first. */
  findManners(scopes: readonly MemoryScope[]): Promise<readonly MemoryRecord[]>
}
export type RecallQuery = {
  readonly scopes: readonly MemoryScope[]
  readonly text: string
  readonly limit: number
  readonly nowMs: number
}

type Known = { readonly version: string; readonly prepared: Prepared; readonly records: readonly MemoryRecord[] }

/** In one process: scopes used lately, and how many records of them all. */
const mostScopes = 500
const mostKnown = 20_000

export function createRecall(store: Pick<MemoryStore, 'read'>): Recall {
  const known = new Map<MemoryScope, Known>()
  let count = 0

  function keep(scope: MemoryScope, { version, records }: ScopeRead): Known {
    drop(scope)
    const current = records.filter(({ supersededBy }) => supersededBy === undefined)
    const made = { version, prepared: createPrepared(current.map(toEntry)), records: current }
    known.set(scope, made)
    count += current.length
    for (const [oldest] of known) {
      if (known.size <= mostScopes && count <= mostKnown) break
      if (oldest !== scope) drop(oldest)
    }
    return made
  }
  function drop(scope: MemoryScope): void {
    count -= known.get(scope)?.records.length ?? 0
    known.delete(scope)
  }

  async function load(scope: MemoryScope): Promise<Known> {
    const before = known.get(scope)
    const read = await store.read(scope, before?.version)
    if (read !== 'same' || !before) return keep(scope, read === 'same' ? { version: '', count: 0, records: [] } : read)
    // Used last: the one that was used longest ago goes first.
    known.delete(scope)
    known.set(scope, before)
    return before
  }

  return {
    async find({ scopes, text, limit, nowMs }) {
      const all = await Promise.all(scopes.map(load))
      const found = all.flatMap(({ prepared, records }, at) => {
        const byId = new Map(records.map((record) => [String(record.number), record]))
        const query = { scopes: [scopes[at] ?? ''], text, limit, nowMs }
        return rankPrepared(prepared, query).flatMap(({ entry, score }) => {
          const record = byId.get(entry.id)
          return record ? [{ record, score }] : []
        })
      })
      return found.toSorted((a, b) => b.score - a.score).slice(0, limit)
    },
    async findManners(scopes) {
      const all = await Promise.all(scopes.map(load))
      return all
        .flatMap(({ records }) => records)
        .filter(({ kind, status, text }) => kind === 'preference' && status === 'confirmed' && isManner(text))
        .toSorted((a, b) => b.saidAt - a.saidAt)
    },
  }
}

const toEntry = ({ scope, number, kind, text, name, saidAt, status, pinned }: MemoryRecord): Entry => ({
  scope,
  id: String(number),
  kind,
  text,
  ...(name === undefined ? {} : { speaker: name }),
  atMs: saidAt,
  firm: status === 'confirmed' || pinned === true,
})

/** How to answer, which matters whatever is asked. */
const isManner = (text: string): boolean =>
  /\b(?:answer|repl(?:y|ies)|respond|write to|call me|address me|tone|bullet|format|language|units?|metric|imperial|celsius|fahrenheit|short|brief|concise|emoji)/i.test(
    text,
  ) || /回答|回复|答复|叫我|称呼|语气|格式|简短|简洁|单位|公制|英制|摄氏|华氏|用中文|用英文|表情/.test(text)
