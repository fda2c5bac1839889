// The web channel: chat page, HTTP interface and health on one server of its own, on this machine only unless told otherwise.
// Delivery needs no worker: replies are appended to the conversation's stream, and any process serves it.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { BotError } from '#shared/errors.ts'
import type { Capabilities, ChannelAdapter } from '#queues/workers/channel-adapter.ts'
import type { Ingest } from '#queues/workers/ingest.ts'
import { openAccessToken } from './access-token.ts'
import { createGuard } from './guard.ts'
import { createLoginLink } from './login-link.ts'
import { listen } from './listen.ts'
import { openBlockReader } from './open-block-reader.ts'
import type { OpenStreams } from './stream-route.ts'
import { toTokenPlace } from './token-place.ts'
import { createWebApp, type MountedHandler, type WebDeps } from './web-app.ts'

export type WebSettings = {
  /** Absolute path of the token's file, usually `.flotilla/web-token`; made on first run. */
  readonly tokenFile: string
  /** The origin, such as `https://chat.example.org`, under which a proxy or tunnel brings requests here. */
  readonly publicUrl?: string | undefined
  /** How long requests in progress may take when the channel stops, ms. */
  readonly closeGraceMs?: number | undefined
}

/** It answers from `listen` on, and takes messages from `start` on. At the end of `start` its streams and its server end too. */
export type WebChannel = ChannelAdapter & {
  /** A path that logs one browser in, once, within ten minutes; the one made before ends. For the eyes of whoever starts the server. */
  loginPath(): string
  /** Handles a request as the server does; before `listen` every request is refused, since no address is right yet. */
  fetch(request: Request): Promise<Response>
  /** Serves POSTs to exactly this path without a session, for webhooks: the handler verifies the sender itself. */
  mount(path: string, handler: MountedHandler): void
  /** Port 0 takes a free one. Returns the port. Throws BotError `config` when it is taken. */
  listen(port: number, host?: string): Promise<number>
}

const capabilities: Capabilities = {
  maxTextUnits: undefined,
  buttons: true,
  edit: true,
  stream: true,
  threads: false,
  files: true,
  reactions: false,
}

export async function createWebChannel(settings: WebSettings, deps: WebDeps): Promise<WebChannel> {
  const token = await openAccessToken(settings.tokenFile)
  const guard = createGuard(token, deps.now ?? Date.now, settings.publicUrl)
  const mounts = new Map<string, MountedHandler>()
  const streams: OpenStreams = new Set()
  let ingest: Ingest | undefined
  const place = toTokenPlace(settings.tokenFile, process.cwd(), settings.publicUrl)
  const reader = openBlockReader(deps.say ? { say: deps.say } : {})
  const link = createLoginLink(deps.now ?? Date.now)
  const app = createWebApp(deps, { ingest: () => ingest, token, place, guard, mounts, streams, link, reader })
  let server: Server | undefined

  return {
    channel: 'web',
    capabilities,
    loginPath: link.make,
    fetch: async (request) => await app.fetch(request),
    mount(path, handler) {
      if (!/^\/[\w./-]+$/.test(path) || path.startsWith('/api/') || mounts.has(path)) {
        throw new BotError('config', `Cannot serve a webhook at "${path}": the path is malformed or taken.`)
      }
      mounts.set(path, handler)
    },
    async listen(port, host) {
      const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false })
      const created = createServer({ requestTimeout: 30_000 }, (request, response) => {
        answer(request, response).catch(() => response.destroy())
      })
      const taken = await listen(created, port, host)
      server = created
      guard.useAddress(taken, host)
      reader.start()
      return taken
    },
    async start(given, signal) {
      ingest = given
      if (!signal.aborted) await once(signal, 'abort')
      ingest = undefined
      for (const stream of streams) stream.close()
      const closing = server
      server = undefined
      if (!closing) return await reader.close()
      const closed = Promise.withResolvers<void>()
      closing.close(() => closed.resolve())
      closing.closeIdleConnections()
      const timer = setTimeout(() => closing.closeAllConnections(), settings.closeGraceMs ?? 2000)
      await closed.promise
      clearTimeout(timer)
      await reader.close()
    },
  }
}
