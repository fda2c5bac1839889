// The words of /tools, as it says and understands them.
import type { Language, Localised } from '#shared/chat/message.ts'
import type { ToolEffect } from '#shared/model/tool.ts'
import type { Audience } from '#shared/run/tool-right.ts'

export const audienceNames: Readonly<Record<Audience, Localised>> = {
  everybody: { zh: '所有人', en: 'everybody' },
  owners: { zh: '主人', en: 'owners' },
  nobody: { zh: '谁也不能', en: 'nobody' },
}

export const effectNames: Readonly<Record<ToolEffect, Localised>> = {
  read: { zh: '什么都不改', en: 'changes nothing' },
  'write-local': { zh: '只改动这个对话', en: 'changes this conversation' },
  write: { zh: '会影响外部', en: 'changes things outside' },
  ask: { zh: '提问', en: 'asks people' },
}

export const usage: Readonly<Record<Language, string>> = {
  zh: '用法：`/tools <名称> everybody|owners|nobody|usual` 更改这个聊天；`/tools <名称> allow|deny|usual <编号>`，或回复那个人的消息，更改一个人（在所有聊天里）。`usual` 恢复默认；编号与 `/allow` 的一样。',
  en: 'Use `/tools <name> everybody|owners|nobody|usual` to change it for this chat, and `/tools <name> allow|deny|usual <id>`, or a reply to the person, to change it for one person in all chats. `usual` is as it was at first; an id is what `/allow` takes.',
}

/** Of a tool that is not there yet. */
export const toNotSetUp = (tool: string, setting: string, language: Language): string =>
  language === 'zh'
    ? `\`${tool}\` 还没有设置好：请管理员设置 \`${setting}\`，然后重新启动。\`infra/docs/tools.md\` 写明怎么填。`
    : `\`${tool}\` is not set up: my operator has to set \`${setting}\` and start me again. \`infra/docs/tools.md\` says what goes there.`

/** What /help tells of it. */
export const more: Localised = {
  zh: `会影响外部的操作要有人批准时，会有一张卡片询问；批准了 30 天的，列在工具下面，\`/tools revoke <编号>\` 提前收回。主人可以更改谁能用。${usage.zh}`,
  en: `Where a call that changes things outside needs an approval, a card asks for it. What was approved for 30 days stands below the tools, and \`/tools revoke <number>\` takes it back sooner. Owners change who may use what. ${usage.en}`,
}

export type Wish =
  | { readonly for: 'chat'; readonly audience: Audience }
  | { readonly for: 'person'; readonly right: 'allow' | 'deny' }
  /** As usual: of the person where one is named, else of the chat. */
  | { readonly for: 'either' }

const wishes: Readonly<Record<string, Wish>> = {
  everybody: { for: 'chat', audience: 'everybody' },
  owners: { for: 'chat', audience: 'owners' },
  nobody: { for: 'chat', audience: 'nobody' },
  所有人: { for: 'chat', audience: 'everybody' },
  主人: { for: 'chat', audience: 'owners' },
  关闭: { for: 'chat', audience: 'nobody' },
  allow: { for: 'person', right: 'allow' },
  deny: { for: 'person', right: 'deny' },
  允许: { for: 'person', right: 'allow' },
  禁止: { for: 'person', right: 'deny' },
  usual: { for: 'either' },
  默认: { for: 'either' },
}

export const readWish = (word: string): Wish | undefined =>
  Object.entries(wishes).find(([known]) => known === word.toLowerCase())?.[1]
