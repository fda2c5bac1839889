// When the bot answers in a group, as a setting. It holds for the whole chat, so it is kept with the chat's rights.
import { replyModes, toChat, type ReplyMode } from '#shared/chat/conversation.ts'
import type { Localised } from '#shared/chat/message.ts'
import type { Feature } from '#shared/feature/feature.ts'

export type ModeDeps = {
  findMode(chat: string): Promise<ReplyMode>
  setMode(chat: string, mode: ReplyMode): Promise<void>
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

const words: Readonly<Record<ReplyMode, Localised>> = {
  mention: { zh: '被提到时', en: 'when mentioned' },
  always: { zh: '总是', en: 'always' },
  observe: { zh: '只阅读', en: 'read only' },
}

export function createReplyMode(deps: ModeDeps): Feature {
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
        async choose(choice, conversation) {
          const wanted = replyModes.find((known) => known === choice)
          if (wanted) await deps.setMode(toChat(conversation), wanted)
        },
        command: {
          name: 'mode',
          help: {
            zh: '群里什么时候回答：mention、always 或 observe',
            en: 'when to answer in this group: mention, always or observe',
          },
        },
      },
    ],
  }
}
