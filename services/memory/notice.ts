// Looks through what people said for what may be worth keeping, by rules, once their turn has ended. What is found is kept unconfirmed, as theirs: it is
// used where they talk to the bot alone, is told as not confirmed, and waits to be asked about.
import { ownOf } from '#shared/chat/spoken.ts'
import type { Desks } from '#shared/desk/desks.ts'
import type { Projection } from '#shared/feature/projection.ts'
import { mostRecordChars, ofChat, ofPerson, type MemoryRecord, type NewRecord } from '#shared/memory/record.ts'
import type { RecordLine } from '#shared/run/record.ts'
import { findCandidates } from '#services/memory/candidates/find-candidates.ts'
import type { Candidate } from '#services/memory/candidates/message.ts'
import { findAgainst } from './contradiction.ts'
import { toEventId } from '#shared/memory/event-id.ts'
import { toKind } from './kind.ts'
import { isPaused } from './pause.ts'
import type { MemoryDeps } from './ports.ts'
import { findRefusal } from './refuse.ts'
import type { MemorySettings } from './settings.ts'
import { onOneLine } from './words.ts'

type TurnLine = Extract<RecordLine, { kind: 'turn' }>
type WorkLine = Extract<RecordLine, { kind: 'work' }>

/** Of one turn. */
const mostFound = 10

export type NoticeDeps = MemoryDeps & { readonly desks: Pick<Desks, 'wait'> }

export const createNotice = (deps: NoticeDeps, settings: Pick<MemorySettings, 'confirm'>): Projection => ({
  name: 'notice',
  async take(line) {
    if (line.kind === 'work') await keepProposed(deps, line)
    if (line.kind !== 'turn' || line.record.for !== undefined || line.record.last !== undefined) return []
    const { principal } = line.record
    if (await isPaused(deps, { principal, conversation: line.conversation })) return []
    for (const [ordinal, one] of findCandidates(toMessage(line)).slice(0, mostFound).entries())
      await keep(deps, settings, line, { one, ordinal })
    return []
  },
})

const toMessage = ({ record }: TurnLine) => ({
  chat: record.group ? ('group' as const) : ('direct' as const),
  atMs: record.begunAt,
  speaker: record.name ?? (record.language === 'zh' ? '对方' : 'The person'),
  text: withoutQuotes(ownOf(record.asked)),
})

/** Before somebody's words may stand what they answer or quote, and names that others chose. */
const withoutQuotes = (asked: string): string => asked.replaceAll(/^[ \t]*>[^\n]*\n?/gm, '')

type Found = { readonly one: Candidate; readonly ordinal: number }

/** Also what was ordered amid other words: that was no order of its own. What a group settled is its own; all else is for who said it. */
async function keep(
  deps: NoticeDeps,
  settings: Pick<MemorySettings, 'confirm'>,
  line: TurnLine,
  { one, ordinal }: Found,
): Promise<void> {
  const { conversation, record, messages, id } = line
  const { category: kind, content, validFrom } = one
  if (findRefusal(content, { group: record.group === true })) return
  const isGroups = record.group === true && (kind === 'decision' || kind === 'constraint')
  const made: NewRecord = {
    id: `${toEventId('turn', conversation, id)}-${ordinal}`,
    kind,
    speaker: record.principal,
    ...(record.name === undefined ? {} : { name: record.name }),
    text: content.toWellFormed(),
    saidAt: record.begunAt,
    ...(validFrom === undefined ? {} : { validFrom }),
    status: 'unconfirmed',
    origin: 'inferred',
    // What its prompt was given may be forgotten without it.
    from: [{ conversation, messages: [...(record.own ?? messages)] }],
  }
  const scope = isGroups ? ofChat(conversation) : ofPerson(record.principal)
  const isAsked = isGroups || (await settings.confirm.find(record.principal)) === 'on'
  const written = await deps.memory.write(scope, made)
  if (written.kind === 'full' || written.kind === 'gone') return
  // What contradicts something confirmed is asked whatever they chose.
  const isAgainst =
    written.kind === 'conflict' || (written.kind === 'repeat' && (await findAgainst(deps.memory, written.record)))
  if (isAsked || isAgainst) {
    if (!isGroups) await deps.desks.wait(record.principal, deps.now())
    return
  }
  await deps.memory.change(scope, written.record.number, toConfirmed)
}

/** Not what something newer has the place of: it came late. */
const toConfirmed = (record: MemoryRecord): MemoryRecord | undefined =>
  record.status === 'confirmed' || record.supersededBy !== undefined
    ? undefined
    : { ...record, status: 'confirmed', confirmedBy: record.speaker }

/**
 * What the model wrote down before a session was summed up. It may be made up, so no prompt has it before its person confirms it, and what others had a
 * part in is left out. Nobody is asked about it by itself: it waits for the next card.
 */
async function keepProposed(deps: MemoryDeps, line: WorkLine): Promise<void> {
  const { conversation, record, messages, id } = line
  const { principal, candidates = [], taint = [] } = record
  if (candidates.length === 0 || taint.length > 0 || (await isPaused(deps, { principal, conversation }))) return
  for (const [ordinal, said] of candidates.slice(0, mostFound).entries()) {
    const text = onOneLine(said).slice(0, mostRecordChars).toWellFormed()
    // Whether it was said in a group is not on record.
    if (text === '' || findRefusal(text, { group: true })) continue
    await deps.memory.write(ofPerson(principal), {
      id: `${toEventId('tool', conversation, id)}-${ordinal}`,
      kind: toKind(text),
      speaker: principal,
      text,
      saidAt: record.endedAt,
      status: 'unconfirmed',
      origin: 'tool',
      from: [{ conversation, messages: [...messages] }],
    })
  }
}
