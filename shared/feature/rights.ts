// Who may change what holds for a whole chat: in a group the bot's owners, and people whom the platform calls administrators of that
// very group. An administrator who posts under the group's name cannot be told from others who do, so that nobody asks the platform
// about them. In a direct chat everybody may.
import type { Language, Localised } from '#shared/chat/message.ts'
import type { StepEffect } from './effect.ts'
import type { Command, CommandInfo } from './feature.ts'
import { say } from './say.ts'
import type { Setting } from './setting.ts'

export const notAllowed: Localised = {
  zh: '只有主人和管理员可以这样做。',
  en: 'Only owners and admins can do this here.',
}

/** Whether it matters for a command who of a group sends it. */
export const asksRank = ({ admins }: Pick<CommandInfo, 'admins'>, args: string): boolean =>
  admins === 'may-ask' || isForAdmins({ admins }, args)

/** Whether a command is for owners and administrators of a group alone. */
export const isForAdmins = (
  { admins }: { readonly admins?: CommandInfo['admins'] | undefined },
  args: string,
): boolean => admins === 'always' || (admins === 'with-args' && args.trim() !== '')

/** Whether a command with this behind it only reads. */
export const onlyReads = ({ readsOnly = false }: Pick<Command, 'readsOnly'>, args: string): boolean =>
  typeof readsOnly === 'function' ? readsOnly(args) : readsOnly

type Sender = { readonly owner: boolean; readonly event: { readonly senderIsAdmin?: boolean | undefined } }

export function mayChange(group: boolean, { owner, event }: Sender): boolean {
  return !group || owner || event.senderIsAdmin === true
}

export const notForOthers: Localised = {
  zh: '只有机器人的主人可以选择这一项。',
  en: 'Only the bot’s owners choose this.',
}

/** Who may choose a setting that only owners may is not who may change the others. */
export const mayChoose = ({ onlyOwners }: Pick<Setting, 'onlyOwners'>, group: boolean, sender: Sender): boolean =>
  onlyOwners ? sender.owner : mayChange(group, sender)

export const sayNotAllowed = (language: Language): readonly StepEffect<never>[] =>
  say(language, notAllowed.zh, notAllowed.en)
