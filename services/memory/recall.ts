// Finds records for a turn. Each scope is read as it is now, and tokenised once for each version that it has: most turns read a few bytes of it.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { MemoryIndex, MemoryQuery, Near } from '#shared/memory/entry.ts'
import type { MemoryRecord, MemoryScope } from '#shared/memory/record.ts'
import { toEntry } from '#shared/memory/to-entry.ts'
import type { MemoryStore, ScopeRead } from '#shared/memory/store.ts'
import { readOwnSlot } from './comparing.ts'
import type { Reads } from './place.ts'
import { createPrepared, type Prepared } from '#services/memory/search/prepare.ts'
import { rankPrepared } from '#services/memory/search/rank.ts'

/** `isNear`: it means what is asked, in whatever words. */
export type FoundRecord = { readonly record: MemoryRecord; readonly score: number; readonly isNear?: boolean }

export type Recalled = {
  /** The best first; records that something newer took the place of are left out. */
  readonly found: readonly FoundRecord[]
  /** The index was away or slow: of a large scope its newest alone were looked at. */
  readonly isPart: boolean
  /** The embedding model was away or slow: only records that share words with what is asked were found. */
  readonly isByWords: boolean
}

export type Recall = {
  /** Throws BotError `store-unavailable` where the records are away. */
  find(query: RecallQuery): Promise<Recalled>
  /** What is kept of how people want to be served, the newest first. */
  findManners(reads: Reading): Promise<readonly MemoryRecord[]>
  /** What `speaker` told of these single facts, the newest first. Of a large scope its newest records are looked at. */
  findTold(reads: Reading, slots: ReadonlySet<string>, speaker: PrincipalId): Promise<readonly MemoryRecord[]>
  /** Skills that hold; of a large scope the newest, and those that the index finds by the words. */
  findSkills(query: Omit<RecallQuery, 'limit'>): Promise<readonly SkillRecord[]>
}
export type SkillRecord = MemoryRecord & Required<Pick<MemoryRecord, 'skill'>>
/** Nothing else is looked at, of whatever way of finding. */
type Reading = Pick<Reads, 'scopes'> & Partial<Reads>
export type RecallQuery = Reading & {
  readonly text: string
  readonly limit: number
  readonly nowMs: number
  /** How long the meaning of the question may take, ms; 100 unless it says another. */
  readonly meaningMs?: number
}

type Known = {
  readonly version: string
  readonly prepared: Prepared
  readonly records: readonly MemoryRecord[]
  /** There are more. */
  readonly isPart: boolean
}

const empty = createPrepared([])

type Loaded = Pick<Known, 'prepared' | 'records'>
type InScope = { readonly scope: MemoryScope; readonly known: Known; readonly isAllowedAlone: boolean }

/** In one process: scopes used lately, and how many records of them all. */
const mostScopes = 500
const mostKnown = 20_000
/** Of a large scope: as they are in Redis now, and as the index has them; and how long that may take, ms. */
const mostNewest = 50
const mostOlder = 50
const withinMs = 100

export type RecallDeps = {
  readonly memory: Pick<MemoryStore, 'read' | 'find'>
  /** Finds in scopes that are too large to be ranked whole, and what means the same in other words. */
  readonly memoryIndex: MemoryIndex
}

