// Decides what an event is to the bot: pure rules, in a fixed order, the first match wins and is named in the decision.
//   1 the bot's own business (answers, edits, deletions, joins)   2 not addressed in a group that wants to be asked -> ignore
//   3 commands open to all   4 may this person use the bot   5 commands   6 a group that is only read   7 the literal stop
//   8 words that are one command, understood whole   9 what kind of message
import type { ChatEvent, MessageEvent, SlashCommand } from '#shared/chat/event.ts'
import type { Classification, Decision } from '#shared/chat/decision.ts'
import type { ReplyMode } from '#shared/chat/conversation.ts'
import { isLiteralStop } from '#shared/chat/stop.ts'
import { isAside } from './asides.ts'

export type Rights = {
  readonly owner: boolean
  readonly person: boolean
  readonly chat: boolean
  /** Of a group; `mention` when left out. */
  readonly mode?: ReplyMode
}

export type DecideDeps = {
  classify(input: { text: string; previousReply?: string; openQuestion?: string }): Classification
  /** Commands that people without access may use, `/start` and `/help`. */
  readonly openCommands: readonly string[]
  /**
   * The command that a message of plain words orders: all of it, and understood whole. `replies`: to a message of the bot's, or of its
   * sender's own (`toOwn`).
   */
  findMeant(
    text: string,
    said: { readonly group: boolean; readonly replies: boolean; readonly toOwn?: boolean },
  ): SlashCommand | undefined
}

export type DecideInput = {
  readonly event: ChatEvent
  readonly access: Rights
  readonly previousReply?: string
}

export function decide(deps: DecideDeps, input: DecideInput): Decision {
  const { event, access } = input
  switch (event.kind) {
    case 'message':
      return decideMessage(deps, input, event)
    case 'edit': {
      if (!mayTalk(event, access)) return ignore('edit.no-access')
      const found = deps.classify({ text: event.text, ...previous(input) })
      return { v: 1, act: 'apply', rule: 'edit', class: found }
    }
    case 'join':
      // A group is admitted when an owner adds the bot; the executor sees to it.
      return access.owner || access.chat
        ? { v: 1, act: 'apply', rule: 'join' }
        : refuse('join.not-owner', 'chat-not-admitted')
    // Who may press was looked at before the press won. What comes from inside concerns the bot whatever its person may do by now: something
    // waits for it.
    case 'answer':
    case 'expired':
    case 'timer':
    case 'letter':
    case 'session_end':
    // What was asked there is called off.
    case 'leave':
      return { v: 1, act: 'apply', rule: event.kind }
    case 'delete':
      // Nothing said in a server that nobody admitted was kept; who deletes is not told, so persons do not count.
      return event.server !== undefined && !access.chat && !access.owner
        ? ignore('delete.no-access')
        : { v: 1, act: 'apply', rule: 'delete' }
    case 'reaction': {
      const said = {
        v: 1,
        what: 'reaction',
        by: event.principal,
        value: event.emoji.join(' ').slice(0, 200).toWellFormed(),
      } as const
      return { v: 1, act: 'ignore', rule: 'reaction', on: event.messageId, feedback: said }
    }
    default:
      return event satisfies never
  }
}

function decideMessage(deps: DecideDeps, input: DecideInput, event: MessageEvent): Decision {
  const { access } = input
  const { command, group } = event
  const mode = access.mode ?? 'mention'
  const asked = !group || event.addressed || command !== undefined
  if (!asked && (mode === 'mention' || !mayTalk(event, access))) return ignore('group.not-addressed')
  // In a group that nobody admitted nothing is open: one notice, then silence.
  if (command && deps.openCommands.includes(command.name) && (!group || mayTalk(event, access)))
    return order('command.open', command)
  if (!mayTalk(event, access))
    return group ? refuse('access.chat', 'chat-not-admitted') : refuse('access.person', 'stranger')
  if (command) return order('command.slash', command)
  if (group && mode === 'observe') return { v: 1, act: 'apply', rule: 'group.observed' }
  if (isLiteralStop(event.text, undefined)) {
    return { v: 1, act: 'command', rule: 'command.stop-word', command: { name: 'stop', args: '' } }
  }
  if (event.text === '') {
    const alone = { type: 'query', complex: false, confidence: 'high' } as const
    // A bare mention under another's message, or a forward, asks about those words.
    if (event.quoted?.length || (event.replyTo?.text && !event.replyTo.fromBot))
      return { v: 1, act: 'turn', rule: 'quote.only', class: { ...alone, depth: 'standard', rule: 'quote.only' } }
    // So does a bare mention under a message that only brings files.
    const others = event.replyTo?.fromBot ? undefined : event.replyTo?.media
    if (!event.media?.length && !others?.length) return ignore('message.empty')
    return { v: 1, act: 'ack', rule: 'media.only', class: { ...alone, depth: 'light', rule: 'media.only' } }
  }
  const toOwn = !group && event.replyTo?.principal === event.principal
  const replies = event.replyTo?.fromBot === true || toOwn
  const isWhole = isAlone(event) && (replies || event.replyTo === undefined)
  const meant =
    isWhole && (!group || event.addressed) ? deps.findMeant(event.text, { group, replies, toOwn }) : undefined
  if (meant) return { v: 1, act: 'command', rule: `command.${meant.name}-words`, command: meant }
  const found = deps.classify({ text: event.text, ...previous(input) })
  if (found.type === 'social') return { v: 1, act: 'ack', rule: found.rule, class: found }
  return { v: 1, act: 'turn', rule: found.rule, class: found }
}

const order = (rule: string, command: SlashCommand): Decision => ({
  v: 1,
  act: 'command',
  rule,
  command,
  ...(isAside(command) ? { aside: true } : {}),
})

/** But for what it replies to, its words are all that there is to it. */
const isAlone = ({ quoted, media }: MessageEvent): boolean => !quoted?.length && !media?.length

function mayTalk(event: ChatEvent, access: Rights): boolean {
  const group = 'group' in event && event.group
  return access.owner || access.person || (group && access.chat)
}

const previous = (input: DecideInput): { previousReply?: string } =>
  input.previousReply === undefined ? {} : { previousReply: input.previousReply }

const ignore = (rule: string): Decision => ({ v: 1, act: 'ignore', rule })
const refuse = (rule: string, reason: 'stranger' | 'chat-not-admitted'): Decision => ({
  v: 1,
  act: 'refuse',
  rule,
  reason,
})
