// The Feishu channel: who the bot is, events in by long connection or webhook, replies out through the adapter. It waits out all trouble and
// says it once, and does not take a webhook without its keys.
import { once } from 'node:events'
import { leaveSign } from '#queues/fleet/lease.ts'
import type { Capabilities, ChannelAdapter } from '#queues/workers/channel-adapter.ts'
import { insist } from '#adapters/calls/insist.ts'
import { openApp } from './app.ts'
import { checkKeys, type FeishuChannelDeps, type FeishuChannelSettings } from './channel-settings.ts'
import { createReceiver } from './create-receiver.ts'
import { toDirectLink } from './domains.ts'
import { createFeishuDelivery, maxTextUnits } from './feishu-delivery.ts'
import { toConnectedSign } from './ids.ts'
import { createIntake } from './intake.ts'
import { keepConnected } from './long-connection.ts'
import { self } from './payloads.ts'
import { toTrouble } from './trouble.ts'
import { createWebhookHandler } from './webhook.ts'

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
  const { appId, webhook } = settings
  const keys = webhook && checkKeys(webhook)
  const { say, now } = deps
  const app = openApp(settings, deps)
  const { sending } = app
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
      const me = await insist(patience, () => sending.api.call(whoAmI, limit), signal)
      if (!me) return
      const intake = createIntake({ say, count: deps.count })
      const take = createReceiver({ settings, deps, app, ingest, intake, botId: me.bot.open_id })
      if (webhook) {
        receiver = take
        if (!signal.aborted) await once(signal, 'abort')
        receiver = undefined
      } else {
        const sign = (ttlMs: number) => leaveSign(deps.call, toConnectedSign(appId), ttlMs)
        await keepConnected({ ...app.connection, backOff: settings.backOff }, { receive: take, say, sign }, signal)
      }
      await intake.end()
      await app.flush()
    },
  }
}
