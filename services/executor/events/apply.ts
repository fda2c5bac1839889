// Everything that is not a turn: commands, courtesies, refusals, edits, deletions and answers, each one unit with its reply.
import { toChat } from '#shared/chat/conversation.ts'
import type { OutBody } from '#shared/run/out-row.ts'
import type { QueuedEvent } from '#shared/run/step.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { courtesy, texts, wantsWords } from '#services/executor/run/texts.ts'
import { toWorkId } from '#services/executor/run/work-id.ts'
import { waitsFor } from '#services/executor/state/asking.ts'
import { forgottenLetter, reportLetter } from '#services/executor/state/features.ts'
import { withoutCalledOff } from '#services/executor/state/slices.ts'
import { refused, toLanguage } from '#services/executor/state/state.ts'
import { toRows } from '#services/executor/step/carry.ts'
import { forgetAll, namesForgotten, type Forgetting } from '#services/executor/step/forgotten.ts'
import { takeReport } from '#services/executor/step/report.ts'
import { nothing, type Applied } from './applied.ts'
import { applyEdit } from './came-edit.ts'
import { applyLetter } from './came-letter.ts'
import { applyAnswer, applyExpired } from './ended-question.ts'
import { applyTimer } from './fired-timer.ts'
import { toMediaNotice } from './media-notice.ts'
import { observe } from './observe.ts'
import { runCommand } from './run-command.ts'
import { said } from './said.ts'
import { endSession } from './session-end.ts'

const refusalEveryMs = 3_600_000

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
  { item, reason }: { item: QueuedEvent; reason: 'stranger' | 'chat-not-admitted' },
): Promise<Applied> {
  const { event } = item
  const nowMs = deps.now()
  const who = reason === 'chat-not-admitted' ? toChat(conversation) : event.principal
  const toldAt = state.refusedAt[`${reason} ${who}`]
  const quiet = toldAt !== undefined && (reason === 'chat-not-admitted' || nowMs - toldAt < refusalEveryMs)
  if (quiet && event.kind === 'message') return nothing(state, reason)
  const language = toLanguage(state, event.kind === 'message' ? event.text : '')
  const text = reason === 'stranger' ? await deps.greet(event.principal, language) : texts.chatNotAdmitted[language]
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
      if (event.letter === reportLetter)
        return { ...nothing(state, event.kind), ...takeReport(claim, event, toWorkId('e', item)) }
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
  const gone = forgetAll(deps, claim, { ...of, principal, step: toWorkId('e', item) })
  // Nothing is said, so that the end of the last reply would stay, which may repeat them.
  const { history, lastAbout = [] } = claim.state
  const isKnown =
    // Cards that repeat what others wrote elsewhere are in no history.
    of.from !== undefined ||
    gone.state.history.some((one, at) => one !== history[at]) ||
    of.ids.some((id) => lastAbout.includes(id))
  return { ...nothing(claim.state, kind), ...(isKnown ? { reply: '' } : {}), ...gone }
}
