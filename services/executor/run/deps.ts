// What the executor is built from. Everything that touches the world is passed in here.
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import type { Language } from '#shared/chat/message.ts'
import type { Ask, ModelPayer } from '#shared/model/ask.ts'
import type { ToolDefinition } from '#shared/feature/find-tools.ts'
import type { ModelRole, Usage } from '#shared/model/model-port.ts'
import type { Tool } from '#shared/model/tool.ts'
import type { ModelDeps } from './call-model.ts'
import type { Features } from '#services/executor/state/features.ts'
import type { TurnEnding } from '#shared/run/journal.ts'
import type { Right } from '#shared/run/tool-right.ts'
import type { TurnLimits } from '#shared/run/turn-limits.ts'

/** What one call takes, or took, and of which model. */
export type Spending = Usage & { readonly role: ModelRole }

/** `waitedMs`: from when the first message was written until the turn began; `otherMs`: what is left, such as waits between tries. */
export type Timing = {
  readonly turn: string
  readonly ending: TurnEnding
  readonly model?: string
  readonly modelCalls: number
  readonly toolCalls: number
  readonly totalMs: number
  readonly waitedMs: number
  readonly modelMs: number
  readonly toolMs: number
  readonly otherMs: number
}

export type ExecutorDeps = ModelDeps & {
  readonly features: Features
  /** Which of the tools that a session shows stand in its prompts, by the model's window, tokens. */
  offered(windowTokens: number, shown: readonly ToolDefinition[]): readonly ToolDefinition[]
  /** Redis' time, ms: what is stored is judged by other machines too. */
  now(): number
  /** The prompt's clock line for a moment, in the operator's time zone. */
  clock(atMs: number): string
  /** Upper bound of a text's tokens. */
  estimate(text: string): number
  readonly limits: TurnLimits
  readonly historyTokens: number
  readonly sessionIdleMs: number
  /** A reply not begun within this time is stale (OpenClaw #29106, week-old replays). */
  readonly replyExpiresInMs: number
  /** Reserves for one model call the most that it may take. When a daily budget is used up, resolves to the command that raises it. */
  reserve(payer: ModelPayer, id: string, most: Spending): Promise<string | undefined>
  charge(payer: ModelPayer, id: string, spent: Spending): Promise<void>
  /** Asks a model what is no step of a turn. */
  readonly ask: Ask
  /** Whether an owner has the fleet do nothing by itself, as of a second ago at most. */
  isQuiet(): Promise<boolean>
  isOwner(principal: PrincipalId, conversation: ConversationId): Promise<boolean>
  /** A person's own time zone, where it is known. */
  findZone(principal: PrincipalId): Promise<string | undefined>
  /** How often somebody was answered lately whom it costs no tokens: `tell` says no more than that they are too fast, `silent` nothing. */
  pace(principal: PrincipalId, conversation: ConversationId): Promise<'answer' | 'tell' | 'silent'>
  /** They were answered, or told that they are too fast. */
  noteAnswer(principal: PrincipalId): void
  /** What somebody hears who is not let in; nothing when too many strangers were answered lately. */
  greet(stranger: PrincipalId, language: Language): Promise<string | undefined>
  /** Lets a chat or a server in, because an owner added the bot to it. */
  admitChat(chat: string, by: PrincipalId): Promise<void>
  /** Whether another executor of the fleet knows this kind of question, timer, command or tool, as `features.kinds` names it. */
  isKnownElsewhere(kind: string): Promise<boolean>
  /** What a person may do with a tool here; looked up for every call. */
  findRight(tool: Tool, principal: PrincipalId, conversation: ConversationId): Promise<Right>
  readonly toolTimeoutMs: number
  /** Resolves once all that was stored until now is on Redis' disk, or is older than what a crash may lose; it takes a second or two. */
  readonly settled?: () => Promise<void>
  /** Tells the operator where the time of an answer went. */
  readonly onEnded?: (conversation: ConversationId, timing: Timing) => void
  /** Tells the operator that a feature could not do what it wanted. */
  onFeatureFailed(feature: string, error: unknown): void
  /** Tells the operator that a context part was left out. */
  onPartFailed(part: string, error: unknown): void
}
