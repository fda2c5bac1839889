// Who may change what holds for a whole chat: in a group the bot's owners, and people whom the platform calls administrators of that
// very group; an administrator who hides behind the group's name is nobody in particular, and so is not asked. Elsewhere everybody.
import type { Language, Localised } from '#shared/chat/message.ts'
import type { Effect } from '#shared/feature.ts'
import { say } from './say.ts'

export const notAllowed: Localised = {
  zh: '只有主人或本群的管理员（不匿名时）可以修改。',
  en: 'Only an owner, or an administrator of this group who does not post anonymously, can change this.',
}

type Sender = { readonly owner: boolean; readonly event: { readonly senderIsAdmin?: boolean | undefined } }

export function mayChange(group: boolean, { owner, event }: Sender): boolean {
  return !group || owner || event.senderIsAdmin === true
}

export const sayNotAllowed = (language: Language): readonly Effect[] => say(language, notAllowed.zh, notAllowed.en)
