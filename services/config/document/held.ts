// Which settings a chat has, the words in which menus and commands tell what holds of one, and what makes a choice.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Language } from '#shared/chat/message.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { Setting, SettingChoice } from '#shared/feature/setting.ts'

type Chat = { readonly group: boolean }

/** Those of a chat: in a group nobody's own, since everybody reads what is shown there. */
export const settingsFor = (settings: readonly Setting[], chat: Chat): readonly Setting[] =>
  settings.filter((setting) => (setting.isFor?.(chat) ?? true) && !isElsewhere(setting, chat))

/** Whether it is chosen in the direct chat alone, and this is none. */
export const isElsewhere = ({ of }: Setting, { group }: Chat): boolean => group && of === 'person'

/** Setting and choice, without a full stop. */
export function toHeld(setting: Setting, choice: string, language: Language): string {
  const label = setting.choices.find(({ id }) => id === choice)?.label[language] ?? choice
  return `${setting.label[language]}${language === 'zh' ? '：' : ': '}${label}`
}

type Said = { readonly choice: string; readonly language: Language }

/** And what the choice means, where its label does not say it all. */
export function withMeaning(text: string, setting: Setting, { choice, language }: Said): string {
  const meaning = setting.choices.find(({ id }) => id === choice)?.meaning
  return meaning ? `${text}\n\n${meaning[language]}` : text
}

/** And what keeps the choice from doing what it says. */
export async function withCaution(
  text: string,
  setting: Setting,
  { choice, language, conversation }: Said & { readonly conversation: ConversationId },
): Promise<string> {
  const caution = await setting.caution?.(choice, conversation)
  return caution ? `${text}\n\n${caution[language]}` : text
}

/** What makes a choice that is kept in the conversation; nothing for any other. */
export function toChoose({ id: setting }: Setting, { id, change }: SettingChoice): readonly StepEffect[] {
  return change === undefined ? [] : [{ kind: 'choose', setting, choice: id }]
}
