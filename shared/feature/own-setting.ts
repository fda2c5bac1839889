// A setting of a person: kept with what the fleet knows of them, by principal, so that it holds in every conversation at once.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { People } from './ports.ts'
import type { Setting, SettingChoice } from './setting.ts'

export type OwnSetting<Choice extends string> = {
  /** For the settings of its feature. */
  readonly setting: Setting<unknown, never>
  /** What a person chose, or else the usual. It is asked each time and kept nowhere, so that a choice holds at once. Throws BotError `store-unavailable`. */
  find(principal: PrincipalId): Promise<Choice>
}

type Told<Choice extends string> = Pick<Setting, 'id' | 'label' | 'entry' | 'command'> & {
  readonly choices: readonly (Pick<SettingChoice, 'label' | 'meaning'> & { readonly id: Choice })[]
  /** What holds of who has not chosen, and where a choice is none any more. */
  readonly usual: NoInfer<Choice>
}

/** The feature asks by `find` what a person chose: in a context part, a tool or a reader. */
export function createOwnSetting<const Choice extends string>(
  people: Pick<People, 'findChoice' | 'setChoice'>,
  { usual, ...told }: Told<Choice>,
): OwnSetting<Choice> {
  const find = async (principal: PrincipalId): Promise<Choice> => {
    const chosen = await people.findChoice(principal, told.id)
    return told.choices.find(({ id }) => id === chosen)?.id ?? usual
  }
  return {
    find,
    setting: {
      ...told,
      of: 'person',
      holds: ({ principal }) => find(principal),
      choose: (choice, { principal }) => people.setChoice(principal, told.id, choice),
    },
  }
}
