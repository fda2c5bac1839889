// Everything that is not a turn: commands, courtesies, refusals, edits, deletions and answers, each one unit with its reply.
import type { Language } from '#shared/chat/message.ts'
import type { EditEvent, MessageEvent, SlashCommand } from '#shared/chat/event.ts'
import { meet } from '#shared/chat/people.ts'
import type { Effect } from '#shared/feature/effect.ts'
import { BotError } from '#shared/errors.ts'
import { isForAdmins, mayChange, onlyReads, sayNotAllowed } from '#shared/feature/rights.ts'
import type { OutBody } from '#shared/run/out-row.ts'
import { toChat } from '#shared/chat/conversation.ts'
import type { QueuedEvent } from '#shared/run/step.ts'
import { toAsking } from './asking.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { toUserItem } from '#services/executor/context/turn-items.ts'
import { toHistoryRoom, refused, remember, toLanguage, type ConversationState } from '#services/executor/state/state.ts'
import { waitsFor } from '#services/executor/state/asking.ts'
import { toMediaNotice } from './media-notice.ts'
import { courtesy, endings, texts, wantsWords } from '#services/executor/run/texts.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import { forgottenLetter } from '#services/executor/state/features.ts'
import { sliceOf, withoutCalledOff } from '#services/executor/state/slices.ts'
import { leaveUnknown } from '#services/executor/run/leave-unknown.ts'
import { messageIdsOf, quotedIdsOf } from '#services/executor/run/open-turn.ts'
import { toUnknown } from './unknown-command.ts'
import { toWorkId } from '#services/executor/run/work-id.ts'
import { applyAnswer, applyExpired } from './ended-question.ts'
import { applyLetter } from './came-letter.ts'
import { forgetAll, namesForgotten, type Forgetting } from '#services/executor/step/forgotten.ts'
import { applyTimer } from './fired-timer.ts'
import { endSession } from './session-end.ts'
import { attempt, nothing, toAt, toReplyTo, type Applied } from './applied.ts'
import { carry, toRows } from '#services/executor/step/carry.ts'

const refusalEveryMs = 3_600_000
const refusals = {
  'chat-not-admitted': texts.chatNotAdmitted,
  // Decided by routers before the budget became the executor's alone.
  'over-budget': endings['over-budget'],
}
type Refusal = keyof typeof refusals | 'stranger'

export async function applyEvent(deps: ExecutorDeps, claim: Claim, item: QueuedEvent): Promise<Applied> {
  switch (item.decision?.act) {
    case 'command':
    case 'ack':
      return await atPace(deps, claim, item)
    case 'refuse':
      return await refuse(deps, claim, { item, reason: item.decision.reason })
    case 'apply':
    case 'turn':
    case 'ignore':
    case undefined:
      return await applyChange(deps, claim, item)
    default:
      return item.decision satisfies never
  }
}

/** A stop that reaches nothing, while work of another person is under way. */
export function sayOthersWork(deps: ExecutorDeps, claim: Claim, item: QueuedEvent): Applied {
  const language = toLanguage(claim.state, '', 'language' in item.event ? item.event.language : undefined)
  return said(deps, claim.state, { item, language, text: texts.othersWork[language] })
}

/** What costs no tokens is answered so often only, so that nobody spends what others need to be answered. */
async function atPace(deps: ExecutorDeps, claim: Claim, item: QueuedEvent): Promise<Applied> {
  const pace = await deps.pace(item.event.principal, claim.conversation)
  if (pace === 'silent') return nothing(claim.state, 'too fast')
  const language = toLanguage(claim.state, '')
  const tell = { item, language, text: texts.tooFast[language] }
  const done = pace === 'tell' ? said(deps, claim.state, tell) : await answerFor(deps, claim, item)
  if (done.rows?.length) deps.noteAnswer(item.event.principal)
  return done
}

async function answerFor(deps: ExecutorDeps, claim: Claim, item: QueuedEvent): Promise<Applied> {
  if (item.decision?.act !== 'command') return acknowledge(deps, claim, item)
  if (item.event.kind !== 'message') return nothing(claim.state, 'command')
  return await runCommand(deps, claim, { item, event: item.event, ...item.decision.command })
}

