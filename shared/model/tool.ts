// A tool the model may call. Its effect says what rights it needs; its crash rule says what a restarted worker does with it.
import type { PrincipalId, ConversationId } from '#shared/chat/conversation.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { OpenQuestion } from '#shared/feature/open-question.ts'
import type { People } from '#shared/chat/people.ts'
import type { Language, Localised } from '#shared/chat/message.ts'
import type { Keep, Kept, Retold } from '#shared/feature/kept.ts'
import type { CameOf } from '#shared/feature/came-of.ts'
import type { Taint } from './taint.ts'

export type ToolEffect = 'read' | 'write-local' | 'write' | 'ask'
export type OnCrash = 'rerun' | 'rerun-with-key' | 'ask'

/** What an owner may approve for good beyond the very same arguments: calls that agree in this are alike enough. */
export type ApprovalScope = {
  /** The argument whose host, or host and path, is compared; the root of a host is no path. */
  readonly argument: string
  readonly by: 'host' | 'path'
  /** Further arguments that must be the very same. */
  readonly same?: readonly string[]
  /** Whether calls like this one may be alike at all; all may when left out. Pure; of unchecked input, as for `run`. */
  only?(input: unknown): boolean
}

/** `S` is the slice of the feature that brings the tool. */
export type ToolContext<S = unknown> = {
  readonly conversation: ConversationId
  readonly principal: PrincipalId
  readonly language: Language
  /** Platform ids of the messages that the turn is about: what is kept of them goes with them. */
  readonly about: readonly string[]
  /** The same for every run of the same call; a tool that honours it has its effect once. */
  readonly idempotencyKey: string
  readonly slice: S
  /** What others wrote that the model had read when it made this call. */
  readonly taint: Taint
  /** Keeps words of its input. Throws where `isPrivate`. */
  readonly keep: Keep
  /** The turn works on what a person answered in private: nothing of it is kept where others read. */
  readonly isPrivate: boolean
  /**
   * What was said in this session, exchange by exchange as lines `name: text`, the oldest first: also what a summary stands for now. Without what is
   * forgotten, and what is for others' eyes alone.
   */
  said(): Promise<readonly Kept[]>
  /** What the turn is for: what was asked, or the task that waited for the answer it goes on with. */
  readonly task: string
  /** Others read what is said here. */
  readonly group: boolean
  /** People of a group, by how they are called here. */
  readonly people: People
  /** Questions that are open here, shown and waiting. */
  questions(): readonly OpenQuestion[]
  /** The person's own time zone, as `Intl` knows it, where it is known; else `askForZone` asks. */
  zone(): Promise<string | undefined>
  /** A text that is kept whole beside this conversation. */
  findArtifact(name: string): Promise<Kept | undefined>
}

/** What the model reads: a text of the bot's own or of others, or one made of what was kept, which alone knows that it is a person's. */
type Read = { readonly text: string; readonly source: 'own' | 'others' } | { readonly text: Retold }

export type ToolResult<C = unknown> = Read & {
  /** What others wrote that it was made of, beside what its text knows itself. */
  readonly taint?: Taint
  /** Messages that it was made of, of whatever conversations: the turn goes when one of them is forgotten there. The newest hundred count. */
  readonly cameOf?: readonly CameOf[]
  /** The artifact that it is read from. */
  readonly artifact?: string | undefined
  /** Carried out in the unit that journals the result. */
  readonly effects?: readonly StepEffect<C>[]
  /** Ends the turn with this step: an answer to what it asked begins another. */
  readonly ends?: 'suspended'
  /** What people are told that it waits for, at most 1,000 characters, in place of the usual sentence: what was asked stands elsewhere. */
  readonly waits?: string
}

/** `S` and `C` are the slice of the feature that brings it, and a change of that. */
export type Tool<S = unknown, C = unknown> = {
  readonly name: string
  /** For the model, in English. */
  readonly description: string
  /** What it does, as people are told; where it is left out, the first sentence of the description. */
  readonly summary?: Localised
  /** JSON Schema of the arguments, as shown to the model. */
  readonly parameters: Record<string, unknown>
  readonly effect: ToolEffect
  /** As a function it judges each call: pure, of unchecked input, as for `run`. */
  readonly onCrash: OnCrash | ((input: unknown) => OnCrash)
  /**
   * Where a prompt has no room for all tools: `always` stays in every list, `rare` is the first to be found by searching only, and `search` is
   * the way to what is not listed. The usual ones when left out.
   */
  readonly listing?: 'always' | 'rare' | 'search'
  /**
   * The argument that leaves the house as the model wrote it: an address that is opened, or a query that a service is asked. Where the model has
   * read what others wrote, the gateway refuses addresses that the model could have made up, and takes out of queries what is not the person's.
   */
  readonly sends?: { readonly what: 'address' | 'query'; readonly argument: string }
  /** One line on what a call would do, for people. Pure; of unchecked input, as for `run`. */
  brief?(input: unknown): string | undefined
  /** Of a `write`: whether this call changes nothing. Pure; of unchecked input, as for `run`. */
  onlyReads?(input: unknown): boolean
  /** Whether it cannot be taken back: then a person is asked each time, and twice. Pure; of unchecked input, as for `run`. */
  destructive?(input: unknown): boolean
  /**
   * Of a `write`: the call that takes this one back, of whatever tool; undefined where nothing does. It is offered where the work is rolled back. Pure; of unchecked
   * input, as for `run`; `result` is what the call came to.
   */
  undo?(input: unknown, result: string): { readonly tool: string; readonly input: unknown } | undefined
  /** What of a call an owner may approve for good; only the very same arguments where it is left out. */
  readonly scope?: ApprovalScope
  /** The tool that does the same another way, with the same arguments: the executor tries it when this one fails. */
  readonly insteadOf?: string
  /** The same with less asked for, when a call failed; undefined when it cannot be less. Pure; of unchecked input, as for `run`. */
  smaller?(input: unknown): unknown
  /** Throwing is a tool failure that the model reads. `input` is parsed JSON, unchecked. */
  run(input: unknown, context: ToolContext<S>, signal: AbortSignal): Promise<ToolResult<C>>
}
