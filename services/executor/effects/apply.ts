// Everything that is not a turn: commands, courtesies, refusals, edits, deletions and answers, each one unit with its reply.
import type { Depth } from '#shared/chat/decision.ts'
import type { Language } from '#shared/chat/message.ts'
import type { AnswerEvent, ChatEvent, MessageEvent } from '#shared/chat/event.ts'
import { meet } from '#shared/chat/people.ts'
import type { Command, CommandView, Effect } from '#shared/feature.ts'
import type { OutBody, OutFile, OutRow } from '#shared/run/out-row.ts'
import { toReplaced, unbutton } from '#shared/run/out-row.ts'
import { raise, type Question } from '#shared/run/question.ts'
import { toChat } from '#shared/chat/conversation.ts'
import type { QueuedEvent } from '#shared/run/step.ts'
import type { ExecutorDeps } from '#services/executor/deps.ts'
import { toUserItem } from '#services/executor/open-turn.ts'
import { applySetting, refused, remember, toLanguage, type ConversationState } from '#services/executor/state.ts'
import { courtesy, endings, texts } from '#services/executor/texts.ts'
import type { Place } from '#services/executor/place.ts'
import { toWorkId } from '#services/executor/work-id.ts'

/** What an event comes to: rows and a new state, or a turn on a given text. */
export type Applied =
  | {
      readonly kind: 'done'
      readonly state: ConversationState
      readonly bodies: readonly OutBody[]
      readonly questions: readonly Question[]
      readonly what: string
    }
  | {
      readonly kind: 'turn'
      readonly state: ConversationState
      readonly text: string
      readonly rule: string
      readonly depth: Depth
    }

const refusalEveryMs = 3_600_000
const refusals = {
  'chat-not-admitted': texts.chatNotAdmitted,
  // Decided by routers before the budget became the executor's alone.
  'over-budget': endings['over-budget'],
}
type Refusal = keyof typeof refusals | 'stranger'

export async function applyEvent(deps: ExecutorDeps, place: Place, item: QueuedEvent): Promise<Applied> {
  const { event, decision } = item
  switch (decision?.act) {
    case 'command':
      if (event.kind !== 'message') return done(place.state, 'command')
      return await runCommand(deps, place, { item, event, args: decision.command.args })
    case 'ack':
      return acknowledge(place.state, event)
    case 'refuse':
      return await refuse(deps, place, event, decision.reason)
    case 'apply':
    case 'turn':
    case 'ignore':
    case undefined:
      return await applyChange(deps, place, item)
    default:
      return decision satisfies never
  }
}

export function toRows(deps: ExecutorDeps, step: string, bodies: readonly OutBody[]): OutRow[] {
  return bodies.map((body, i) => ({ id: `${step}-${i}`, body, expiresInMs: deps.replyExpiresInMs }))
}

export function findCommand(deps: ExecutorDeps, item: QueuedEvent): Command | undefined {
  const name = item.decision?.act === 'command' ? item.decision.command.name : undefined
  return name === undefined
    ? undefined
    : deps.features.flatMap((feature) => feature.commands ?? []).find((command) => command.name === name)
}

async function runCommand(
  deps: ExecutorDeps,
  place: Place,
  { item, event, args }: { item: QueuedEvent; event: MessageEvent; args: string },
): Promise<Applied> {
  const command = findCommand(deps, item)
  const { state, conversation } = place
  const { principal } = event
  // The Latin words of a command are its own, not its sender's.
  const language = toLanguage(state, args.replaceAll(/[a-z]/gi, ''), event.language)
  if (!command) {
    if (event.group && !event.addressed) return done(state, 'command')
    return said(state, event, language, texts.unknownCommand[language])
  }
  const owner = await deps.isOwner(principal, conversation)
  const effects = await command.run({
    conversation,
    principal,
    event,
    args,
    language,
    owner,
    state: toView(place, principal),
  })
  return carryOut(place, item, effects, { language, nowMs: deps.now() })
}

function carryOut(
  place: Place,
  item: QueuedEvent,
  effects: readonly Effect[],
  at: { language: Language; nowMs: number },
): Applied {
  const { event } = item
  let { state } = place
  const bodies: OutBody[] = []
  const questions: Question[] = []
  for (const effect of effects) {
    switch (effect.kind) {
      case 'set':
        state = applySetting(state, effect.setting, at.nowMs)
        break
      case 'send':
        bodies.push(sendBody(event, at.language, effect))
        break
      case 'show':
        bodies.push({ ...effect.body, answers: [event.id] })
        break
      case 'ask': {
        const { owner = event.principal, admins = false } = effect
        const card = `${toWorkId('e', item)}-${bodies.length}`
        const { question, buttons } = raise(place.store.newQuestionId(), effect, { owner, admins, card })
        questions.push(question)
        bodies.push({ ...sendBody(event, at.language, effect), buttons })
        break
      }
      case 'turn': {
        const { text, rule = 'again', depth = 'standard' } = effect
        return { kind: 'turn', state, text, rule, depth }
      }
      default:
        return effect satisfies never
    }
  }
  return { kind: 'done', state, bodies, questions, what: event.kind }
}

function sendBody(
  event: ChatEvent,
  language: Language,
  { text, file, inPlace = false }: { text: string; file?: OutFile; inPlace?: boolean },
): Extract<OutBody, { kind: 'send' }> {
  const replyTo = event.kind === 'message' && event.group && event.messageId ? { replyTo: event.messageId } : {}
  return {
    v: 1,
    kind: 'send',
    text: text.toWellFormed(),
    answers: [event.id],
    language,
    ...replyTo,
    ...(file ? { file } : {}),
    ...(inPlace ? toReplaced(event) : {}),
  }
}

