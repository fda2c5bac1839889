// Everything that is not a turn: commands, courtesies, refusals, edits, deletions and answers, each one unit with its reply.
import type { Language } from '#shared/chat/message.ts'
import type { ChatEvent, MessageEvent } from '#shared/chat/event.ts'
import { meet } from '#shared/chat/people.ts'
import type { Command, CommandView, Effect } from '#shared/feature.ts'
import type { OutBody, OutRow } from '#shared/run/out-row.ts'
import { outBody } from '#shared/run/out-row.ts'
import type { Question } from '#shared/run/question.ts'
import { toChat } from '#shared/chat/conversation.ts'
import type { QueuedEvent } from '#shared/run/step.ts'
import type { ExecutorDeps } from './deps.ts'
import { replyExpiresInMs } from './end-turn.ts'
import { toUserItem } from './open-turn.ts'
import { applySetting, refused, remember, toLanguage, type ConversationState } from './state.ts'
import { courtesy, endings, texts } from './texts.ts'
import type { Place } from './place.ts'

/** What an event comes to: rows and a new state, or a turn on a given text. */
export type Applied =
  | {
      readonly kind: 'done'
      readonly state: ConversationState
      readonly bodies: readonly OutBody[]
      readonly questions: readonly Question[]
      readonly what: string
    }
  | { readonly kind: 'turn'; readonly state: ConversationState; readonly text: string }

const refusalEveryMs = 3_600_000
const refusals = {
  stranger: texts.stranger,
  'chat-not-admitted': texts.chatNotAdmitted,
  // Decided by routers before the budget became the executor's alone.
  'over-budget': endings['over-budget'],
}

export async function applyEvent(deps: ExecutorDeps, place: Place, item: QueuedEvent): Promise<Applied> {
  const { event, decision } = item
  switch (decision?.act) {
    case 'command':
      if (event.kind !== 'message') return done(place.state, 'command')
      return await runCommand(deps, place, { event, args: decision.command.args, command: findCommand(deps, item) })
    case 'ack':
      return acknowledge(place.state, event)
    case 'refuse':
      return refuse(deps, place, event, decision.reason)
    case 'apply':
    case 'turn':
    case 'ignore':
    case undefined:
      return await applyChange(deps, place, event)
    default:
      return decision satisfies never
  }
}

export function toRows(step: string, bodies: readonly OutBody[]): OutRow[] {
  return bodies.map((body, i) => ({ id: `${step}-${i}`, body, expiresInMs: replyExpiresInMs }))
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
  { event, args, command }: { event: MessageEvent; args: string; command: Command | undefined },
): Promise<Applied> {
  const { state, conversation } = place
  const { principal } = event
  const language = toLanguage(state, args || event.text)
  if (!command) {
    if (event.group && !event.addressed) return done(state, 'command')
    return said(state, event, language, texts.unknownCommand[language])
  }
  const owner = await deps.isOwner(principal, conversation)
  const effects = await command.run({ conversation, principal, event, args, language, owner, state: toView(place) })
  return carryOut(place, event, effects, { state, language, nowMs: deps.now() })
}

function carryOut(
  place: Place,
  event: ChatEvent,
  effects: readonly Effect[],
  at: { state: ConversationState; language: Language; nowMs: number },
): Applied {
  let { state } = at
  const bodies: OutBody[] = []
  const questions: Question[] = []
  for (const effect of effects) {
    switch (effect.kind) {
      case 'set':
        state = applySetting(state, effect.setting, at.nowMs)
        break
      case 'send':
        bodies.push(sendBody(event, at.language, effect.text))
        break
      case 'ask': {
        const id = place.store.newQuestionId()
        questions.push({
          v: 1,
          id,
          kind: effect.question,
          owner: event.principal,
          options: effect.options.map((option) => option.id),
          payload: effect.payload,
        })
        const buttons = [effect.options.map((option) => ({ id: `${id}.${option.id}`, label: option.label }))]
        bodies.push({ ...sendBody(event, at.language, effect.text), buttons })
        break
      }
      case 'turn':
        return { kind: 'turn', state, text: effect.text }
      default:
        return effect satisfies never
    }
  }
  return { kind: 'done', state, bodies, questions, what: event.kind }
}

function sendBody(event: ChatEvent, language: Language, text: string): Extract<OutBody, { kind: 'send' }> {
  const replyTo = event.kind === 'message' && event.group ? event.messageId : undefined
  return {
    v: 1,
    kind: 'send',
    text: text.toWellFormed(),
    answers: [event.id],
    language,
    ...(replyTo ? { replyTo } : {}),
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
  done({ ...state, heard: language }, event.kind, [sendBody(event, language, text)])

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

function refuse(deps: ExecutorDeps, place: Place, event: ChatEvent, reason: keyof typeof refusals): Applied {
  const { state } = place
  const nowMs = deps.now()
  const who = reason === 'chat-not-admitted' ? toChat(place.conversation) : event.principal
  const toldAt = state.refusedAt[`${reason} ${who}`]
  const quiet = toldAt !== undefined && (reason === 'chat-not-admitted' || nowMs - toldAt < refusalEveryMs)
  if (quiet && event.kind === 'message' && event.group) return done(state, reason)
  const language = toLanguage(state, event.kind === 'message' ? event.text : '')
  const text = refusals[reason][language] + (reason === 'stranger' ? event.principal : '')
  return said(refused(state, `${reason} ${who}`, nowMs), event, language, text)
}

async function applyChange(deps: ExecutorDeps, place: Place, event: ChatEvent): Promise<Applied> {
  const { state } = place
  switch (event.kind) {
    case 'edit': {
      if (event.group || !state.answered.includes(event.messageId)) return done(state, 'edit')
      const language = toLanguage(state, event.text)
      const options = [{ id: 'redo', label: texts.redo[language] }]
      const ask: Effect = { kind: 'ask', question: 'redo', text: texts.edited[language], options, payload: event.text }
      return carryOut(place, event, [ask], { state, language, nowMs: deps.now() })
    }
    case 'delete':
      return done(applySetting(state, { name: 'forget', messageId: event.messageId }, deps.now()), 'delete')
    case 'answer':
      return applyAnswer(place, event)
    case 'join': {
      await deps.admitChat(place.conversation, event.principal)
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

/** A won press: the question's payload travels in the event, so that nothing else need be read. */
function applyAnswer(place: Place, event: Extract<ChatEvent, { kind: 'answer' }>): Applied {
  const { state } = place
  if (event.choice === 'redo') return { kind: 'turn', state, text: event.payload }
  if (event.choice === 'show') {
    const shown = outBody.safeParse(JSON.parse(event.payload))
    if (shown.success && shown.data.kind === 'send') {
      const { replaces: _, ...body } = shown.data
      return done(state, 'show-again', [{ ...body, answers: [event.id] }])
    }
  }
  return done(state, 'answer')
}

function toView({ state, busy }: Place): CommandView {
  return {
    sessionId: state.session.id,
    depth: state.depth,
    language: state.language,
    exchanges: state.history.filter((item) => item.role === 'user').length,
    turns: state.turns,
    tokens: state.tokens,
    busy,
    lastText: state.lastText,
    transcript: state.history.flatMap((item) =>
      item.role === 'tool' || item.text === '' ? [] : [`${item.role}: ${item.text}`],
    ),
    knows: (messageId) => state.history.some((item) => item.role === 'user' && item.messageId === messageId),
  }
}
