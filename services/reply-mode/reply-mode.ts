// When the bot answers in a group, as a setting. It holds for the whole chat, so it is kept with the chat's rights.
import { replyModes, toChat, type ReplyMode } from '#shared/chat/conversation.ts'
import type { Localised } from '#shared/chat/message.ts'
import type { Capability } from '#shared/feature/capability.ts'
import type { Feature } from '#shared/feature/feature.ts'
import type { Access, Ports } from '#shared/feature/ports.ts'
import type { Setting } from '#shared/feature/setting.ts'

type ModeDeps = Pick<Access, 'findMode' | 'setMode' | 'hearsAll'>

const command: NonNullable<Setting['command']> = {
  name: 'mode',
  help: {
    zh: '群里什么时候回答：mention、always 或 observe',
    en: 'when to answer in this group: mention, always or observe',
  },
}

export const replyModeCapability: Capability<Pick<Ports, 'access'>> = {
  settings: [{ command }],
  create: ({ access }) => createReplyMode(access),
}

const meanings: Readonly<Record<ReplyMode, Localised>> = {
  mention: {
    zh: '只在被提到、被回复或收到命令时回答；其他消息不记录。',
    en: 'I answer when mentioned, replied to or commanded; I keep nothing else that is said here.',
  },
  always: { zh: '每条消息都回答，也会记住。', en: 'I answer every message here, and remember it.' },
  observe: {
    zh: '只阅读和记住，除命令外不回答。',
    en: 'I only read and remember what is said here, and answer nothing but commands.',
  },
}

/** https://core.telegram.org/bots/features#privacy-mode; no other platform has such a mode. */
const deaf: Localised = {
  zh: '但是 Telegram 的隐私模式还开着，群里只有提到我、回复我的消息和命令会传给我，其他消息我收不到。请向 @BotFather 发送 /setprivacy，选择这个机器人，再选 Disable，然后把我移出本群并重新加入；或者让我当本群管理员。',
  en: 'But Telegram’s privacy mode is on, so in groups I get only mentions, replies to me and commands; other messages do not reach me. Send @BotFather /setprivacy, choose this bot, then Disable; after that remove me from this group and add me again. Or make me an administrator here.',
}

const words: Readonly<Record<ReplyMode, Localised>> = {
  mention: { zh: '被提到时', en: 'when mentioned' },
  always: { zh: '总是', en: 'always' },
  observe: { zh: '只阅读', en: 'read only' },
}

function createReplyMode(deps: ModeDeps): Feature {
  return {
    name: 'reply-mode',
    settings: [
      {
        id: 'mode',
        label: { zh: '群里何时回答', en: 'When I answer here' },
        entry: { section: 'Routing', key: 'replyMode' },
        isFor: ({ group }) => group,
        holds: ({ conversation }) => deps.findMode(toChat(conversation)),
        choices: replyModes.map((id) => ({ id, label: words[id], meaning: meanings[id] })),
        async choose(choice, { conversation }) {
          const wanted = replyModes.find((known) => known === choice)
          if (wanted) await deps.setMode(toChat(conversation), wanted)
        },
        caution: async (choice, conversation) =>
          choice === 'mention' || (await deps.hearsAll(toChat(conversation))) ? undefined : deaf,
        command,
      },
    ],
  }
}
