// A strict Telegram to test against: the Bot API over HTTP, the people on the other side, every fault on demand, a ledger of all
// calls and what people see. It knows nothing of the project. States and refusals are described in the files it puts together.
import { listen, sendJson } from '#test/simulators/http-server.ts'
import { createGates } from '#test/simulators/signals.ts'
import { handleApi, type ApiDeps } from './api.ts'
import { handleControl } from './control-endpoint.ts'
import { createControls, type Controls } from './controls.ts'
import { createFaults, type TelegramLimits } from './faults.ts'
import { createTelegramLedger } from './ledger.ts'
import { createMethods } from './methods.ts'
import type { TgUser } from './types.ts'
import { createUpdateQueue } from './updates.ts'
import { createWebhook } from './webhook.ts'
import { createWorld } from './world.ts'

export type TelegramSimulatorOptions = {
  /** 0, the default, takes a free port. */
  readonly port?: number
  /** `<bot id>:<secret>`. */
  readonly token?: string
  readonly username?: string
  /** False turns privacy mode on: in groups the bot then sees commands, mentions and replies only. True by default. */
  readonly canReadAllGroupMessages?: boolean
  /** How long a press can be answered; Telegram's is about 15 s. */
  readonly callbackTimeoutMs?: number
  /** First wait before a webhook push is repeated; doubles up to 5 s. */
  readonly webhookRetryMs?: number
  readonly webhookTimeoutMs?: number
  readonly limits?: TelegramLimits
}

export type TelegramSimulator = Controls & {
  readonly apiRoot: string
  readonly token: string
  readonly bot: TgUser & { readonly username: string }
  /** Resolves once `find` gives something; looked at again after every call of the bot. Rejects after 10 s by default. */
  until<T>(find: () => T | undefined, timeoutMs?: number): Promise<T>
  close(): Promise<void>
}

export async function startTelegramSimulator(options: TelegramSimulatorOptions = {}): Promise<TelegramSimulator> {
  const token = options.token ?? '4200:simulated-token'
  const username = options.username ?? 'flotilla_test_bot'
  const bot = { id: Number.parseInt(token, 10) || 4200, is_bot: true, first_name: 'Flotilla', username }
  const world = createWorld(bot, options.canReadAllGroupMessages ?? true)
  world.users.set(bot.id, bot)
  const queue = createUpdateQueue(100_000)
  const ledger = createTelegramLedger()
  const webhook = createWebhook({
    queue,
    retryMs: options.webhookRetryMs ?? 100,
    timeoutMs: options.webhookTimeoutMs ?? 10_000,
    onPush: (push) => ledger.notePush(push),
  })
  const methods = createMethods({ world, queue, webhook, callbackTimeoutMs: options.callbackTimeoutMs ?? 15_000 })
  const faults = createFaults(options.limits ?? {})
  const gates = createGates()
  const api: ApiDeps = { token, world, methods, faults, gates, ledger }
  const controls = createControls({ world, queue, faults, gates, ledger })
  const server = await listen(async (exchange) => {
    if (await handleApi(exchange, api)) return
    if (await handleControl(exchange, controls)) return
    sendJson(exchange.res, 404, { ok: false, error_code: 404, description: 'Not Found' })
  }, options.port ?? 0)
  return {
    ...controls,
    apiRoot: server.origin,
    token,
    bot,
    until: (find, timeoutMs) => ledger.bell.until(find, 'what the test waits for in Telegram', timeoutMs),
    close: async () => {
      webhook.remove(false)
      await server.close()
    },
  }
}
