// What the Feishu channel is given: how the app is connected, and what of the fleet it needs.
import { BotError } from '#shared/errors.ts'
import type { ReplyMode } from '#shared/chat/conversation.ts'
import type { CommandInfo } from '#shared/feature/feature.ts'
import type { ChatBook } from '#queues/fleet/chat-book.ts'
import type { CallUnit } from '#queues/units.ts'

export type FeishuChannelSettings = {
  readonly appId: string
  readonly appSecret: string
  /** `feishu`, `lark`, or an address without a path, for tests. */
  readonly domain: string
  /** Pushed events instead of those of a connection. Both keys are those of the page Events & Callbacks. */
  readonly webhook?:
    | { readonly url: string; readonly encryptKey: string | undefined; readonly verificationToken: string | undefined }
    | undefined
  /** How often the card of one answer is changed at most. */
  readonly cardUpdates: number
  /** Calls a month that the tenant's plan has; 0 when there is no limit. */
  readonly monthlyCalls: number
  readonly sendTimeoutMs?: number | undefined
  readonly backOff?: { readonly firstMs: number; readonly maxMs: number } | undefined
  /** An upper bound of the waits after a wrong secret; tests only. */
  readonly leastWaitMs?: number | undefined
}

export type FeishuChannelDeps = {
  readonly chats: ChatBook
  /** For what all processes share of the app: its token, its calls. */
  readonly call: CallUnit
  /** When the bot answers in a chat, `channel:chat`. */
  findMode(chat: string): Promise<ReplyMode>
  /** Those that say for whom they are. */
  readonly commands?: readonly CommandInfo[] | undefined
  readonly say: (text: string) => void
  readonly count: (reason: string) => void
  readonly now: () => number
}

/** Throws BotError `config` where one is missing. */
export function checkKeys(given: NonNullable<FeishuChannelSettings['webhook']>): {
  readonly encryptKey: string
  readonly verificationToken: string
} {
  const { encryptKey, verificationToken } = given
  if (encryptKey && verificationToken) return { encryptKey, verificationToken }
  throw new BotError(
    'config',
    'A Feishu webhook without its keys would take messages from anybody. Set FEISHU_ENCRYPT_KEY and FEISHU_VERIFICATION_TOKEN to those of the page Events & Callbacks in the developer console.',
  )
}
