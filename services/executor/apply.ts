// Everything that is not a turn: commands, courtesies, refusals, edits, deletions and answers, each one unit with its reply.
import type { Language } from '#shared/chat/message.ts'
import type { ChatEvent, MessageEvent } from '#shared/chat/event.ts'
import type { Command, CommandView, Effect } from '#shared/feature.ts'
import type { OutBody, OutRow } from '#shared/run/out-row.ts'
import { outBody } from '#shared/run/out-row.ts'
import type { Question } from '#shared/run/question.ts'
import { toChat } from '#shared/chat/conversation.ts'
import type { QueuedEvent } from '#shared/run/step.ts'
import type { ExecutorDeps } from './deps.ts'
import { replyExpiresInMs } from './end-turn.ts'
import { applySetting, refused, toLanguage, type ConversationState } from './state.ts'
import { courtesy, texts } from './texts.ts'
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

export async function applyEvent(
  deps: ExecutorDeps,
  place: Place,
  item: QueuedEvent,
  busy: CommandView['busy'],
): Promise<Applied> {
  const { event, decision } = item
  switch (decision?.act) {
    case 'command':
      return event.kind === 'message' ? await runCommand(deps, place, event, busy) : nothing(place.state, 'command')
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
  event: MessageEvent,
  busy: CommandView['busy'],
): Promise<Applied> {
  const { state, mailbox } = place
  const item =
    mailbox.waiting().find((waiting) => waiting.event === event) ??
    mailbox.waiting().find((waiting) => waiting.event.id === event.id)
  const command = item && findCommand(deps, item)
  const language = toLanguage(state, event.command?.args ? event.command.args : event.text)
  if (!command || item?.decision?.act !== 'command') {
    return event.group && !event.addressed
      ? nothing(state, 'command')
      : said(state, event, language, texts.unknownCommand[language])
  }
  const effects = await command.run({
    conversation: place.conversation,
    principal: event.principal,
    event,
    args: item.decision.command.args,
    language,
    owner: await deps.isOwner(event.principal, place.conversation),
    state: toView(state, busy),
  })
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

const nothing = (state: ConversationState, what: string): Applied => ({
  kind: 'done',
  state,
  bodies: [],
  questions: [],
  what,
})

const said = (state: ConversationState, event: ChatEvent, language: Language, text: string): Applied => ({
  kind: 'done',
  state: { ...state, heard: language },
  bodies: [sendBody(event, language, text)],
  questions: [],
  what: event.kind,
})

function acknowledge(state: ConversationState, event: ChatEvent): Applied {
  if (event.kind !== 'message') return nothing(state, 'ack')
  const language = toLanguage(state, event.text)
  if (event.text === '' && event.media?.length) return said(state, event, language, texts.mediaOnly[language])
  if (event.group) {
    if (!event.messageId) return nothing(state, 'ack')
    const reaction: OutBody = {
      v: 1,
      kind: 'react',
      messageId: event.messageId,
      emoji: '👍',
      answers: [event.id],
      language,
    }
    return { kind: 'done', state, bodies: [reaction], questions: [], what: 'ack' }
  }
  return said(state, event, language, courtesy(event.text, language))
}

function refuse(
  deps: ExecutorDeps,
  place: Place,
  event: ChatEvent,
  reason: 'stranger' | 'chat-not-admitted' | 'over-budget',
): Applied {
  const { state } = place
  const nowMs = deps.now()
  const who = reason === 'chat-not-admitted' ? toChat(place.conversation) : event.principal
  const toldAt = state.refusedAt[`${reason} ${who}`]
  const quiet = toldAt !== undefined && (reason === 'chat-not-admitted' || nowMs - toldAt < refusalEveryMs)
  if (quiet && event.kind === 'message' && event.group) return nothing(state, reason)
  const language = toLanguage(state, event.kind === 'message' ? event.text : '')
  const text =
    reason === 'stranger'
      ? texts.stranger[language] + event.principal
      : reason === 'over-budget'
        ? texts.overBudget[language]
        : texts.chatNotAdmitted[language]
  return said(refused(state, `${reason} ${who}`, nowMs), event, language, text)
}

async function applyChange(deps: ExecutorDeps, place: Place, event: ChatEvent): Promise<Applied> {
  const { state } = place
  switch (event.kind) {
    case 'edit': {
      if (event.group || !state.answered.includes(event.messageId)) return nothing(state, 'edit')
      const language = toLanguage(state, event.text)
      const options = [{ id: 'redo', label: texts.redo[language] }]
      const ask: Effect = { kind: 'ask', question: 'redo', text: texts.edited[language], options, payload: event.text }
      return carryOut(place, event, [ask], { state, language, nowMs: deps.now() })
    }
    case 'delete':
      return { ...nothing(applySetting(state, { name: 'forget', messageId: event.messageId }, deps.now()), 'delete') }
    case 'answer':
      return applyAnswer(place, event)
    case 'join': {
      await deps.admitChat(place.conversation, event.principal)
      const language = toLanguage(state, event.title ?? '')
      return said(state, event, language, texts.admitted[language])
    }
    case 'message':
    case 'leave':
      return nothing(state, event.kind)
    default:
      return event satisfies never
  }
}

/** A won press: the question's payload travels in the event, so that nothing else need be read. */
function applyAnswer(place: Place, event: Extract<ChatEvent, { kind: 'answer' }>): Applied {
  const { state } = place
  if (event.choice === 'redo') return { kind: 'turn', state, text: event.payload }
  if (event.choice === 'show') {
    const shown = outBody.safeParse(JSON.parse(event.payload))
    if (shown.success && shown.data.kind === 'send') {
      const { replaces: _, ...body } = shown.data
      return { kind: 'done', state, bodies: [{ ...body, answers: [event.id] }], questions: [], what: 'show-again' }
    }
  }
  return nothing(state, 'answer')
}

function toView(state: ConversationState, busy: CommandView['busy']): CommandView {
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
