// The one seam between services: a capability plugged into the executor. All that it does to a conversation it returns as effects.
//
// A feature is read and changed through its slice, a part of the conversation's state that it alone folds. The executor loads the slice,
// hands it to each function below, carries out the effects that come back, and stores what changed in the same unit as the step.
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import type { Classification, Depth } from '#shared/chat/decision.ts'
import type { AnswerEvent, EditEvent, ExpiredEvent, LetterEvent, MessageEvent, TimerEvent } from '#shared/chat/event.ts'
import type { Language, Localised } from '#shared/chat/message.ts'
import type { Tool } from '#shared/model/tool.ts'
import type { ApprovalWish, AwaitedCall, Refusal } from '#shared/run/approval.ts'
import type { Asked } from '#shared/run/question.ts'
import type { ContextPart } from './context-part.ts'
import type { Effect, StepEffect } from './effect.ts'
import type { Keep, Kept } from './kept.ts'
import type { CallLine, Left } from './left.ts'
import type { Marks, Worked } from './marks.ts'
import type { OpenQuestion } from './open-question.ts'
import type { PlanTaker } from './plan-taker.ts'
import type { Projection } from './projection.ts'
import type { Preferences, Setting } from './setting.ts'
import type { Slice } from './slice.ts'

/** `S` is its slice of a conversation's state, `C` a change of it. No two features share a name, or that of a command, a tool, a setting or a kind of question. */
export type Feature<S = unknown, C = unknown> = {
  /** 1–30 characters of `a-z 0-9 -`. */
  readonly name: string
  readonly slice?: Slice<S, C>
  readonly settings?: readonly Setting<S, C>[]
  readonly commands?: readonly Command<S, C>[]
  /**
   * As a function it gives a list that changes while the process runs: the same array until it does, and undefined while it is not known yet. A session
   * shows it as it was at its first turn; what is called is what there is then.
   */
  readonly tools?: readonly Tool<S, C>[] | (() => readonly Tool<S, C>[] | undefined)
  readonly context?: readonly ContextPart<S>[]
  /** What an answer does, by the kind's own name: `menu` of feature `config` is kind `config.menu`. */
  readonly questions?: Readonly<Record<string, QuestionRule<S, C>>>
  /** What is done when a timer fires, by the timer's own name. */
  readonly timers?: Readonly<Record<string, TimerRule<S, C>>>
  /** What is done when a letter comes, by the letter's own name: in the conversation that it is for. */
  readonly letters?: Readonly<Record<string, LetterRule<S, C>>>
  /** How the bot is to speak and think in this conversation, as far as the feature says. */
  prefers?(slice: S): Preferences
  /** A message that was answered already was edited. */
  edited?(context: EditContext<S>): readonly Effect<C>[]
  /** Buttons under an answer, for its asker and administrators, gone with the next reply. */
  under?(answered: Replied<S>): Asked | undefined
  /** What is said before a whole answer, to people alone: no draft, history or record has it, and nobody works on it. */
  readonly marks?: Marks<S>
  /** Takes over the work of a plan that the model begins its first answer with, of a request that goes deep. One feature has it. */
  readonly plans?: PlanTaker<S, C>
  /** Says which calls need no person's approval here. One feature has it. */
  readonly approvals?: {
    /** Whether an owner approved such calls in this conversation for good; `refuse`: why nobody is asked, for the model. */
    covers(slice: S, call: AwaitedCall, conversation: ConversationId): boolean | Promise<boolean>
    refuse?(slice: S, wish: ApprovalWish): Promise<Refusal | undefined>
  }
  /** May a turn go on? Asked each second. */ goesOn?(of: Pick<Asking<S>, 'slice' | 'conversation'>): Promise<boolean>
  /** A turn ends; what this wants done, within five seconds, is done in the unit that ends it. */
  ended?(turn: EndedTurn<S>): readonly StepEffect<C>[] | Promise<readonly StepEffect<C>[]>
  /** What is made of turns afterwards, out of their records. */ readonly after?: readonly Projection[]
}

/** Where a feature is asked. */
export type Asking<S = unknown> = {
  readonly conversation: ConversationId
  /** The number of the task that it is asked in. */ readonly task?: number
  readonly principal: PrincipalId
  readonly language: Language
  /** Platform ids of the messages that it is about: the command's own, or those that the answered question came from. What is kept of them goes with them. */
  readonly about: readonly string[]
  /** Keeps words of the event that it is asked about, of what its question, timer or letter carried, or of what anybody chose in it. */
  readonly keep: Keep
  readonly owner: boolean
  readonly slice: S
  readonly state: ConversationView
  /** Id of the choice of a setting that holds. */ holds(setting: string): Promise<string>
  /** The person's own time zone, as `Intl` knows it, where it is known; else `askForZone` asks. */
  zone(): Promise<string | undefined>
  /** A text that is kept whole beside the conversation, or the task. */ findArtifact(
    name: string,
  ): Promise<Kept | undefined>
}
/** The conversation as features see it. */
export type ConversationView = {
  readonly sessionId: string
  /** The language that was set; else each message says it. */
  readonly language: Language | undefined
  readonly exchanges: number
  /** Messages of this session that no longer fit. */ readonly fellOut: number
  /** Messages of this session that a summary stands for. */ readonly summed: number
  /** How somebody is called here, in a group. */
  nameOf(principal: PrincipalId): string | undefined
  /** Questions that are open here, shown and waiting, the most urgent of each first. */
  questions(): readonly OpenQuestion[]
  readonly busy: { readonly principal: PrincipalId; readonly sinceMs: number } | undefined
  readonly lastText: string | undefined
  /** Platform ids of the messages that the last turn was about, but for what it only quoted; none once they are forgotten. */
  readonly lastAbout: readonly string[]
  /** The row of the last answer while its buttons hold. */ readonly lastCard: string | undefined
  /** What was said in this session as lines `name: text`, oldest first, also what was summed up; and the platform ids of the messages in it. */
  transcript(): Promise<{ readonly lines: readonly string[]; readonly about: readonly string[] }>
  knows(messageId: string): boolean
  isForgotten(messageId: string): boolean
}