async function runCommand(
  deps: ExecutorDeps,
  claim: Claim,
  { item, event, name, args }: { item: QueuedEvent; event: MessageEvent } & SlashCommand,
): Promise<Applied> {
  const known = deps.features.findCommand(name)
  // The Latin words of a command are its own, not its sender's; nor is a quoted line, such as the one at the head of CONFIG.md.
  const language = toLanguage(claim.state, args.replaceAll(/^[ \t]*>.*$|[a-z]/gim, ''), event.language)
  if (!known) {
    await leaveUnknown(deps, 'command', name)
    if (event.group && !event.addressed) return nothing(claim.state, 'command')
    return said(deps, claim.state, { item, language, text: toUnknown(deps.features.commands, event, language) })
  }
  const { feature, found: command } = known
  const at = toAt({ feature, item, language })
  const asking = await toAsking(deps, claim, at)
  const isAllowed = !isForAdmins(command, args) || mayChange(event.group, { owner: asking.owner, event })
  if (!isAllowed) return { ...carry(deps, claim, sayNotAllowed(language), at), what: event.kind }
  return await attempt(deps, claim, at, async () => {
    // What this very message tells of its sender's program may not be known of the person yet.
    const zone = async (): Promise<string | undefined> => (await asking.zone()) ?? event.zone
    const effects = await command.run({ ...asking, zone, event, args, commands: deps.features.commands })
    if (onlyReads(command, args) && effects.some(({ kind }) => !shows.has(kind)))
      throw new BotError('internal', `The command ${command.name} only reads, and wants something changed.`)
    const done = carry(deps, claim, effects, at)
    // Where nothing was said but commands, their sender's program tells what is spoken.
    const heard = done.state.heard ?? event.language
    return { ...done, ...(heard ? { state: { ...done.state, heard } } : {}), what: event.kind }
  })
}

/** Of a command that only reads, which is answered while a turn may change the state. */
const shows: ReadonlySet<Effect['kind']> = new Set(['send', 'show', 'ask'] as const)

function said(
  deps: ExecutorDeps,
  state: ConversationState,
  { item, language, text }: { item: QueuedEvent; language: Language; text: string },
): Applied {
  const { event } = item
  const how = { answers: [event.id], language, ...toReplyTo(event) }
  const body: OutBody = { v: 1, kind: 'send', text: text.toWellFormed(), ...how }
  return { ...nothing({ ...state, heard: language }, event.kind), rows: toRows(deps, toWorkId('e', item), [body]) }
}

function acknowledge(deps: ExecutorDeps, { state }: Claim, item: QueuedEvent): Applied {
  const { event } = item
  if (event.kind !== 'message') return nothing(state, 'ack')
  const language = toLanguage(state, event.text)
  const media = event.media?.length ? event.media : event.replyTo?.media
  if (event.text === '' && media?.length)
    return said(deps, state, { item, language, text: toMediaNotice(media, language) })
  const reply = courtesy(event.text, language)
  // Beside a card that waits for this person a plain yes would seem to be an answer.
  if (reply === texts.ack[language] && waitsFor(state.asking, event.principal, deps.now()))
    return said(deps, state, { item, language, text: texts.stillOpen[language] })
  if (!event.group || wantsWords(event.text)) return said(deps, state, { item, language, text: reply })
  if (!event.messageId) return nothing(state, 'ack')
  const { id, messageId } = event
  const thumb: OutBody = { v: 1, kind: 'react', messageId, emoji: '👍', answers: [id], language }
  const rows = toRows(deps, toWorkId('e', item), [thumb])
  return { ...nothing({ ...state, heard: state.heard ?? language }, 'ack'), rows }
}

async function refuse(
  deps: ExecutorDeps,
  { state, conversation }: Claim,
  { item, reason }: { item: QueuedEvent; reason: Refusal },
): Promise<Applied> {
  const { event } = item
  const nowMs = deps.now()
  const who = reason === 'chat-not-admitted' ? toChat(conversation) : event.principal
  const toldAt = state.refusedAt[`${reason} ${who}`]
  const quiet = toldAt !== undefined && (reason === 'chat-not-admitted' || nowMs - toldAt < refusalEveryMs)
  if (quiet && event.kind === 'message') return nothing(state, reason)
  const language = toLanguage(state, event.kind === 'message' ? event.text : '')
  const text = reason === 'stranger' ? await deps.greet(event.principal, language) : refusals[reason][language]
  if (text === undefined) return nothing(state, reason)
  return said(deps, refused(state, `${reason} ${who}`, nowMs), { item, language, text })
}

