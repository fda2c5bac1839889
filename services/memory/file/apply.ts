// Makes the changes of a file that its person agreed to, on what stands now. What somebody else changed meanwhile is not written over. Safe to repeat: new
// words have the id of the message and the line that brought them, and all is written before anything is taken away.
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import { toEventId } from '#shared/memory/event-id.ts'
import type { MemoryRecord, NewRecord } from '#shared/memory/record.ts'
import type { MemoryStore, Written } from '#shared/memory/store.ts'
import { toSeen } from './mark.ts'
import type { Change, Proposal } from './proposal.ts'
import { readAll } from './read-all.ts'

export type Who = {
  readonly principal: PrincipalId
  readonly name?: string
  readonly conversation: ConversationId
  /** The messages that brought the file. */
  readonly about: readonly string[]
  readonly atMs: number
}

/** Numbers of records. */
export type Applied = {
  readonly added: number[]
  /** Of those with new words the numbers that they have now. */
  readonly changed: number[]
  readonly dropped: number[]
  /** They are others by now, or gone, and were left alone. */
  readonly stale: number[]
  /** Something newer took the place of these: what they told can be true but once. */
  readonly replaced: number[]
  /** What took their place is gone. */
  readonly again: number[]
  /** There was no room for them, or their message is forgotten: the numbers of what was to be changed, 0 of what is new. */
  readonly failed: number[]
}

type Edit = Extract<Change, { op: 'edit' }>
type Drop = Extract<Change, { op: 'drop' }>

export async function applyProposal(memory: MemoryStore, proposal: Proposal, who: Who): Promise<Applied> {
  const { scope, changes } = proposal
  const { records } = await readAll(memory, scope)
  const run = createRun(memory, proposal, { who, ids: new Map(records.map((one) => [one.id, one.number])) })
  for (const change of changes) {
    if (change.op === 'new') await run.add(change)
    else if (change.op === 'edit') await run.edit(change)
  }
  const dropped = await run.drop()
  const over = records.filter((one) => one.supersededBy !== undefined && dropped.has(one.supersededBy))
  const back = await memory.find(
    scope,
    over.map(({ number }) => number),
  )
  return {
    ...run.applied,
    replaced: run.applied.replaced.filter((number) => !dropped.has(number)),
    again: back.filter((one) => one.supersededBy === undefined).map(({ number }) => number),
  }
}

/** `ids`: the numbers of what stands there, by its ids. */
type Given = { readonly who: Who; readonly ids: ReadonlyMap<string, number> }