export function createRecall({ memory, memoryIndex }: RecallDeps): Recall {
  const loadEach = createReader(createLoader(memory))

  const findOlder = createOlder(memoryIndex)
  /** Undefined where no meaning counts, or its model is away or slow. */
  const findNear = async ({
    scopes,
    text,
    meaningMs = withinMs,
  }: Pick<RecallQuery, 'scopes' | 'text' | 'meaningMs'>): Promise<Near | undefined> =>
    await memoryIndex.findNear?.({ scopes, text }, AbortSignal.timeout(meaningMs)).catch(() => undefined)

  /** The newest of a large scope, and these. */
  async function addOlder({ scope, known, isAllowedAlone }: InScope, numbers: readonly number[]): Promise<Loaded> {
    const newest = known.records.slice(0, mostNewest)
    const there = new Set(newest.map(({ number }) => number))
    const missing = [...new Set(numbers)].filter((number) => !there.has(number))
    const older = (await memory.find(scope, missing)).filter(isCurrent)
    const all = [...newest, ...(isAllowedAlone ? older.filter(isAllowed) : older)]
    return { prepared: createPrepared(all.map(toEntry)), records: all }
  }

  /** `meaning` is of all scopes together. */
  async function findIn(one: InScope, query: RecallQuery, meaning: Promise<Near | undefined>) {
    const { scope, known } = one
    const older = known.isPart ? await findOlder(scope, query) : []
    const near = await meaning
    const asked = { ...query, scopes: [scope], ...(near && { near }) }
    const nearest = near?.found.flatMap(({ entry }) => (entry.scope === scope ? [Number(entry.id)] : [])) ?? []
    const numbers = [...(older ?? []), ...nearest]
    const isWhole = !known.isPart || (older === undefined && numbers.length === 0)
    const looked = isWhole ? known : await addOlder(one, numbers)
    const found = rankKnown(looked, asked).map((each) => ({ ...each, isNear: nearest.includes(each.record.number) }))
    return { found, isPart: older === undefined }
  }

  return {
    async find(query) {
      // Of a large scope what is allowed may be older than what is at hand.
      const there = (await loadEach(query)).filter(({ known }) => known.records.length > 0 || known.isPart)
      if (there.length === 0) return { found: [], isPart: false, isByWords: false }
      const meaning = findNear({ ...query, scopes: there.map(({ scope }) => scope) })
      const each = await Promise.all(there.map((one) => findIn(one, query, meaning)))
      const found = each
        .flatMap((one) => one.found)
        .toSorted((a, b) => b.score - a.score)
        .slice(0, query.limit)
      const isByWords = memoryIndex.findNear !== undefined && (await meaning) === undefined
      return { found, isPart: each.some(({ isPart }) => isPart), isByWords }
    },
    ...createLists(loadEach),
    findSkills: createSkillFinder({ loadEach, findOlder, memory }),
  }
}

type LoadEach = (reads: Reading) => Promise<readonly InScope[]>

/** What is found without a ranking. */
function createLists(loadEach: LoadEach): Pick<Recall, 'findManners' | 'findTold'> {
  const loadAll = async (reads: Reading) => (await loadEach(reads)).flatMap(({ known }) => known.records)
  return {
    async findManners(reads) {
      return (await loadAll(reads))
        .filter(({ kind, status, text }) => kind === 'preference' && status === 'confirmed' && isManner(text))
        .toSorted((a, b) => b.saidAt - a.saidAt)
    },
    async findTold(reads, slots, speaker) {
      if (slots.size === 0) return []
      return (await loadAll(reads))
        .filter((record) => record.speaker === speaker && slots.has(slotOf(record)))
        .toSorted((a, b) => b.saidAt - a.saidAt)
    },
  }
}

/** Each scope as it may be read. */
const createReader =
  (load: (scope: MemoryScope) => Promise<Known>): LoadEach =>
  async ({ scopes, allowedOf = [] }: Reading): Promise<readonly InScope[]> =>
    await Promise.all([
      ...scopes.map(async (scope) => ({ scope, known: await load(scope), isAllowedAlone: false })),
      ...allowedOf.map(async (scope) => ({ scope, known: toAllowed(await load(scope)), isAllowedAlone: true })),
    ])

type SkillFinderDeps = Pick<RecallDeps, 'memory'> & {
  readonly loadEach: LoadEach
  readonly findOlder: ReturnType<typeof createOlder>
}

const createSkillFinder =
  ({ loadEach, findOlder, memory }: SkillFinderDeps): Recall['findSkills'] =>
  async ({ text, nowMs, ...reads }) => {
    const each = (await loadEach(reads)).map(async ({ scope, known, isAllowedAlone }) => {
      const older = known.isPart ? await findOlder(scope, { text, nowMs }) : []
      const there = new Set(known.records.map(({ number }) => number))
      const missing = older?.filter((number) => !there.has(number)) ?? []
      const found = (await memory.find(scope, missing)).filter(isCurrent)
      return [...known.records, ...(isAllowedAlone ? found.filter(isAllowed) : found)]
    })
    return (await Promise.all(each)).flat().filter(isSkill)
  }

