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
  readonly atMs: number
}

/** Numbers of records. */
export type Applied = {
  readonly added: readonly number[]
  /** Of those with new words the numbers that they have now. */
  readonly changed: readonly number[]
  readonly dropped: readonly number[]
  /** They are others by now, or gone, and were left alone. */
  readonly stale: readonly number[]
  /** Something newer took the place of these: what they told can be true but once. */
  readonly replaced: readonly number[]
  /** What took their place is gone. */
  readonly again: readonly number[]
  /** There was no room for them, or their message is forgotten: the numbers of what was to be changed, 0 of what is new. */
  readonly failed: readonly number[]
}

type New = Extract<Change, { op: 'new' }>
type Edit = Extract<Change, { op: 'edit' }>
type Drop = Extract<Change, { op: 'drop' }>

/** What is known while it is applied. */
type Run = {
  readonly memory: MemoryStore
  readonly proposal: Proposal
  readonly who: Who
  readonly drops: readonly Drop[]
  /** The numbers of what stood there at first, by its ids. */
  readonly ids: ReadonlyMap<string, number>
  /** Records that took in words of this file: they are not taken away. */
  readonly taken: Set<number>
  /** Records whose words stand elsewhere now. */
  readonly outdated: Set<number>
  readonly replaced: number[]
}

type Made = { readonly kind: 'added' | 'changed' | 'stale' | 'failed'; readonly number: number }

export async function applyProposal(memory: MemoryStore, proposal: Proposal, who: Who): Promise<Applied> {
  const { scope, changes } = proposal
  const { records } = await readAll(memory, scope)
  const run: Run = {
    memory,
    proposal,
    who,
    drops: changes.filter((one) => one.op === 'drop'),
    ids: new Map(records.map((one) => [one.id, one.number])),
    taken: new Set(),
    outdated: new Set(),
    replaced: [],
  }
  const made: Made[] = []
  for (const change of changes) {
    if (change.op === 'new') made.push(await add(run, change))
    else if (change.op === 'edit') made.push(await edit(run, change))
  }
  const { going, stale } = await drop(run)
  const after = new Map((await readAll(memory, scope)).records.map((one) => [one.number, one]))
  const isOver = (one: MemoryRecord | undefined): boolean => one?.supersededBy !== undefined
  const turned = records.filter((one) => after.has(one.number) && isOver(one) !== isOver(after.get(one.number)))
  const list = (kind: Made['kind']): readonly number[] => [
    ...new Set(made.filter((one) => one.kind === kind).map(({ number }) => number)),
  ]
  return {
    added: list('added'),
    changed: list('changed'),
    dropped: going,
    stale: [...list('stale'), ...stale],
    replaced: [...new Set([...run.replaced, ...numbersOf(turned.filter((one) => !isOver(one)))])].filter((number) =>
      after.has(number),
    ),
    again: numbersOf(turned.filter(isOver)),
    failed: made.filter(({ kind }) => kind === 'failed').map(({ number }) => number),
  }
}

const numbersOf = (records: readonly MemoryRecord[]): readonly number[] => records.map(({ number }) => number)

async function add(run: Run, change: New): Promise<Made> {
  const record = await put(run, toRecord(run, `line ${change.line}`, change))
  return record ? { kind: 'added', number: record.number } : { kind: 'failed', number: 0 }
}

async function edit(run: Run, change: Edit): Promise<Made> {
  const { number, seen, text } = change
  // As it is right now: many are changed one after the other.
  const [before] = await run.memory.find(run.proposal.scope, [number])
  const key = `number ${number}`
  const known = run.ids.get(toId(run, key))
  // A worker died after it was written: the same press comes again.
  if (known !== undefined) {
    run.outdated.add(number)
    return { kind: 'changed', number: known }
  }
  if (before && before.text === text) {
    run.taken.add(number)
    return { kind: 'changed', number }
  }
  if (!before || toSeen(before) !== seen) return { kind: 'stale', number }
  if (text === undefined) return await move(run, change)
  const made = toRecord(run, key, { ...change, text })
  const from = [...before.from.slice(-mostSources), ...made.from]
  const { pinned, groups, anchor, collection } = before
  const marks = {
    ...(pinned !== undefined && { pinned }),
    ...(groups && { groups }),
    ...(anchor && { anchor }),
    ...(collection !== undefined && { collection }),
  }
  const record = await put(run, { ...made, from, ...marks }, number)
  if (!record) return { kind: 'failed', number }
  run.outdated.add(number)
  return { kind: 'changed', number: record.number }
}

