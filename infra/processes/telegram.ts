// The Telegram channel's process: updates in, replies out. Polling is held under a lease, so that several may run.
import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { createTelegramChannel } from '#adapters/telegram/telegram-channel.ts'
import type { WebChannel } from '#adapters/web/web-channel.ts'
import type { TelegramSettings } from '#infra/config/settings.ts'
import type { CommandInfo } from '#adapters/telegram/my-commands.ts'
import { startDelivery } from './delivery.ts'
import type { Part } from './part.ts'
import type { Runtime } from './runtime.ts'

export type TelegramParts = { readonly delivery: Part; readonly ingress: readonly Part[] }

/** With a webhook its path is served by `web`, or by a server of its own on the same port when there is none in this process. */
export async function startTelegram(
  runtime: Runtime,
  settings: TelegramSettings,
  deps: { commands: readonly CommandInfo[]; web?: WebChannel },
): Promise<TelegramParts> {
  const { log } = runtime
  const channel = createTelegramChannel(
    { ...settings, leaseMs: runtime.settings.leaseMs },
    {
      kernel: runtime.ingestKernel,
      hints: runtime.hints,
      chats: runtime.chats,
      call: runtime.call,
      commands: deps.commands,
      say: (text) => log.warn(text),
      count: (reason) => log.debug({ reason }, 'update ignored'),
      now: Date.now,
    },
  )
  const ingress: Part[] = []
  if (settings.webhook && channel.webhookHandler) {
    const { pathname } = new URL(settings.webhook.url)
    if (deps.web) deps.web.mount(pathname, channel.webhookHandler)
    else ingress.push(await serveOnly(pathname, channel.webhookHandler, runtime.settings.port))
  }
  const stopping = new AbortController()
  const receiving = channel.run(stopping.signal)
  ingress.push({
    name: 'telegram updates',
    async stop() {
      stopping.abort()
      await receiving
    },
  })
  return { delivery: startDelivery(runtime, channel.adapter), ingress }
}

/** Serves one path and nothing else on this machine's port. */
async function serveOnly(
  pathname: string,
  handler: (request: Request) => Promise<Response>,
  port: number,
): Promise<Part> {
  const answer = getRequestListener(
    async (request) =>
      request.method === 'POST' && new URL(request.url).pathname === pathname
        ? await handler(request)
        : new Response(null, { status: 404 }),
    { overrideGlobalObjects: false },
  )
  const server = createServer({ requestTimeout: 30_000 }, (request, response) => void answer(request, response))
  const ready = Promise.withResolvers<void>()
  server.once('error', ready.reject)
  server.listen(port, '127.0.0.1', () => ready.resolve())
  await ready.promise
  return {
    name: 'telegram webhook',
    async stop() {
      const closed = Promise.withResolvers<void>()
      server.close(() => closed.resolve())
      server.closeIdleConnections()
      setTimeout(() => server.closeAllConnections(), 2000).unref()
      await closed.promise
    },
  }
}
