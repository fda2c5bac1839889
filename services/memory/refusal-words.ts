// What is said of a text that is not kept.
import type { Localised } from '#shared/chat/message.ts'
import type { Refusal } from './refuse.ts'

export const refusals: Readonly<Record<Refusal, Localised>> = {
  secret: {
    zh: '这看起来是密码、密钥或卡号。我不记这类东西，请把它放在密码管理器里；要让我忘掉这条消息，用 /forget 回复它。',
    en: 'That looks like a password, a key or a card number. I never keep these: a password manager does. Reply with /forget to that message, and I forget it.',
  },
  right: {
    zh: '权限和“以后都照办”这样的授权不能靠记忆给出。工具的权限由主人用 `/tools` 设定。',
    en: 'Rights and standing orders cannot be given by memory. An owner sets with `/tools` who may use what.',
  },
  health: {
    zh: '在群里我不记关于某人健康的事。可以在私聊里告诉我。',
    en: 'In a group I keep nothing about a person’s health. You can tell me in a direct chat.',
  },
  money: {
    zh: '在群里我不记关于某人钱财的事。可以在私聊里告诉我。',
    en: 'In a group I keep nothing about a person’s money. You can tell me in a direct chat.',
  },
  identity: {
    zh: '在群里我不记身份证件号码这类东西。可以在私聊里告诉我。',
    en: 'In a group I keep no identity numbers. You can tell me in a direct chat.',
  },
}