/** The same words under another section, or of another day. */
async function move({ memory, proposal, who }: Run, { number, seen, kind, day }: Edit): Promise<Made> {
  const after = await memory.change(proposal.scope, number, (before) => {
    if (toSeen(before) !== seen) return undefined
    const isNew = before.status === 'unconfirmed'
    const confirmed = isNew ? ({ status: 'confirmed', confirmedBy: who.principal } as const) : {}
    return { ...toDated(before, day), kind, ...confirmed }
  })
  return { kind: after ? 'changed' : 'stale', number }
}

/** Beside the message of the file. */
const mostSources = 19

const toId = ({ who, proposal }: Run, key: string): string =>
  toEventId('edited', who.conversation, `${proposal.event} ${key}`)

function toRecord(
  run: Run,
  key: string,
  { kind, text, day }: Pick<New, 'kind' | 'text'> & { readonly day?: string },
): NewRecord {
  const { principal, name, conversation, atMs } = run.who
  return {
    id: toId(run, key),
    kind,
    speaker: principal,
    ...(name === undefined ? {} : { name: name.slice(0, 100).toWellFormed() }),
    text,
    saidAt: atMs,
    ...(day === undefined ? {} : { validFrom: day }),
    status: 'confirmed',
    confirmedBy: principal,
    origin: 'said',
    from: [{ conversation, messages: [...run.proposal.about] }],
  }
}

/** Words that nearly repeat a record are taken in by it, and then it has these words. `instead`: whose place they take. */
async function put(run: Run, made: NewRecord, instead?: number): Promise<MemoryRecord | undefined> {
  const written = await write(run, made, instead)
  if (written.kind === 'full' || written.kind === 'gone') return undefined
  const { record } = written
  run.taken.add(record.number)
  if (written.kind !== 'conflict') run.replaced.push(...written.replaced.map(({ number }) => number))
  if (written.kind !== 'repeat') return record
  const { memory, proposal } = run
  return (await memory.change(proposal.scope, record.number, (before) => toReworded(before, made))) ?? record
}

/** Where there is no room, what is to go goes first, and then the record whose place it takes. */
async function write(run: Run, made: NewRecord, instead: number | undefined): Promise<Written> {
  const { memory, proposal, taken } = run
  const first = await memory.write(proposal.scope, made)
  if (first.kind !== 'full') return first
  await takeAway(run, await findGoing(run))
  const second = await memory.write(proposal.scope, made)
  if (second.kind !== 'full' || instead === undefined || taken.has(instead)) return second
  await memory.drop(proposal.scope, [instead])
  return await memory.write(proposal.scope, made)
}

function toReworded(before: MemoryRecord, made: NewRecord): MemoryRecord {
  const { kind, text, saidAt, validFrom, confirmedBy } = made
  const confirmed = { status: 'confirmed' as const, ...(confirmedBy === undefined ? {} : { confirmedBy }) }
  if (text === before.text) return { ...toDated(before, validFrom), kind, ...confirmed }
  const { validFrom: _day, ...rest } = before
  return { ...toDated(rest, validFrom), kind, text, saidAt, ...confirmed }
}

const toDated = (record: MemoryRecord, day: string | undefined): MemoryRecord =>
  day === undefined ? record : { ...record, validFrom: day }

/** Those that are to go, are as they were seen, and took nothing in; what is gone already counts, too. */
async function findGoing({ memory, proposal, drops, taken }: Run): Promise<readonly number[]> {
  const numbers = drops.map(({ number }) => number)
  const found = await memory.find(proposal.scope, numbers)
  const now = new Map(found.map((one) => [one.number, toSeen(one)]))
  const going = drops.filter(({ number, seen }) => (now.get(number) ?? seen) === seen && !taken.has(number))
  return going.map(({ number }) => number)
}

async function drop(run: Run) {
  const { drops, outdated, taken } = run
  const going = await findGoing(run)
  const replaced = [...outdated].filter((number) => !taken.has(number))
  await takeAway(run, going)
  if (replaced.length > 0) await run.memory.drop(run.proposal.scope, replaced)
  const gone = new Set([...going, ...replaced])
  const left = drops.map(({ number }) => number).filter((number) => !gone.has(number))
  return { going, stale: left.filter((number) => !taken.has(number)) }
}

/** What somebody takes out of the file is not inferred again; a to-do that is done may come again. */
async function takeAway({ memory, proposal, drops }: Run, numbers: readonly number[]): Promise<void> {
  const done = new Set(drops.filter((one) => one.done).map(({ number }) => number))
  const forGood = numbers.filter((number) => !done.has(number))
  if (forGood.length > 0) await memory.drop(proposal.scope, forGood, 'for-good')
  const others = numbers.filter((number) => done.has(number))
  if (others.length > 0) await memory.drop(proposal.scope, others)
}
