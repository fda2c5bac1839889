// Which unrouted events are answers by words, or by a reaction. It asks Redis only where questions are asked, and something may answer one.
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import type { SaidAnswer } from '#shared/chat/decision.ts'
import type { MessageEvent, ReactionEvent } from '#shared/chat/event.ts'
import type { QueuedEvent } from '#shared/run/step.ts'
import type { Access } from '#queues/fleet/access.ts'
import type { Inbox, Kernel } from '#queues/kernel/kernel.ts'
import { countAsides } from '#services/router/asides.ts'
import { findBursts } from '#services/router/burst.ts'
import { findAnswer, mayAnswer, type FoundAnswer } from '#services/router/find-answer.ts'
import { findReacted, mayReact } from '#services/router/find-reacted.ts'

/** By the event's place among those that wait; what else would be decided of it is the router's. */
export type SaidAnswers = ReadonlyMap<number, Omit<SaidAnswer, 'otherwise'>>

type Waiting = {
  /** With what waits and is not to be routed yet. */
  readonly inbox: Pick<Inbox, 'asks' | 'events'>
  readonly waiting: readonly QueuedEvent[]
  readonly access: (principal: PrincipalId) => Access
}

/** Throws BotError `store-newer` where a message is in reply to what only a newer release can read. */
export async function findAnswers(
  kernel: Pick<Kernel, 'findCards'>,
  conversation: ConversationId,
  { inbox, waiting, access }: Waiting,
): Promise<SaidAnswers> {
  const found = new Map<number, Omit<SaidAnswer, 'otherwise'>>()
  const events = waiting.map(({ event }) => event)
  const heard = waiting.flatMap(({ event, seq }, index) =>
    event.kind === 'message' && mayAnswer(event) && !isChanged(event, inbox.events.slice(index + 1))
      ? [{ event, seq, index }]
      : [],
  )
  const reacted = waiting.flatMap(({ event, seq }, index) =>
    event.kind === 'reaction' && mayReact(event) ? [{ event, seq, index }] : [],
  )
  if (!inbox.asks || heard.length + reacted.length === 0) return found
  const replied = new Set([
    ...heard.flatMap(({ event }) => event.replyTo?.messageId ?? []),
    ...reacted.map(({ event }) => event.messageId),
  ])
  const asked = await kernel.findCards(conversation, [...replied])
  const alone = new Set(findBursts(events).flatMap((burst) => (burst.length === 1 ? burst : [])))
  for (const { event, seq, index } of heard) {
    const rights = access(event.principal)
    const answer = findAnswer(
      { event, seq, access: rights, isAlone: alone.has(index), asides: countAsides(events, index) },
      asked,
    )
    if (answer) found.set(index, toSaid(event, answer, rights))
  }
  for (const { event, seq, index } of reacted) {
    const rights = access(event.principal)
    const answer = findReacted({ event, seq, access: rights }, asked.cards)
    if (answer) found.set(index, toShown(event, answer, rights))
  }
  return found
}

/** What is taken back, or put otherwise, before anybody has read it was not said. */
const isChanged = ({ messageId }: MessageEvent, later: readonly QueuedEvent[]): boolean =>
  messageId !== undefined &&
  later.some(({ event }) => (event.kind === 'edit' || event.kind === 'delete') && event.messageId === messageId)

type Said = Omit<SaidAnswer, 'otherwise'>

/** A reaction says nothing but its choice: it is as a press. */
function toShown(
  {
    id,
    conversation,
    principal,
    server,
    at,
  }: Pick<ReactionEvent, 'id' | 'conversation' | 'principal' | 'server' | 'at'>,
  { card: { question, receipt }, choice, rule }: FoundAnswer,
  { owner }: Pick<Access, 'owner'>,
): Said {
  return {
    act: 'answer',
    rule,
    asAdmin: owner,
    answer: {
      v: 1,
      kind: 'answer',
      id,
      conversation,
      principal,
      ...(server === undefined ? {} : { server }),
      at,
      question: question.id,
      choice,
      about: question.kind,
      payload: '',
      ...(receipt === undefined ? {} : { messageId: receipt }),
    },
  }
}

function toSaid(event: MessageEvent, found: FoundAnswer, { owner }: Access): Said {
  const { name, text, messageId, senderIsAdmin } = event
  const { question } = found.card
  const isTyped = !question.words && found.choice === ''
  const shown = toShown(event, found, { owner })
  return {
    ...shown,
    asAdmin: owner || senderIsAdmin === true,
    answer: {
      ...shown.answer,
      ...(name === undefined ? {} : { name }),
      said: true,
      ...(question.words || isTyped ? { words: text } : {}),
      ...(isTyped ? { loose: true } : {}),
      ...(messageId === undefined ? {} : { messages: [messageId] }),
      ...(senderIsAdmin === undefined ? {} : { senderIsAdmin }),
    },
  }
}