export type CommandContext<S = unknown> = Asking<S> & {
  readonly event: MessageEvent
  readonly args: string
  /** All commands, for /help. */
  readonly commands: readonly CommandInfo[]
}
/** What router, adapters and menus know of a command. */
export type CommandInfo = {
  readonly name: string
  readonly help: Localised
  /** What `/help` of it alone tells further, in Markdown: each of its forms, with an example. */
  readonly more?: Localised
  /** Where `/help` lists it; among what people say every day when left out. */
  readonly topic?: 'time' | 'chat'
  /** It is of use to owners alone, in groups alone, or in direct chats alone: `/help` leaves it out elsewhere. The command itself refuses. */
  readonly only?: 'owners' | 'groups' | 'direct'
  /** May be used by people who have no access yet. */
  readonly open?: boolean
  /** In a group only for owners and administrators: always, or when something is written after it. `may-ask`: the command decides. */
  readonly admins?: 'always' | 'with-args' | 'may-ask'
}
export type Command<S = unknown, C = unknown> = CommandInfo & {
  /** Reads only, so it is answered at once, also while a turn runs; where it depends, by what stands behind it. */
  readonly readsOnly?: boolean | ((args: string) => boolean)
  run(context: CommandContext<S>): Promise<readonly Effect<C>[]>
}

/** A won press, or words that won; `event.payload` is what its question kept, and `event.words` what was said where it takes words. */
export type AnswerContext<S = unknown> = Asking<S> & { readonly event: AnswerEvent }
export type QuestionRule<S = unknown, C = unknown> = {
  answer(context: AnswerContext<S>): Promise<readonly Effect<C>[]>
  /**
   * It ended without an answer: by its deadline, since its card could not be sent, a newer one on its topic took its place, or it was called off; or it was
   * pressed before the bot had read what was said since, where it guards something (`stales`). When left out its card loses its buttons and nothing more is
   * done. Only after its deadline, and where a press was stale, may it ask again; the new card is then to quote what was not read.
   */
  expired?(context: ExpiredContext<S>): Promise<readonly Effect<C>[]>
  /** What it was about is to be forgotten: what it kept is not told. */
  forgotten?(context: Asking<S>): Promise<readonly Effect<C>[]>
}
/** `event.payload` is what the question kept. */
export type ExpiredContext<S = unknown> = Asking<S> & {
  readonly event: ExpiredEvent
  /** Where a press was stale: what was not read, unless it is forgotten or not kept. */
  readonly unread?: Unread
}
/** At most 300 characters, as `by` wrote them. */
export type Unread = { readonly text: string; readonly by: PrincipalId }

/** A timer that fired; `event.payload` is what it was armed with. It is asked once. */
export type TimerContext<S = unknown> = Asking<S> & { readonly event: TimerEvent }
export type TimerRule<S = unknown, C = unknown> = {
  due(context: TimerContext<S>): Promise<readonly Effect<C>[]>
}

/** A letter that the feature wrote in the conversation `event.from`, for `principal`, whose rights here nobody has looked at. It is asked once. */
export type LetterContext<S = unknown> = Asking<S> & { readonly event: LetterEvent }
export type LetterRule<S = unknown, C = unknown> = {
  came(context: LetterContext<S>): Promise<readonly Effect<C>[]>
  /** Instead, where what it asks cannot be asked here: too many questions wait already. */
  refused?(context: LetterContext<S>): Promise<readonly Effect<C>[]>
}

export type EditContext<S = unknown> = Pick<Asking<S>, 'language' | 'slice'> & { readonly event: EditEvent }

/** A reply of the model, or what is said where it failed and may be asked again. */
export type Replied<S = unknown> = Pick<Left & Asking<S>, 'ending' | 'language' | 'about' | 'slice'> & {
  readonly text: string
  /** A limit or a failure ended it before it was done. */ readonly unfinished: boolean
  /** Tools were used in it, or in the turn that it goes on with. */ readonly worked: boolean
  readonly depth: Depth
  /** Others see it too. */ readonly group: boolean
  /** Who asked for it, before anybody had it rewritten. */
  readonly asker: PrincipalId
  /** Why its own parts of the prompt were given. */ readonly given: readonly string[]
}

export type EndedTurn<S = unknown> = Worked &
  Left &
  Pick<Asking<S>, 'conversation' | 'task' | 'principal' | 'language' | 'about' | 'keep' | 'slice'> & {
    /** Its name, unique in the conversation. */
    readonly turn: string
    readonly class: Classification
    readonly begunAt: number
    /** The shown name of who asked, in a group, and what the group is called, where that is known. */
    readonly name?: string | undefined
    readonly title?: string | undefined
    /** Read and written by the model. */ readonly tokens: number
    /** What people asked in it. */
    readonly asked: string
    /** What was answered. */ readonly text: string
    /** Each call, in order, with what it came to. */ callLines(): readonly CallLine[]
  }