/** What the index finds in all of a large scope; undefined where it is away or slow. */
const createOlder =
  (memoryIndex: MemoryIndex) =>
  async (
    scope: MemoryScope,
    { text, nowMs }: Pick<RecallQuery, 'text' | 'nowMs'>,
  ): Promise<readonly number[] | undefined> => {
    const asked = { scopes: [scope], text, nowMs, limit: mostOlder }
    const found = await memoryIndex.find(asked, AbortSignal.timeout(withinMs)).catch(() => undefined)
    return found?.map(({ entry }) => Number(entry.id))
  }

const knownSlots = new WeakMap<MemoryRecord, string>()
/** Read when it is first asked for; empty where it tells nothing of which there is one. */
function slotOf(record: MemoryRecord): string {
  const slot = knownSlots.get(record) ?? readOwnSlot(record)?.of ?? ''
  knownSlots.set(record, slot)
  return slot
}

/** Not what something newer took the place of, nor what a model proposed and nobody confirmed. */
const isCurrent = ({ supersededBy, status, origin }: MemoryRecord): boolean =>
  supersededBy === undefined && (status === 'confirmed' || origin !== 'tool')

const isAllowed = ({ groups }: MemoryRecord): boolean => groups === true

const knownAllowed = new WeakMap<Known, Known>()
/** What its person allows to be told in groups. */
function toAllowed(known: Known): Known {
  const before = knownAllowed.get(known)
  if (before) return before
  const records = known.records.filter(isAllowed)
  const made = { ...known, records, prepared: records.length > 0 ? createPrepared(records.map(toEntry)) : empty }
  knownAllowed.set(known, made)
  return made
}

const isSkill = (record: MemoryRecord): record is SkillRecord => record.skill !== undefined

/** Reads scopes as they are now, and keeps those that were read lately. */
function createLoader(memory: Pick<MemoryStore, 'read'>): (scope: MemoryScope) => Promise<Known> {
  const kept = new Map<MemoryScope, Known>()
  let count = 0

  function drop(scope: MemoryScope): void {
    count -= kept.get(scope)?.records.length ?? 0
    kept.delete(scope)
  }

  function keep(scope: MemoryScope, { version, count: all, records }: ScopeRead): Known {
    drop(scope)
    const current = records.filter(isCurrent)
    const made = {
      version,
      prepared: current.length > 0 ? createPrepared(current.map(toEntry)) : empty,
      records: current,
      isPart: all > records.length,
    }
    kept.set(scope, made)
    count += current.length
    for (const [oldest] of kept) {
      if (kept.size <= mostScopes && count <= mostKnown) break
      if (oldest !== scope) drop(oldest)
    }
    return made
  }

  async function load(scope: MemoryScope): Promise<Known> {
    const before = kept.get(scope)
    const read = await memory.read(scope, before?.version)
    if (read !== 'same') return keep(scope, read)
    if (!before) return keep(scope, { version: '', count: 0, records: [] })
    // Used last: the one that was used longest ago goes first.
    kept.delete(scope)
    kept.set(scope, before)
    return before
  }

  // Those who ask at once are answered by one reading.
  const loading = new Map<MemoryScope, Promise<Known>>()
  return (scope) => {
    const known = loading.get(scope)
    if (known) return known
    const made = load(scope).finally(() => loading.delete(scope))
    loading.set(scope, made)
    return made
  }
}

function rankKnown({ prepared, records }: Loaded, query: MemoryQuery): FoundRecord[] {
  const byId = new Map(records.map((record) => [String(record.number), record]))
  return rankPrepared(prepared, query).flatMap(({ entry, score }) => {
    const record = byId.get(entry.id)
    return record ? [{ record, score }] : []
  })
}

/** How to answer, which matters whatever is asked. */
const isManner = (text: string): boolean =>
  /\b(?:answer|repl(?:y|ies)|respond|write to|call me|address me|tone|bullet|format|language|units?|metric|imperial|celsius|fahrenheit|short|brief|concise|emoji)/i.test(
    text,
  ) || /回答|回复|答复|叫我|称呼|语气|格式|简短|简洁|单位|公制|英制|摄氏|华氏|用中文|用英文|表情/.test(text)