function createRun(memory: MemoryStore, { scope, event, changes }: Proposal, { who, ids }: Given) {
  const applied: Applied = { added: [], changed: [], dropped: [], stale: [], replaced: [], again: [], failed: [] }
  /** Records that took in words of this file: they are not taken away. */
  const taken = new Set<number>()
  /** Records whose words stand elsewhere now. */
  const outdated = new Set<number>()

  const drops = changes.filter((one) => one.op === 'drop')

  /** Those that are to go, are as they were seen, and took nothing in; what is gone already counts, too. */
  async function findGoing(): Promise<readonly number[]> {
    const found = await memory.find(
      scope,
      drops.map(({ number }) => number),
    )
    const now = new Map(found.map((one) => [one.number, toSeen(one)]))
    const isSeen = ({ number, seen }: Drop): boolean => (now.get(number) ?? seen) === seen
    return drops.filter((one) => isSeen(one) && !taken.has(one.number)).map(({ number }) => number)
  }

  const toRecord = (key: string, { kind, text, day }: Pick<Edit, 'kind' | 'day'> & { readonly text: string }) => ({
    id: toEventId('edited', who.conversation, `${event} ${key}`),
    kind,
    speaker: who.principal,
    ...(who.name === undefined ? {} : { name: who.name.slice(0, 100).toWellFormed() }),
    text,
    saidAt: who.atMs,
    ...(day === undefined ? {} : { validFrom: day }),
    status: 'confirmed' as const,
    confirmedBy: who.principal,
    origin: 'said' as const,
    from: [{ conversation: who.conversation, messages: [...who.about] }],
  })

  /** Where there is no room, what is to go goes first, and then the record whose place it takes. */
  async function write(made: NewRecord, instead: number | undefined): Promise<Written> {
    const first = await memory.write(scope, made)
    if (first.kind !== 'full') return first
    await memory.drop(scope, await findGoing())
    const second = await memory.write(scope, made)
    if (second.kind !== 'full' || instead === undefined || taken.has(instead)) return second
    await memory.drop(scope, [instead])
    return await memory.write(scope, made)
  }

  /** Words that nearly repeat a record are taken in by it, and then it has these words. */
  async function put(made: NewRecord, instead?: number): Promise<MemoryRecord | undefined> {
    const written = await write(made, instead)
    if (written.kind === 'full' || written.kind === 'gone') return undefined
    const { record } = written
    taken.add(record.number)
    applied.replaced.push(...toReplaced(written))
    if (written.kind !== 'repeat') return record
    return (await memory.change(scope, record.number, (before) => toReworded(before, made))) ?? record
  }

  return {
    applied,
    async add(change: Extract<Change, { op: 'new' }>): Promise<void> {
      const record = await put(toRecord(`line ${change.line}`, change))
      if (record) applied.added.push(record.number)
      else applied.failed.push(0)
    },
    async edit(change: Edit): Promise<void> {
      const { number, seen, text } = change
      // As it is right now: many are changed one after the other.
      const [before] = await memory.find(scope, [number])
      const key = `number ${number}`
      const known = ids.get(toEventId('edited', who.conversation, `${event} ${key}`))
      // A worker died after it was written: the same press comes again.
      if (known !== undefined) {
        applied.changed.push(known)
        outdated.add(number)
        return
      }
      if (before && before.text === text) {
        taken.add(number)
        return void applied.changed.push(number)
      }
      if (!before || toSeen(before) !== seen) return void applied.stale.push(number)
      if (text === undefined) {
        const after = await memory.change(scope, number, (one) =>
          toSeen(one) === seen ? toMoved(one, change, who) : undefined,
        )
        return void (after ? applied.changed : applied.stale).push(number)
      }
      const made = toRecord(key, { ...change, text })
      const from = [...before.from.slice(-mostSources), ...made.from]
      const pinned = before.pinned === undefined ? {} : { pinned: before.pinned }
      const record = await put({ ...made, from, ...pinned }, number)
      if (!record) return void applied.failed.push(number)
      applied.changed.push(record.number)
      outdated.add(number)
    },
    /** The numbers that went. */
    async drop(): Promise<ReadonlySet<number>> {
      const going = await findGoing()
      const gone = new Set([...going, ...[...outdated].filter((number) => !taken.has(number))])
      if (gone.size > 0) await memory.drop(scope, [...gone])
      applied.dropped.push(...going)
      applied.stale.push(...drops.map(({ number }) => number).filter((number) => !gone.has(number) && !taken.has(number)))
      return gone
    },
  }
}

/** Beside the message of the file. */
const mostSources = 19

const toReplaced = (written: Exclude<Written, { kind: 'full' | 'gone' }>): readonly number[] =>
  written.kind === 'conflict' ? [] : written.replaced.map(({ number }) => number)

function toReworded(before: MemoryRecord, made: NewRecord): MemoryRecord {
  const { kind, text, saidAt, validFrom, confirmedBy } = made
  const confirmed = { status: 'confirmed' as const, ...(confirmedBy === undefined ? {} : { confirmedBy }) }
  if (text === before.text) return { ...toDated(before, validFrom), kind, ...confirmed }
  const { validFrom: _day, ...rest } = before
  return { ...toDated(rest, validFrom), kind, text, saidAt, ...confirmed }
}

/** The same words under another section, or of another day. */
function toMoved(before: MemoryRecord, { kind, day }: Edit, { principal }: Who): MemoryRecord {
  const confirmed = before.status === 'confirmed' ? {} : { status: 'confirmed' as const, confirmedBy: principal }
  return { ...toDated(before, day), kind, ...confirmed }
}

const toDated = (record: MemoryRecord, day: string | undefined): MemoryRecord =>
  day === undefined ? record : { ...record, validFrom: day }
