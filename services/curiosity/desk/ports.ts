// The ports of curiosity.
import type { Desks } from '#shared/desk/desks.ts'
import type { DeskSource, Waiting } from '#shared/desk/source.ts'
import type { Localised } from '#shared/chat/message.ts'
import type { CommandContext } from '#shared/feature/feature.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { Access, Ports } from '#shared/feature/ports.ts'
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import type { Ask } from '#shared/model/ask.ts'
import type { ReadingCounts } from '#services/curiosity/reading/counts.ts'

/** What memory refuses to keep, by a word for it and for people; undefined where it keeps it. */
export type Refuse = (
  text: string,
  where: { readonly group: boolean },
) => { readonly matter: string; readonly why: Localised } | undefined

/** Whether this person, or this chat, wants nothing made of what they say there: memory is paused. */
export type IsPaused = (where: {
  readonly principal: PrincipalId
  readonly conversation: ConversationId
}) => Promise<boolean>

/** What is open to who asks, and what waits to be asked behind it. */
export type TellOpen = (
  context: CommandContext,
  waiting: readonly Pick<Waiting, 'text' | 'from'>[],
) => readonly StepEffect<never>[]

/** Whether an owner has it stopped for everybody. */
export type Switch = {
  isQuiet(): Promise<boolean>
  setQuiet(on: boolean, by: PrincipalId): Promise<void>
}

export type CuriosityPorts = Pick<Ports, 'clock' | 'people' | 'records'> & {
  readonly access: Pick<Access, 'mayTalk' | 'isClosed'>
  readonly memory: MemoryStore
  readonly desks: Desks
  /** All that waits for people. */
  readonly sources: readonly DeskSource[]
  readonly incurious: Switch
  /** The operator's settings leave it out: nothing is collected, and no card comes. */
  readonly isOff?: boolean
  readonly refuse: Refuse
  readonly isPaused: IsPaused
  readonly tellOpen: TellOpen
  /** Without one the rules alone say what to ask. */
  readonly ask?: Ask
  readonly readingCounts: ReadingCounts
}
