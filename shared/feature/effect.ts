// What a feature's step wants done, as data. The executor carries it out in the same unit as the step, so that a crash leaves all of it
// or none.
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import type { Depth } from '#shared/chat/decision.ts'
import type { Source } from '#shared/model/source.ts'
import type { Taint } from '#shared/model/taint.ts'
import type { OutBody, OutFile } from '#shared/run/out-row.ts'
import type { Asked, Question } from '#shared/run/question.ts'
import type { ApprovedCall, HumanResponse, UnsureCall } from '#shared/run/approval.ts'
import type { Cancel } from '#shared/run/step.ts'
import type { CameOf } from './came-of.ts'

/** `key` names a question for its own feature; the title is 200 characters at most. */
export type Listed = { readonly key: string; readonly title: string }

/**
 * A message that another one may change later: the feature names it, in the conversation or the task, by 1–40 characters of `a-z 0-9 -`, each name once. `replaces`
 * is the name of the message whose place it takes: by an edit, or as a new one where that is not known any more.
 */
export type Named = { readonly named?: string; readonly replaces?: string }

/** What a tool's step, or the end of a turn, may want done. `C` is a change of the feature's own slice. */
export type StepEffect<C = unknown> =
  | (Named & {
      readonly kind: 'send'
      readonly text: string
      /** Platform ids of the messages whose texts it repeats; those that the step is about when left out. */
      readonly about?: readonly string[]
      /** What others wrote that it repeats, beside what the step comes of (`tell` of `kept.ts`). */
      readonly taint?: Taint
      /** Messages that it repeats, of whatever conversations: it goes when one of them is forgotten there. The newest hundred count. */
      readonly cameOf?: readonly CameOf[]
      readonly file?: OutFile
      /** instead of the card just answered */ readonly inPlace?: boolean
    })
  /** Sends a body as it was made before. */
  | { readonly kind: 'show'; readonly body: OutBody }
  | (Asked &
      Named & {
        readonly kind: 'ask'
        readonly text: string
        /** Of what it repeats beside what the step is about (`tellAsking` of `kept.ts`): as of what is sent. It ends where one of them is forgotten. */
        readonly about?: readonly string[]
        readonly taint?: Taint
        /** As of what is sent. */
        readonly cameOf?: readonly CameOf[]
        /** Who may answer, if not whom the step serves; `*`: anyone of the chat. */
        readonly owner?: Question['owner']
        /** Chat administrators and owners may answer too. */
        readonly admins?: boolean
        /** The conversation whose matter it is, where that is another one: its answer and its end name it. */
        readonly from?: ConversationId
        readonly inPlace?: boolean
        /** Below its text stands until when it may be answered, in this zone, counted from when it is asked. */
        readonly zone?: string
        /** How it stands among the questions that are open here (`ConversationView.questions`); the beginning of its text when left out. */
        readonly listed?: Listed
      })
  /** Changes the feature's own slice. */
  | { readonly kind: 'change'; readonly change: C }
  /** Makes a choice of a setting, of whatever feature. */
  | { readonly kind: 'choose'; readonly setting: string; readonly choice: string }
  /** Begins a new session, with an empty history. */
  | { readonly kind: 'new-session' }
  /**
   * Arms one of the feature's timers, or arms it anew: after `inMs` the feature's rule for it is asked, for whom the step serves. Several of one
   * kind differ by their key.
   */
  | {
      readonly kind: 'timer'
      readonly timer: string
      /** 1–60 characters of `a-z A-Z 0-9 _ -`. */
      readonly key?: string
      readonly inMs: number
      readonly payload: string
    }
  /** A timer of the feature's is not to fire any more. */
  | { readonly kind: 'disarm'; readonly timer: string; readonly key?: string }
  /**
   * Tells another conversation: there the feature's rule for this letter is asked, once, for whom this step serves. Letters to one conversation
   * come in the order in which they were written.
   */
  | {
      readonly kind: 'letter'
      readonly to: ConversationId
      readonly letter: string
      /** At most 8,192 bytes. */
      readonly payload: string
    }
  /**
   * Keeps a text whole under a name of its own (`shared/run/artifact.ts`), at most 262,144 bytes; what was kept under it goes. `source`: the bot's own words
   * when left out, and others' where anything of others is in it. A task has room for 2,000 and 24 MB: a step that wants more is refused, as one that fails.
   */
  | {
      readonly kind: 'artifact'
      readonly name: string
      readonly text: string
      readonly source?: Source
      /** Platform ids of messages that it repeats, beside those that the step is about (`keepWhole` of `kept.ts`). */
      readonly about?: readonly string[]
      /** What others wrote that it repeats, beside what the step comes of. */
      readonly taint?: Taint
    }
  /**
   * Tells a task of this conversation by its number, or from a task its conversation (`home`) or itself (`self`): there the feature's rule for this letter is
   * asked, once. It comes with this step. `begins`: a number that was never used begins a task. `stops`: what the task does now for whom this step serves ends.
   * For a task that is gone nothing is done.
   */
  | {
      readonly kind: 'signal'
      readonly to: number | 'home' | 'self'
      readonly letter: string
      /** At most 65,536 bytes. */
      readonly payload: string
      /** Whom it is for, if not whom this step serves. */
      readonly serves?: PrincipalId
      readonly begins?: true
      readonly stops?: true
    }
  /** What is kept whole under this name goes. */
  | { readonly kind: 'drop-artifact'; readonly name: string }
  /** A task of this conversation goes, with all that it keeps. */
  | { readonly kind: 'drop-task'; readonly task: number }
  /** What somebody did with an answer, for those who learn from it: on the message that shows it, or on the last answer to a message. */
  | {
      readonly kind: 'feedback'
      readonly what: string
      readonly value?: string
      readonly on: { readonly card: string } | { readonly message: string }
    }
  /** Open questions with a deadline are called off; each is then an expiry of its own feature's. */
  | { readonly kind: 'cancel'; readonly which: Cancel }
  /** Blanks messages of the history, by their platforms' ids, and what was answered to them. */
  | { readonly kind: 'forget'; readonly about: readonly string[] }

