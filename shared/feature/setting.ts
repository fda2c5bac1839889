// A setting of a chat, or a person's own: listed once by its feature, shown by /config, and a command of its own where it names one.
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import type { Depth } from '#shared/chat/decision.ts'
import type { Language, Localised } from '#shared/chat/message.ts'

/** The parts of CONFIG.md (seed 000 §4.4), in their order. */
export const sections = ['Preferences', 'Routing', 'Memory', 'Checkpoints'] as const
export type Section = (typeof sections)[number]

/** Ids are 1–20 characters of `a-z 0-9 _`; no two settings share one. */
export type Setting<S = unknown, C = unknown> = {
  readonly id: string
  readonly label: Localised
  /**
   * Whose it is: the chat's when left out. A `person`'s own holds for them in every conversation and is kept outside of all by `choose`, as
   * `createOwnSetting` makes it. In a group it is neither shown nor changed.
   */
  readonly of?: 'person'
  /** Where CONFIG.md has it, by a key that no other has; among the preferences, by its id, when left out. */
  readonly entry?: { readonly section: Section; readonly key: string }
  /** Only the bot's owners choose: what costs them. Others see it. */
  readonly onlyOwners?: true
  /** Left out of the menus of chats that have no such setting. */
  isFor?(chat: { readonly group: boolean }): boolean
  /** Id of the choice that holds. */
  holds(asked: Chooser & { readonly slice: S }): string | Promise<string>
  readonly choices: readonly SettingChoice<C>[]
  /** Makes a choice that is kept outside of the conversation. May be repeated. */
  choose?(choice: string, by: Chooser): Promise<void>
  /** What keeps a choice from doing what it says, told where it is made; undefined where nothing does. */
  caution?(choice: string, conversation: ConversationId): Promise<Localised | undefined>
  /** The command that makes a choice by its name, and else shows them. */
  readonly command?: { readonly name: string; readonly help: Localised }
}

/** Who looks at a setting or chooses, and where. */
export type Chooser = { readonly principal: PrincipalId; readonly conversation: ConversationId }

export type SettingChoice<C = unknown> = {
  readonly id: string
  readonly label: Localised
  /** Sentences, where the label does not say it all. */
  readonly meaning?: Localised
  /** What it changes of its feature's slice. */
  readonly change?: C
  /** The language to go on in once it is made. */
  readonly language?: Language
}

/** What settings say of how the bot is to answer in a conversation. */
export type Preferences = {
  readonly language?: Language | undefined
  readonly depth?: Depth | undefined
  /** Name of the model that is to answer. */
  readonly model?: string | undefined
}
