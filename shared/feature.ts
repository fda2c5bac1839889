// The only seam between services: a capability plugged into the executor, and what its steps want done, as data.
import type { Localised, Language } from '#shared/chat/message.ts'
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import type { Depth } from '#shared/chat/decision.ts'
import type { AnswerEvent, MessageEvent } from '#shared/chat/event.ts'
import type { Tool } from '#shared/model/tool.ts'
import type { OutBody, OutFile } from '#shared/run/out-row.ts'
import type { Asked, QuestionKind } from '#shared/run/question.ts'

/** What a step wants done; the executor carries it out in the same unit as the step. */
export type Effect =
  | {
      readonly kind: 'send'
      readonly text: string
      readonly file?: OutFile
      /** instead of the card just answered */ readonly inPlace?: boolean
    }
  /** Sends a body as it was made before. */
  | { readonly kind: 'show'; readonly body: OutBody }
  | (Asked & {
      readonly kind: 'ask'
      readonly text: string
      /** Who may answer, if not whom the event came from. */
      readonly owner?: PrincipalId
      /** Chat administrators and owners may answer too. */
      readonly admins?: boolean
      readonly inPlace?: boolean
    })
  | { readonly kind: 'set'; readonly setting: Setting }
  /**
   * Begins a turn on this text, as if its sender had just written it. `resize` rewrites the last answer, `continue` goes on with it.
   * `depth` is standard when left out.
   */
  | { readonly kind: 'turn'; readonly text: string; readonly rule?: 'resize' | 'continue'; readonly depth?: Depth }

/** A change of the conversation's own state. */
export type Setting =
  | { readonly name: 'language'; readonly value: Language | undefined }
  | { readonly name: 'depth'; readonly value: Depth | undefined }
  | { readonly name: 'session'; readonly value: 'new' }
  | { readonly name: 'forget'; readonly messageId: string }
  /** Whether answers carry the buttons shorter and longer. */
  | { readonly name: 'resize'; readonly value: boolean }

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
  /** Messages of this session that no longer fit. */
  readonly fellOut: number
  readonly turns: number
  readonly tokens: number
  readonly busy: { readonly principal: PrincipalId; readonly sinceMs: number } | undefined
  readonly lastText: string | undefined
  /** The row of the last answer while its buttons hold. */
  readonly lastCard: string | undefined
  readonly resize: boolean
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

/** A won press; `event.payload` is what its question kept. */
export type AnswerContext = {
  readonly event: AnswerEvent
  readonly owner: boolean
  readonly language: Language
  readonly state: CommandView
}

/** An answer of the model. */
export type Answered = {
  readonly text: string
  /** A limit or a failure ended it before it was done. */
  readonly unfinished: boolean
  readonly depth: Depth
  readonly language: Language
  /** Who asked for it, before anybody had it rewritten. */
  readonly asker: PrincipalId
}

export type Feature = {
  readonly name: string
  readonly commands?: readonly Command[]
  readonly tools?: readonly Tool[]
  readonly answers?: Partial<Record<QuestionKind, (context: AnswerContext) => Promise<readonly Effect[]>>>
  /** Buttons under an answer, for its asker and administrators, gone with the next reply. */
  readonly under?: (answered: Answered) => Asked | undefined
}
