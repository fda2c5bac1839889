// Anchors that people settle as they talk are found by rules once a turn has ended, and so before any summary of it. They wait unconfirmed: in a direct chat
// they come on the card of the desk; of a group, when its session has ended or was summed up, a card asks its owners and administrators.
//
// A projection sees no end of a session by itself. What is found is counted with its session under the chat's own name; the first turn of another session, a
// summary, or eight hours have the card asked.
import { toChat, type ConversationId } from '#shared/chat/conversation.ts'
import { ownOf } from '#shared/chat/spoken.ts'
import type { Projection } from '#shared/feature/projection.ts'
import { toEventId } from '#shared/memory/event-id.ts'
import { ofChat, ofPerson, type NewRecord } from '#shared/memory/record.ts'
import type { RecordLine } from '#shared/run/record.ts'
import { findAnchors, type FoundAnchor } from '#services/memory/anchors/find.ts'
import { findCandidates } from '#services/memory/candidates/find-candidates.ts'
import type { NoticeDeps } from './notice.ts'
import { isPaused } from './pause.ts'
import { findRefusal } from './refuse.ts'

type TurnLine = Extract<RecordLine, { kind: 'turn' }>

/** Of a session. */
const mostFound = 3
const sessionMs = 8 * 3_600_000
/** Kept with the choices of a chat: the session in which something was found, how often, and whether it waits for the card of a group. */
const foundId = 'memory_anchors'

type Found = { readonly session: string; readonly many: number; readonly waits: boolean }
type Chat = { readonly conversation: ConversationId }

export const createAnchorNotice = (deps: NoticeDeps): Projection => ({
  name: 'anchors',
  async take(line) {
    if (line.kind === 'work') return line.record.candidates === undefined ? [] : await askIfWaiting(deps, line)
    if (line.kind !== 'turn' || line.record.for !== undefined || line.record.last !== undefined) return []
    const { session, group, principal } = line.record
    const before = await load(deps, line)
    const isOther = before !== undefined && before.session !== session
    const letters = isOther ? await askIfWaiting(deps, line) : []
    if (await isPaused(deps, { principal, conversation: line.conversation })) return letters
    const many = before && !isOther ? before.many : 0
    const found = findAnchors(toMessage(line)).slice(0, mostFound - many)
    let kept = 0
    for (const [ordinal, one] of found.entries()) kept += (await keep(deps, line, one, ordinal)) ? 1 : 0
    if (kept === 0 && group && isNoticed(line)) kept = 1
    if (kept === 0) return letters
    await save(deps, line, { session, many: many + kept, waits: group === true })
    if (!group) await deps.desks.wait(principal, deps.now())
    return group ? [...letters, { kind: 'job', inMs: sessionMs }] : letters
  },
  async work({ line }) {
    const found = line?.kind === 'turn' ? await load(deps, line) : undefined
    return line?.kind === 'turn' && found?.session === line.record.session ? await askIfWaiting(deps, line) : []
  },
})

const toMessage = ({ record }: TurnLine) => ({
  chat: record.group ? ('group' as const) : ('direct' as const),
  atMs: record.begunAt,
  speaker: record.name ?? (record.language === 'zh' ? '对方' : 'The person'),
  text: ownOf(record.asked).replaceAll(/^[ \t]*>[^\n]*\n?/gm, ''),
})

/** What a group settled is noticed in other words, too. */
const isNoticed = (line: TurnLine): boolean =>
  findCandidates(toMessage(line)).some(
    ({ category, explicit }) => !explicit && (category === 'decision' || category === 'constraint'),
  )

/** Whether it waits now. What is noticed in other words anyway is not written twice. */
async function keep(deps: NoticeDeps, line: TurnLine, { kind, text, topic }: FoundAnchor, ordinal: number) {
  const { conversation, record, messages, id } = line
  const group = record.group === true
  if (findRefusal(text, { group })) return false
  const noticed = findCandidates({ ...toMessage(line), text })
  if (noticed.some(({ category, explicit }) => !explicit && category === kind)) return group
  const made: NewRecord = {
    id: `${toEventId('turn', conversation, id)}-a${ordinal}`,
    kind,
    speaker: record.principal,
    ...(record.name === undefined ? {} : { name: record.name }),
    text: text.toWellFormed(),
    saidAt: record.begunAt,
    status: 'unconfirmed',
    origin: 'inferred',
    from: [{ conversation, messages: [...(record.own ?? messages)] }],
    ...(topic === undefined ? {} : { anchor: { topic, tags: [] } }),
  }
  const written = await deps.memory.write(group ? ofChat(conversation) : ofPerson(record.principal), made)
  if (written.kind === 'full' || written.kind === 'gone') return false
  return written.record.status === 'unconfirmed'
}

/** The card of a group, once. */
async function askIfWaiting(deps: NoticeDeps, { conversation }: Chat) {
  const found = await load(deps, { conversation })
  if (!found?.waits) return []
  await save(deps, { conversation }, { ...found, waits: false })
  return [{ kind: 'letter', to: conversation, letter: 'anchors', payload: '' } as const]
}

async function load({ findChoice }: NoticeDeps, { conversation }: Chat): Promise<Found | undefined> {
  const [session = '', many = '', waits] = ((await findChoice(toChat(conversation), foundId)) ?? '').split(' ')
  return many === '' ? undefined : { session, many: Number(many), waits: waits === 'waits' }
}

const save = async (
  { setChoice }: NoticeDeps,
  { conversation }: Chat,
  { session, many, waits }: Found,
): Promise<void> => await setChoice(toChat(conversation), foundId, `${session} ${many} ${waits ? 'waits' : 'asked'}`)
