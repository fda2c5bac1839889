// A channel's part of a process: what people do comes in, and where the platform is sent to, rows go out. Several may run.
import { createServer } from 'node:http'
import type { Settings } from '#infra/config/settings.ts'
import type { ChannelAdapter } from '#queues/workers/channel-adapter.ts'
import { listen } from '#adapters/web/listen.ts'
import type { WebChannel } from '#adapters/web/web-channel.ts'
import { startDelivery } from './delivery.ts'
import { holdBot } from './held-locks.ts'
import type { Part } from './part.ts'
import type { Runtime } from './runtime.ts'

export type ChannelParts = { readonly delivery: readonly Part[]; readonly ingress: readonly Part[] }

/**
 * What a platform pushes to is served by `web` if given, else by a server of its own on the configured port. Throws BotError `config`
 * when that is taken, or the channel is by another bot; then nothing of it runs.
 */
export async function startChannel(
  runtime: Runtime,
  adapter: ChannelAdapter,
  web?: Pick<WebChannel, 'mount'>,
): Promise<ChannelParts> {
  const { channel, account, delivery, webhook } = adapter
  const begun: Part[] = []
  const begin = (part: Part): Part => {
    begun.push(part)
    return part
  }
  try {
    // Before anything begins; given back after everything has ended.
    const held = account === undefined ? [] : [begin(await holdBot(runtime, channel, account))]
    const ingress: Part[] = []
    if (webhook && web) web.mount(webhook.path, webhook.handler)
    else if (webhook) ingress.push(begin(await serveOnly(webhook, runtime.settings)))
    const sending = delivery ? [begin(startDelivery(runtime, channel, delivery))] : []
    const stopping = new AbortController()
    const receiving = adapter.start(runtime.ingest, stopping.signal)
    // Whoever writes to groups tells it; what is not noted now is noted at the next start.
    adapter.directLink?.then((link) => runtime.people.setLink(channel, link)).catch(() => {})
    ingress.push({
      name: `${channel} events`,
      async stop() {
        stopping.abort()
        await receiving
      },
    })
    return { delivery: [...held, ...sending], ingress }
  } catch (error) {
    for (const part of begun.toReversed()) await part.stop(0)
    throw error
  }
}

/** Serves one path and nothing else on the configured address and port. */
async function serveOnly(
  { path, handler }: NonNullable<ChannelAdapter['webhook']>,
  { port, listen: host }: Pick<Settings, 'port' | 'listen'>,
): Promise<Part> {
  // Loads much, and only a webhook needs it.
  const { getRequestListener } = await import('@hono/node-server')
  const answer = getRequestListener(
    async (request) =>
      request.method === 'POST' && new URL(request.url).pathname === path
        ? await handler(request)
        : new Response(null, { status: 404 }),
    { overrideGlobalObjects: false },
  )
  const server = createServer({ requestTimeout: 30_000 }, (request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await listen(server, port, host)
  return {
    name: 'webhook',
    async stop() {
      const closed = Promise.withResolvers<void>()
      server.close(() => closed.resolve())
      server.closeIdleConnections()
      setTimeout(() => server.closeAllConnections(), 2000).unref()
      await closed.promise
    },
  }
}
