// The Feishu channel: who the bot is, events in by long connection or webhook, replies out through the adapter. It waits out all trouble and
// says it once, and does not take a webhook without its keys.
import { once } from 'node:events'
import { BotError } from '#shared/errors.ts'
import type { ReplyMode } from '#shared/chat/conversation.ts'
import type { CommandInfo } from '#shared/feature/feature.ts'
import { createAppAccount } from '#queues/fleet/app-account.ts'
import type { ChatBook } from '#queues/fleet/chat-book.ts'
import { leaveSign } from '#queues/fleet/lease.ts'
import { createNotes } from '#queues/fleet/notes.ts'
import type { CallUnit } from '#queues/units.ts'
import type { Capabilities, ChannelAdapter } from '#queues/workers/channel-adapter.ts'
import type { Ingest } from '#queues/workers/ingest.ts'
import { insist } from '#adapters/calls/insist.ts'
import { createAppToken } from './app-token.ts'
import { watchCardChanges, type CardChanges } from './card-changes.ts'
import { createCallCount } from './call-count.ts'
import type { Sending } from './deliver.ts'
import { createFeishuDelivery, maxTextUnits } from './feishu-delivery.ts'
import { toAccountName, toConnectedSign } from './ids.ts'
import { createIntake, type Intake } from './intake.ts'
import { keepConnected } from './long-connection.ts'
import { createLookups, type Lookups } from './lookups.ts'
import { self } from './payloads.ts'
import { createDropButtons } from './press.ts'
import { receive } from './receive.ts'
import { createRestApi } from './rest-api.ts'
import { createStreamCards } from './stream-cards.ts'
import { toTrouble } from './trouble.ts'
import { createWebhookHandler } from './webhook.ts'

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

const requestTimeoutMs = 10_000
const capabilities: Capabilities = {
  maxTextUnits,
  buttons: true,
  edit: true,
  stream: true,
  threads: true,
  files: true,
  reactions: true,
}

/** Throws BotError `config` for a webhook without its keys. */
export function createFeishuChannel(settings: FeishuChannelSettings, deps: FeishuChannelDeps): ChannelAdapter {
  const { appId, appSecret, webhook } = settings
  const keys = webhook && checkKeys(webhook)
  const account = createAppAccount(deps.call, toAccountName(appId))
  const { say, now } = deps
  const calls = createCallCount({ account, monthlyCalls: settings.monthlyCalls, now, say })
  const connection = { appId, appSecret, domain: toRoot(settings.domain) }
  const token = createAppToken(connection, { account, count: calls.note })
  const changes = watchCardChanges(createRestApi(connection, { token, count: calls.note }))
  const { api } = changes
  const cards = createStreamCards(api, now)
  const lookups = createLookups({
    api,
    notes: createNotes(deps.call, 'feishu'),
    now: () => performance.now(),
    monthlyCalls: settings.monthlyCalls,
    say,
  })
  const sending = { api, cards, places: lookups.places }
  let receiver: ((data: unknown) => Promise<object>) | undefined
  return {
    channel: 'feishu',
    account: appId,
    capabilities,
    directLink: Promise.resolve(toDirectLink(settings.domain, appId)),
    delivery: createFeishuDelivery(settings, { ...sending, say }),
    ...(webhook && keys
      ? {
          webhook: {
            path: new URL(webhook.url).pathname,
            handler: createWebhookHandler({ ...keys, receiver: () => receiver, now, count: deps.count, say }),
          },
        }
      : {}),
    async start(ingest, signal) {
      const patience = { settings, say, toTrouble }
      const limit = { timeoutMs: requestTimeoutMs, signal }
      const whoAmI = { method: 'GET', path: '/bot/v3/info', shape: self, isFlat: true } as const
      const me = await insist(patience, () => api.call(whoAmI, limit), signal)
      if (!me) return
      const intake = createIntake({ say, count: deps.count })
      const take = createReceiver({
        settings,
        deps,
        ...sending,
        changes,
        lookups,
        ingest,
        intake,
        botId: me.bot.open_id,
      })
      if (webhook) {
        receiver = take
        if (!signal.aborted) await once(signal, 'abort')
        receiver = undefined
      } else {
        const sign = (ttlMs: number) => leaveSign(deps.call, toConnectedSign(appId), ttlMs)
        await keepConnected({ ...connection, backOff: settings.backOff }, { receive: take, say, sign }, signal)
      }
      await intake.end()
      await calls.flush()
    },
  }
}

type Receiving = Sending & {
  readonly settings: FeishuChannelSettings
  readonly deps: FeishuChannelDeps
  readonly lookups: Lookups
  readonly changes: CardChanges
  readonly ingest: Ingest
  readonly intake: Intake
  readonly botId: string
}

function createReceiver({ settings, deps, api, changes, cards, places, lookups, ingest, intake, botId }: Receiving) {
  const { appId, domain } = settings
  const language = domain === 'feishu' ? 'zh' : 'en'
  const bot = { id: botId, appId }
  const receiving = {
    ...deps,
    commands: deps.commands ?? [],
    api,
    changes,
    ingest,
    intake,
    lookups,
    dropButtons: createDropButtons({ api, cards, places }, () => performance.now()),
    bot,
    appId,
    language,
  } as const
  return async (data: unknown): Promise<object> => await receive(receiving, data)
}

function checkKeys(given: NonNullable<FeishuChannelSettings['webhook']>): {
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

const roots: Readonly<Record<string, string>> = {
  feishu: 'https://open.feishu.cn',
  lark: 'https://open.larksuite.com',
}
/** Where the app's interface is: `feishu`, `lark`, or an address. */
export const toRoot = (domain: string): string => roots[domain] ?? domain.replace(/(?<!\/)\/+$/, '')

/** https://open.feishu.cn/document/applink-protocol/supported-protocol/open-a-bot */
function toDirectLink(domain: string, appId: string): string {
  const host = domain === 'lark' ? 'applink.larksuite.com' : 'applink.feishu.cn'
  return `https://${host}/client/bot/open?appId=${appId}`
}
