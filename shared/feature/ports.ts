// The four ports of the fleet that features work with: who may do what, what is known of people, what turns have left behind, and the time. A feature
// takes the members that it needs, by `Pick`. Each process opens them once; what one feature alone works with is a port in that feature's folder.
import type { ConversationId, PrincipalId, ReplyMode } from '#shared/chat/conversation.ts'
import type { MessageEvent } from '#shared/chat/event.ts'
import type { Language } from '#shared/chat/message.ts'
import type { Tool } from '#shared/model/tool.ts'
import type { TurnRecord } from '#shared/run/record.ts'
import type { Audience, Right } from '#shared/run/tool-right.ts'

export type Ports = {
  readonly access: Access
  readonly people: People
  readonly records: Records
  readonly clock: Clock
}

/** Who may talk to the bot, where it answers, and who may have its tools used. `chat` is `channel:chat`. Every change may be repeated. */
export type Access = {
  claimOwner(principal: PrincipalId, code: string): Promise<boolean>
  /** Whether the one-time code waits for the first owner. */
  isCodeOpen(): Promise<boolean>
  admit(what: 'person' | 'chat', id: string, by: PrincipalId): Promise<void>
  dismiss(what: 'person' | 'chat', id: string): Promise<void>
  /** Makes an owner nobody in particular. `configured`: the settings make them one. */
  dismissOwner(id: PrincipalId): Promise<'gone' | 'last' | 'configured' | 'none'>
  /** Whether a person may use the bot in a conversation. */
  mayTalk(event: Pick<MessageEvent, 'principal' | 'conversation' | 'server'>): Promise<boolean>
  /** Whether nothing can be sent to a conversation: the bot was put out of it, blocked, or muted. */
  isClosed(where: ConversationId): Promise<boolean>
  /** Whether somebody who may not is answered now; then it counts. */
  mayAnswer(stranger: PrincipalId): boolean
  isOwner(person: PrincipalId, where: ConversationId): Promise<boolean>
  findMode(chat: string): Promise<ReplyMode>
  setMode(chat: string, mode: ReplyMode): Promise<void>
  /** Whether the chat's platform gives the bot every message of groups. */
  hearsAll(chat: string): Promise<boolean>
  /** What a person may do with a tool in a conversation, now. */
  findToolRight(tool: Pick<Tool, 'name' | 'effect'>, person: PrincipalId, where: ConversationId): Promise<Right>
  /** Owners who can be reached, those of this conversation's channel first. */
  findApprovers(where: ConversationId): Promise<readonly Approver[]>
  /** What was said of each tool in a chat; undefined is as usual, here and below. */
  toolsOfChat(tools: readonly string[], chat: string): Promise<readonly (Audience | undefined)[]>
  setToolForChat(tool: string, chat: string, audience: Audience | undefined): Promise<void>
  setToolForPerson(tool: string, person: PrincipalId, right: 'allow' | 'deny' | undefined): Promise<void>
}
/** An owner who can be written to alone. */
export type Approver = { readonly principal: PrincipalId; readonly direct: ConversationId }

/** What is known of a person in every conversation. */
export type People = {
  findZoneOf(principal: PrincipalId): Promise<string | undefined>
  /** Without a zone it is not known any more. Safe to repeat. */
  setZone(principal: PrincipalId, zone: string | undefined): Promise<void>
  /** What they chose of a setting of their own, by its id; undefined where they chose nothing. */
  findChoice(principal: PrincipalId, setting: string): Promise<string | undefined>
  /** Safe to repeat. A feature makes its settings by `createOwnSetting`. */
  setChoice(principal: PrincipalId, setting: string, choice: string): Promise<void>
  /** Where a person is reached alone on their own channel, now. */
  findDirect(principal: PrincipalId): Promise<ConversationId | undefined>
  /** What to say in the group to somebody who cannot be reached alone, unless they were told there lately. */
  invite(who: {
    principal: PrincipalId
    conversation: ConversationId
    language: Language
    /** Nothing to those who have blocked the bot. */
    unlessBlocked?: true
  }): Promise<string | undefined>
}

/** What turns have left behind, as long as it is kept. */
export type Records = {
  findTurn(conversation: ConversationId, by: 'last' | { readonly message: string }): Promise<RecordedTurn | undefined>
  /** The turns of a session that are on record, the newest last. */
  findTurns(conversation: ConversationId, session: string): Promise<readonly RecordedTurn[]>
  /** In micro-dollars, where the model's prices are known. */
  costOf(model: string, tokens: TurnRecord['tokens']): number | undefined
}
/** `about`: platform ids of the messages that the turn came of. */
export type RecordedTurn = { readonly record: TurnRecord; readonly about: readonly string[] }

/** The fleet's time: the same in every process. */
export type Clock = {
  now(): number
  /** The operator's, for people whose own is not known. */
  readonly timeZone: string
}
