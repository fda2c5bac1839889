// The only seam between services: a capability plugged into the executor, and what its steps want done, as data.
import type { Localised, Language } from '#shared/chat/message.ts'
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import type { Depth } from '#shared/chat/decision.ts'
import type { MessageEvent } from '#shared/chat/event.ts'
import type { Tool } from '#shared/model/tool.ts'
import type { QuestionKind } from '#shared/run/question.ts'

/** What a step wants done; the executor carries it out in the same unit as the step. */
export type Effect =
  | { readonly kind: 'send'; readonly text: string }
  | {
      readonly kind: 'ask'
      readonly question: QuestionKind
      readonly text: string
      readonly options: readonly { readonly id: string; readonly label: string }[]
      readonly payload: string
    }
  | { readonly kind: 'set'; readonly setting: Setting }
  /** Begins a turn on this text, as if its sender had just written it. */
  | { readonly kind: 'turn'; readonly text: string }

/** A change of the conversation's own state. */
export type Setting =
  | { readonly name: 'language'; readonly value: Language | undefined }
  | { readonly name: 'depth'; readonly value: Depth | undefined }
  | { readonly name: 'session'; readonly value: 'new' }
  | { readonly name: 'forget'; readonly messageId: string }

/** What a command may read. */
export type CommandContext = {
  readonly conversation: ConversationId
  readonly principal: PrincipalId
  readonly event: MessageEvent
  readonly args: string
  readonly language: Language
  readonly owner: boolean
  readonly state: CommandView
}
/** The conversation as commands see it. */
export type CommandView = {
  readonly sessionId: string
  readonly depth: Depth | undefined
  readonly language: Language | undefined
  readonly exchanges: number
  readonly turns: number
  readonly tokens: number
  readonly busy: { readonly principal: PrincipalId; readonly sinceMs: number } | undefined
  readonly lastText: string | undefined
  /** History as lines `name: text`, oldest first. */
  readonly transcript: readonly string[]
  knows(messageId: string): boolean
}

export type Command = {
  readonly name: string
  readonly help: Localised
  /** May be used by people who have no access yet. */
  readonly open?: boolean
  /** Reads only, so it is answered at once, also while a turn runs. */
  readonly readsOnly?: boolean
  run(context: CommandContext): Promise<readonly Effect[]>
}

export type Feature = {
  readonly name: string
  readonly commands?: readonly Command[]
  readonly tools?: readonly Tool[]
}