const done = (state: ConversationState, what: string, bodies: readonly OutBody[] = []): Applied => ({
  kind: 'done',
  state,
  bodies,
  questions: [],
  what,
})
const said = (state: ConversationState, event: ChatEvent, language: Language, text: string): Applied =>
  done({ ...state, heard: language }, event.kind, [sendBody(event, language, { text })])

function acknowledge(state: ConversationState, event: ChatEvent): Applied {
  if (event.kind !== 'message') return done(state, 'ack')
  const language = toLanguage(state, event.text)
  if (event.text === '' && event.media?.length) return said(state, event, language, texts.mediaOnly[language])
  if (event.group) {
    if (!event.messageId) return done(state, 'ack')
    const { id, messageId } = event
    return done(state, 'ack', [{ v: 1, kind: 'react', messageId, emoji: '👍', answers: [id], language }])
  }
  return said(state, event, language, courtesy(event.text, language))
}

async function refuse(deps: ExecutorDeps, place: Place, event: ChatEvent, reason: Refusal): Promise<Applied> {
  const { state } = place
  const nowMs = deps.now()
  const who = reason === 'chat-not-admitted' ? toChat(place.conversation) : event.principal
  const toldAt = state.refusedAt[`${reason} ${who}`]
  const quiet = toldAt !== undefined && (reason === 'chat-not-admitted' || nowMs - toldAt < refusalEveryMs)
  if (quiet && event.kind === 'message') return done(state, reason)
  const language = toLanguage(state, event.kind === 'message' ? event.text : '')
  const text = reason === 'stranger' ? await deps.greet(event.principal, language) : refusals[reason][language]
  if (text === undefined) return done(state, reason)
  return said(refused(state, `${reason} ${who}`, nowMs), event, language, text)
}

async function applyChange(deps: ExecutorDeps, place: Place, item: QueuedEvent): Promise<Applied> {
  const { state } = place
  const { event } = item
  switch (event.kind) {
    case 'edit': {
      if (event.group || !state.answered.includes(event.messageId)) return done(state, 'edit')
      const language = toLanguage(state, event.text)
      const options = [[{ id: 'redo', label: texts.redo[language] }]]
      const ask = { kind: 'ask', question: 'redo', text: texts.edited[language], options, payload: event.text } as const
      return carryOut(place, item, [{ ...ask, topic: `redo ${event.messageId}` }], { language, nowMs: deps.now() })
    }
    case 'delete':
      return done(applySetting(state, { name: 'forget', messageId: event.messageId }, deps.now()), 'delete')
    case 'answer':
      return await applyAnswer(deps, place, { item, event })
    case 'join': {
      if (await deps.isOwner(event.principal, place.conversation))
        await deps.admitChat(event.server ?? toChat(place.conversation), event.principal)
      const language = toLanguage(state, event.title ?? '')
      return said(state, event, language, texts.admitted[language])
    }
    case 'message':
      return done(observe(deps, state, event), 'observed')
    case 'leave':
    case 'reaction':
      return done(state, event.kind)
    default:
      return event satisfies never
  }
}

/** A message of a group that is read and not answered. */
function observe(deps: ExecutorDeps, state: ConversationState, event: MessageEvent): ConversationState {
  const people = meet(state.people, [event])
  const heard = { items: toUserItem(event, people), messageIds: [], text: state.lastText ?? '', tokens: 0 }
  const fit = { maxTokens: deps.historyTokens, estimate: deps.estimate }
  return { ...remember({ ...state, people }, heard, fit), turns: state.turns }
}

/** A won press: what its question kept travels in the event, so that nothing else need be read. */
async function applyAnswer(
  deps: ExecutorDeps,
  place: Place,
  { item, event }: { item: QueuedEvent; event: AnswerEvent },
): Promise<Applied> {
  // Answers stored by older releases do not say what they are about.
  const { about = event.choice === 'redo' ? 'redo' : 'show-again', card } = event
  const language = toLanguage(place.state, '')
  const answer = deps.features.flatMap((feature) => feature.answers?.[about] ?? [])[0]
  const owner = await deps.isOwner(event.principal, place.conversation)
  const effects = (await answer?.({ event, owner, language, state: toView(place, event.principal) })) ?? []
  const applied = carryOut(place, item, effects, { language, nowMs: deps.now() })
  const isChanged = applied.kind === 'turn' || applied.bodies.some((body) => 'replaces' in body)
  // The reply that a stop ends, and the one that follows a rewritten answer, see to their buttons themselves.
  if (card === undefined || isChanged || about === 'stop' || about === 'resize') return applied
  return { ...applied, bodies: [...applied.bodies, unbutton(card, event.messageId)] }
}

function toView({ state, busy }: Place, principal: string): CommandView {
  return {
    sessionId: state.session.id,
    depth: state.depth,
    language: state.language,
    exchanges: state.history.filter((item) => item.role === 'user').length,
    fellOut: state.fellOut ?? 0,
    turns: state.turns,
    tokens: state.tokens,
    busy,
    lastText: state.putOff?.[principal]?.text || state.lastText,
    lastCard: state.offer?.card,
    resize: state.resize ?? true,
    transcript: state.history.flatMap((item) =>
      item.role === 'tool' || item.text === '' ? [] : [`${item.role}: ${item.text}`],
    ),
    knows: (messageId) => state.history.some((item) => item.role === 'user' && item.messageId === messageId),
  }
}
