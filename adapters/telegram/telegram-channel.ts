// The Telegram channel: who the bot is, updates in by polling or webhook, replies out through the adapter, the command list kept up.
// It never drops what waits at Telegram, and does not take a webhook without a secret.
import { once } from 'node:events'
import { BotError } from '#shared/errors.ts'
import type { ChatBook } from '#queues/fleet/chat-book.ts'
import type { LeaseOptions } from '#queues/fleet/lease.ts'
import type { CallUnit } from '#queues/units.ts'
import type { Capabilities, ChannelAdapter } from '#queues/workers/channel-adapter.ts'
import type { CommandInfo } from '#shared/feature/feature.ts'
import { createSendBudget, type SendLimits } from '#queues/fleet/send-budget.ts'
import type { Limit } from '#adapters/calls/call-result.ts'
import { insist } from '#adapters/calls/insist.ts'
import { createAdmins } from './admins.ts'
import { done, self } from './responses.ts'
import { createChatBudget } from './chat-budget.ts'
import { createBotApi, type CallResult, type BotApi } from './bot-api.ts'
import { toLimits, type TelegramRates } from './limits.ts'
import { maxTextUnits } from './ladder.ts'
import { keepCommands } from './my-commands.ts'
import { toChatId } from './ids.ts'
import { poll } from './poll.ts'
import { createTelegramDelivery } from './telegram-delivery.ts'
import { toTrouble } from './trouble.ts'
import { allowedUpdates } from './updates.ts'
import { createWebhookHandler, type Receiver } from './webhook.ts'

export type TelegramChannelSettings = {
  readonly token: string
  readonly apiRoot?: string | undefined
  /** Pushed updates instead of fetched ones. `secret`: 1–256 characters of `A-Z a-z 0-9 _ -`. */
  readonly webhook?: { readonly url: string; readonly secret: string | undefined } | undefined
  readonly rates: TelegramRates
  readonly sendTimeoutMs?: number | undefined
  readonly pollS?: number | undefined
  readonly backOff?: { readonly firstMs: number; readonly maxMs: number } | undefined
  /** An upper bound of the waits after a wrong token or a 429; tests only. */
  readonly leastWaitMs?: number | undefined
}

export type TelegramChannelDeps = {
  readonly chats: ChatBook
  /** For the poller's lease. */
  readonly call: CallUnit
  readonly liveness: LeaseOptions['liveness']
  /** What people see behind the menu button, in English and Chinese; left as it is when absent. */
  readonly commands?: readonly CommandInfo[] | undefined
  /** Told whether Telegram gives the bot every message of groups, at the start and now and then. */
  readonly noteHearing?: ((hearsAll: boolean) => void) | undefined
  readonly say: (text: string) => void
  readonly count: (reason: string) => void
  readonly now: () => number
}

const requestTimeoutMs = 10_000
/** Telegram's own limit for an answer is a minute; ours keeps a slow store from looking like an accepted update. */
const webhookResponseMs = 2500

const askAgainMs = 5 * 60_000

const capabilities: Capabilities = {
  maxTextUnits,
  buttons: true,
  edit: true,
  stream: true,
  threads: true,
  files: true,
  reactions: true,
}

/** Throws BotError `config` for a webhook without a proper secret. */
export function createTelegramChannel(settings: TelegramChannelSettings, deps: TelegramChannelDeps): ChannelAdapter {
  const { webhook } = settings
  const secret = webhook === undefined ? undefined : checkSecret(webhook.secret)
  const bot = createBotApi(settings)
  let receiver: Receiver | undefined
  const limitsOf = async (chat: number): Promise<SendLimits> =>
    toLimits(settings.rates, bot.botId, (await deps.chats.find(toChatId(chat))).home)
  const budget = createChatBudget(createSendBudget(deps.call), limitsOf)
  const directLink = Promise.withResolvers<string>()
  const admins = createAdmins({ bot, budget, now: deps.now })
  return {
    channel: 'telegram',
    account: bot.botId,
    capabilities,
    directLink: directLink.promise,
    delivery: createTelegramDelivery({ bot, chats: deps.chats }, settings.rates, settings.sendTimeoutMs),
    ...(webhook === undefined || secret === undefined
      ? {}
      : {
          webhook: {
            path: new URL(webhook.url).pathname,
            handler: createWebhookHandler({ secret, receiver: () => receiver, respondWithinMs: webhookResponseMs }),
          },
        }),
    async start(ingest, signal) {
      const patience = { settings, say: deps.say, toTrouble }
      const limit = { timeoutMs: requestTimeoutMs, signal }
      const known = await insist(patience, () => bot.call(self, (api, stop) => api.getMe(stop), limit), signal)
      if (!known) return
      followHearing(known.can_read_all_group_messages, { bot, note: deps.noteHearing, signal })
      const me = { id: known.id, username: known.username }
      // https://core.telegram.org/bots/features#deep-linking: whoever follows it sends "/start hello".
      if (me.username !== undefined) directLink.resolve(`https://t.me/${me.username}?start=hello`)
      const take = { ...deps, commands: deps.commands ?? [], ingest, bot, admins, budget }
      if (deps.commands) await keepCommands(bot, deps.commands, signal)
      if (webhook && secret !== undefined) {
        const inHand = new Set<Promise<void>>()
        receiver = { take, me, inHand }
        signal.addEventListener('abort', () => (receiver = undefined), { once: true })
        await insist(patience, () => setWebhook(bot, { url: webhook.url, secret }, limit), signal)
        if (!signal.aborted) await once(signal, 'abort')
        receiver = undefined
        await Promise.allSettled(inHand)
        return
      }
      const backOff = settings.backOff ?? { firstMs: 1000, maxMs: 15_000 }
      const { pollS = 25, leastWaitMs } = settings
      await poll({ ...take, liveness: deps.liveness, pollS, backOff, leastWaitMs }, me, signal)
    },
  }
}

type Followed = {
  readonly bot: BotApi
  readonly note: TelegramChannelDeps['noteHearing']
  readonly signal: AbortSignal
}

/** Privacy mode is switched at @BotFather, who tells nobody. */
function followHearing(hearsAll: boolean, { bot, note, signal }: Followed): void {
  note?.(hearsAll)
  const ask = async (): Promise<void> => {
    const answer = await bot.call(self, (api, stop) => api.getMe(stop), { timeoutMs: requestTimeoutMs, signal })
    if (answer.kind === 'ok') note?.(answer.value.can_read_all_group_messages)
  }
  const timer = setInterval(() => {
    ask().catch(() => {})
  }, askAgainMs)
  timer.unref()
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
}

function checkSecret(secret: string | undefined): string {
  if (secret !== undefined && /^[A-Za-z0-9_-]{1,256}$/.test(secret)) return secret
  throw new BotError(
    'config',
    'A Telegram webhook without a proper secret would take messages from anybody. Set TELEGRAM_WEBHOOK_SECRET to 1–256 characters of A-Z a-z 0-9 _ -.',
  )
}

function setWebhook(
  bot: BotApi,
  { url, secret }: { readonly url: string; readonly secret: string },
  limit: Limit,
): Promise<CallResult<true>> {
  const options = { secret_token: secret, allowed_updates: [...allowedUpdates], drop_pending_updates: false }
  return bot.call(done, (api, stop) => api.setWebhook(url, options, stop), limit)
}
