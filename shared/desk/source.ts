// Whatever waits for a person comes from a source. The desk says when a card comes and steps through it; the source says what stands on the card, and what an
// answer does. All throw BotError `store-unavailable`.
import { z } from 'zod'
import { conversationId, type PrincipalId } from '#shared/chat/conversation.ts'
import type { Language, Localised } from '#shared/chat/message.ts'
import type { CameOf } from '#shared/feature/came-of.ts'
import type { AnswerContext } from '#shared/feature/feature.ts'
import { askKinds } from '#shared/memory/asks.ts'
import { memoryScope } from '#shared/memory/record.ts'
import type { Taint } from '#shared/model/taint.ts'
import type { Choice, Loose } from '#shared/run/question.ts'

/** `keep`: whether something that was noticed is to be kept. */
export const deskKinds = [...askKinds, 'keep'] as const
export type DeskKind = (typeof deskKinds)[number]

/** What its source knows it by. `in`: where it arose, if what is answered may be for that chat, too. */
export const ref = z.object({ number: z.number(), id: z.string(), in: conversationId.exactOptional() })
export type Ref = z.infer<typeof ref>

export type Waiting = {
  readonly ref: Ref
  /** Its meaning: nothing is asked twice. */
  readonly key: string
  readonly kind: DeskKind
  /** As it stands in a list. */
  readonly text: string
  /** How much an answer is worth, 0–1: what is worth most is asked first. */
  readonly worth: number
  /** Ms since 1970. */
  readonly since: number
  /** Nobody needs the answer after that, ms since 1970. */
  readonly until?: number
  /** A card may come because of it; else it goes along on one that comes anyway. */
  readonly ripe: boolean
  readonly from: readonly CameOf[]
}

export type OnDesk = {
  readonly principal: PrincipalId
  readonly language: Language
  /** Words are waited for. */
  readonly typing: boolean
  /** The answer is to be known in the chat, too, where it arose. */
  readonly forChat: boolean
}

/** How one of them stands on the card. */
export type Shown = {
  readonly text: string
  /** What lists call the card. */
  readonly title: string
  /** The answers that are pressed, in rows. */
  readonly answers: readonly (readonly Choice[])[]
  /** The button for an answer in words. */
  readonly type: Choice
  /** It may be closed for ever. */
  readonly never: boolean
  /** The answer may be for the chat, too. */
  readonly chat: boolean
  readonly words: boolean
  readonly loose?: Loose
  /** In its place once it is answered in words. */
  ended(said: Pick<AnswerContext['event'], 'choice' | 'words'>): string
  readonly from: readonly CameOf[]
  readonly taint?: Taint
}

/** A record that an answer was kept as. */
export const saved = z.object({
  scope: memoryScope,
  number: z.number(),
  id: z.string(),
  /** It was known before: *Undo* leaves it. */
  had: z.literal(true).exactOptional(),
})
export type Saved = z.infer<typeof saved>

export type Answered =
  /** `missed`: it was to be known in the chat, too, and is not: the bot was put out of it, there is no room, or it is forgotten there. */
  | { readonly kind: 'kept'; readonly saved: readonly Saved[]; readonly missed?: true }
  /** The person wants nothing kept, or the answer tells nothing: what is assumed holds. */
  | { readonly kind: 'declined' }
  /** Nothing is changed; it is asked again. */
  | { readonly kind: 'refused'; readonly why: Localised }
  /** It was forgotten, or this same answer closed it before: `saved` is what it was kept as then. */
  | { readonly kind: 'gone'; readonly saved: readonly Saved[] }

export type DeskSource = {
  readonly name: string
  find(principal: PrincipalId, nowMs: number): Promise<readonly Waiting[]>
  /** Undefined where it is gone. */
  show(one: Ref, card: OnDesk): Promise<Shown | undefined>
  /** Of a button, or in words. Safe to repeat. */
  answer(context: Pick<AnswerContext, 'event' | 'principal' | 'about'>, one: Ref, card: OnDesk): Promise<Answered>
  /** They were asked, are too old, or are `never` to be asked again. Safe to repeat. */
  close(principal: PrincipalId, refs: readonly Ref[], how?: 'never'): Promise<void>
}