/**
 * Begins a turn on this text, as if its sender had just written it. `last`: what it does with the last answer; the question that is asked
 * again by /retry stays the one before. `depth` is standard when left out.
 */
export type TurnEffect = {
  readonly kind: 'turn'
  readonly text: string
  readonly last?: 'rewrite' | 'continue'
  /** Platform ids of the messages that the text comes from; those of the turn before when left out. */
  readonly about?: readonly string[]
  /** What others wrote that the text repeats, beside what the step comes of. */
  readonly taint?: Taint
  /** Whose answer it is, if not whom the step serves. */
  readonly asker?: PrincipalId
  /** Whom it serves, where a letter brings what another answered: for whom the feature's question was asked in this conversation. */
  readonly serves?: PrincipalId
  readonly depth?: Depth
  /** What features look for that add to its prompt, where the text says much more than that: at most 2,000 characters. */
  readonly seeks?: string
  /** Others read the answer: said where no message tells that. */
  readonly group?: true
  /** All of the text is our own: nobody’s words are in it. */
  readonly isOwn?: boolean
  /** Who alone may see the text: somebody answered it in private. It goes to no prompt of others, and no command shows it. */
  readonly for?: PrincipalId
  /** It goes on with what was asked of a person, whose answer the text is. */
  readonly response?: HumanResponse
  /** What a person approved of an earlier turn: made first, as it stands here, for whom the turn serves. */
  readonly calls?: readonly ApprovedCall[]
  /** Calls of the turn that it goes on with which may have been made: repeated as they were, they have the keys that they had. */
  readonly unsure?: readonly UnsureCall[]
}

/** All that may be done where no conversation is open. */
export type LetterEffect = Extract<StepEffect, { kind: 'letter' }>

/** What a command, an edit or an answer may want done. */
export type Effect<C = unknown> = StepEffect<C> | TurnEffect