async function applyChange(deps: ExecutorDeps, claim: Claim, item: QueuedEvent): Promise<Applied> {
  const { state } = claim
  const { event } = item
  switch (event.kind) {
    case 'edit':
      return await applyEdit(deps, claim, { item, event })
    case 'delete':
      return applyForgetting(deps, claim, { item, ids: [event.messageId] })
    case 'answer':
      return await applyAnswer(deps, claim, { item, event })
    case 'expired':
      return await applyExpired(deps, claim, { item, event })
    case 'timer':
      return await applyTimer(deps, claim, { item, event })
    case 'letter':
      return event.letter === forgottenLetter
        ? applyForgetting(deps, claim, { item, ids: namesForgotten(event), from: event.from })
        : await applyLetter(deps, claim, { item, event })
    case 'session_end':
      return endSession(deps, claim, item)
    case 'join': {
      if (await deps.isOwner(event.principal, claim.conversation))
        await deps.admitChat(event.server ?? toChat(claim.conversation), event.principal)
      const language = toLanguage(state, event.title ?? '')
      return said(deps, state, { item, language, text: texts.admitted[language] })
    }
    case 'message':
      return nothing(observe(deps, state, event), 'observed')
    case 'leave':
      return { ...nothing(withoutCalledOff(deps.features, state, { all: true }), 'leave'), cancels: [{ all: true }] }
    case 'reaction':
      return nothing(state, 'reaction')
    default:
      return event satisfies never
  }
}

/** What is deleted here, or was forgotten where it was written. */
function applyForgetting(
  deps: ExecutorDeps,
  claim: Claim,
  { item, ...of }: { readonly item: QueuedEvent } & Pick<Forgetting, 'ids' | 'from'>,
): Applied {
  const { principal, kind } = item.event
  return { ...nothing(claim.state, kind), ...forgetAll(deps, claim, { ...of, principal, step: toWorkId('e', item) }) }
}

/** A message of a group that is read and not answered. */
function observe(deps: ExecutorDeps, state: ConversationState, event: MessageEvent): ConversationState {
  const people = meet(state.people, [event])
  const { lastText, lastAbout, lastQuoted, turns } = state
  const about = [...quotedIdsOf([event]), ...messageIdsOf([event])]
  const heard = { items: toUserItem(event, people), messageIds: [], about, text: '', tokens: 0 }
  const fit = toHistoryRoom(deps)
  return { ...remember({ ...state, people }, heard, fit), lastText, lastAbout, lastQuoted, turns }
}

/** What was kept of its words before goes. */
async function applyEdit(
  deps: ExecutorDeps,
  claim: Claim,
  { item, event }: { item: QueuedEvent; event: EditEvent },
): Promise<Applied> {
  const edited = await offer(deps, claim, { item, event })
  const message = event.messageId
  const records = [
    { kind: 'feedback', on: { message }, feedback: { v: 1, what: 'edit', by: event.principal } },
    { kind: 'edited', message },
  ] as const
  return { ...edited, records: [...edited.records, ...records] }
}

/** The first feature that has something to say of an edited message says it; in a group as often as commands are answered, since others read it too. */
async function offer(
  deps: ExecutorDeps,
  claim: Claim,
  { item, event }: { item: QueuedEvent; event: EditEvent },
): Promise<Applied> {
  const { state, conversation } = claim
  if (!state.answered.includes(event.messageId)) return nothing(state, 'edit')
  if (event.group && (await deps.pace(event.principal, conversation)) !== 'answer') return nothing(state, 'edit')
  const language = toLanguage(state, event.text)
  for (const feature of deps.features.all) {
    const effects = feature.edited?.({ event, language, slice: sliceOf(state, feature) }) ?? []
    if (effects.length === 0) continue
    const at = toAt({ feature, item, language })
    if (event.group) deps.noteAnswer(event.principal)
    return await attempt(deps, claim, at, async () => ({ ...carry(deps, claim, effects, at), what: 'edit' }))
  }
  return nothing(state, 'edit')
}
