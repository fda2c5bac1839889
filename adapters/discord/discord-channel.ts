// The Discord channel: who the bot is, events in by the gateway, replies out through the adapter, the slash commands kept up.
// It waits out all trouble and says it once; it never ends a session that another process could resume.
import type { LeaseOptions } from '#queues/fleet/lease.ts'
import type { CallUnit } from '#queues/units.ts'
import type { ChatBook } from '#queues/fleet/chat-book.ts'
import type { Capabilities, ChannelAdapter } from '#queues/workers/channel-adapter.ts'
import type { ReplyMode } from '#shared/chat/conversation.ts'
import type { CommandInfo } from '#shared/feature/feature.ts'
import { insist } from '#adapters/calls/insist.ts'
import { maxContentUnits } from './deliver.ts'
import { createDiscordDelivery } from './discord-delivery.ts'
import { gatewayInfo, self } from './payloads.ts'
import { createRestApi, type Call } from './rest-api.ts'
import { runShard } from './shard.ts'
import { keepCommands } from './slash-commands.ts'
import { toTrouble } from './trouble.ts'

export type DiscordChannelSettings = {
  readonly token: string
  readonly apiRoot?: string | undefined
  /** What Discord takes of this bot; 50 when left out. */
  readonly requestsPerS?: number | undefined
  readonly sendTimeoutMs?: number | undefined
  readonly backOff?: { readonly firstMs: number; readonly maxMs: number } | undefined
  /** An upper bound of the waits after a wrong token or a missing intent; tests only. */
  readonly leastWaitMs?: number | undefined
  /** Tests only. */
  readonly identifyEveryMs?: number | undefined
  /** When a press is put off; tests only. */
  readonly putOffMs?: number | undefined
}

export type DiscordChannelDeps = {
  readonly chats: ChatBook
  /** For the shards' leases and sessions. */
  readonly call: CallUnit
  readonly liveness: LeaseOptions['liveness']
  /** When the bot answers in a chat, `channel:chat`. */
  findMode(chat: string): Promise<ReplyMode>
  /** What people see behind the slash, in English and Chinese; left as it is when absent. */
  readonly commands?: readonly CommandInfo[] | undefined
  readonly say: (text: string) => void
  readonly count: (reason: string) => void
  readonly now: () => number
}

const requestTimeoutMs = 10_000
/** https://docs.discord.com/developers/events/gateway#identifying: one session start each 5 s. */
const identifyEveryMs = 5100
const putOffMs = 1500
const capabilities: Capabilities = {
  maxTextUnits: maxContentUnits,
  buttons: true,
  edit: true,
  stream: true,
  threads: true,
  files: true,
  reactions: true,
}

export function createDiscordChannel(settings: DiscordChannelSettings, deps: DiscordChannelDeps): ChannelAdapter {
  const api = createRestApi(settings)
  const { say } = deps
  return {
    channel: 'discord',
    account: api.botId,
    capabilities,
    // Its profile, where people find "Message".
    directLink: Promise.resolve(`https://discord.com/users/${api.botId}`),
    delivery: createDiscordDelivery({ api, say }, settings.sendTimeoutMs),
    async start(ingest, signal) {
      const patience = { settings, say, toTrouble }
      const get = <T>(path: Call['path'], shape: Call<T>['shape']): Promise<T | undefined> => {
        const limit = { timeoutMs: requestTimeoutMs, signal }
        return insist(patience, () => api.call({ method: 'get', path, shape }, limit), signal)
      }
      const me = await get('/users/@me', self)
      if (!me) return
      if (deps.commands) await keepCommands(api, deps.commands, signal)
      const gateway = await get('/gateway/bot', gatewayInfo)
      if (!gateway) return
      const shard = {
        ...deps,
        ingest,
        api,
        me,
        token: settings.token,
        liveness: deps.liveness,
        putOffMs: settings.putOffMs ?? putOffMs,
        identifyEveryMs: settings.identifyEveryMs ?? identifyEveryMs,
        backOff: settings.backOff ?? { firstMs: 1000, maxMs: 60_000 },
        leastWaitMs: settings.leastWaitMs,
      }
      const { shards: shardCount, session_start_limit: limit } = gateway
      const numbers = Array.from({ length: shardCount }, (_, i) => ({
        shard: i,
        shardCount,
        maxConcurrency: limit.max_concurrency,
      }))
      await Promise.all(numbers.map((number) => runShard(shard, number, signal)))
    },
  }
}
