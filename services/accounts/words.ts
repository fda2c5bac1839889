// How accounts are named, and what a card of linking says of them.
import { parseConversation, type Channel } from '#shared/chat/conversation.ts'
import type { Language, Localised } from '#shared/chat/message.ts'
import { toInertLine } from '#shared/feature/inert.ts'
import type { Account } from '#shared/memory/accounts.ts'

const mostNameChars = 60

export const channelNames: Readonly<Record<Channel, Localised>> = {
  telegram: { zh: 'Telegram', en: 'Telegram' },
  discord: { zh: 'Discord', en: 'Discord' },
  feishu: { zh: '飞书', en: 'Feishu' },
  web: { zh: '网页', en: 'the web page' },
  console: { zh: '终端', en: 'the terminal' },
}

/** `**Ann** on Telegram (`telegram:4711`)`: a name alone is anybody's. */
export function tellAccount({ principal, conversation, name }: Account, language: Language): string {
  const channel = channelNames[parseConversation(conversation).channel][language]
  const shown = name === undefined ? '' : toInertLine(name, mostNameChars)
  if (shown === '') return language === 'zh' ? `${channel}上的 \`${principal}\`` : `\`${principal}\` on ${channel}`
  return language === 'zh'
    ? `${channel}上的 **${shown}**（\`${principal}\`）`
    : `**${shown}** on ${channel} (\`${principal}\`)`
}

/** What both accounts see afterwards. */
export const shares: Localised = {
  zh: '两边都会看到、修改和忘掉我为你这个人记住的一切。权限、批准、预算、聊天记录和设置不共享；但若其中一个账号开着“群里用记忆”，在它的群里可能用到共用的一切。只有两个账号都是你的，才该关联。',
  en: 'Both accounts then see, change and forget all that I keep for you as a person. Rights, approvals, budgets, chats and settings are not shared; but where one of them has “Memory in groups” on, all of it may be told in its groups. Link them only if both are yours.',
}

export function tellCount(count: number, language: Language): string {
  if (language === 'zh') return count === 0 ? '没有什么' : `${count} 条`
  if (count === 0) return 'nothing'
  return count === 1 ? 'one thing' : `${count} things`
}
