// Puts the HTTP interface together: every request passes the guard, then finds its route. Mounted paths (webhooks) bring their own proof.
import { Hono, type Context, type Next } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { RedisClient } from '#queues/connection.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import type { Ingest } from '#queues/workers/ingest.ts'
import type { Live } from '#queues/workers/live.ts'
import type { AccessToken } from './access-token.ts'
import { refuse, refuseFailure, refuseNobody, type Say } from './answer.ts'
import { createConversationList } from './conversation-list.ts'
import { addConversationRoutes, webOwner } from './conversation-routes.ts'
import type { Guard } from './guard.ts'
import { addDeedRoutes } from './deed-routes.ts'
import { addFeatureRoutes, type ServedPage } from './feature-routes.ts'
import { addExport } from './export-route.ts'
import { createHealth, type HealthDeps } from './health.ts'
import { createDraftRooms } from './draft-room.ts'
import { addFiles } from './file-route.ts'
import { addHistory } from './history-route.ts'
import { addListRoutes } from './list-routes.ts'
import { createOpenQuestions, noDesk, type CountDesk } from './open-questions.ts'
import type { LoginLink } from './login-link.ts'
import { addPage } from './page-route.ts'
import { addPageStream } from './page-stream.ts'
import type { BlockReader } from './open-block-reader.ts'
import { addStream, type OpenStreams } from './stream-route.ts'

export type WebDeps = Pick<HealthDeps, 'findMissing'> & {
  readonly kernel: Pick<Kernel, 'readOut' | 'readOutBefore' | 'findDraft' | 'findCards' | 'due' | 'halt' | 'forget'>
  readonly live: Pick<Live, 'listen'>
  /** Any connection that fails commands while Redis is away; the kernel's will do. */
  readonly redis: RedisClient
  readonly now?: () => number
  readonly say?: Say
  /** Of features, in the order in which the page lists them. */
  readonly pages?: readonly ServedPage[]
  /** Undefined where nobody is asked. */
  readonly countDesk?: CountDesk | undefined
  /** How long a route of such a page may take, ms. */
  readonly pageWithinMs?: number
  /** Counts an answer in among what the process is at, by the name of its route. */
  readonly during?: (name: string, work: () => Promise<void>) => Promise<void>
}

/** Serves POST requests. It must itself verify who sends, before it reads the body, which it gets unread and must bound. */
export type MountedHandler = (request: Request) => Promise<Response>

type Parts = {
  /** Undefined while the channel takes nothing in. */
  readonly ingest: () => Ingest | undefined
  readonly token: AccessToken
  /** Where it lies, as it may be told. */
  readonly place: string
  readonly guard: Guard
  readonly mounts: ReadonlyMap<string, MountedHandler>
  readonly streams: OpenStreams
  readonly link: LoginLink
  readonly reader: BlockReader
}

const headers = {
  'Content-Security-Policy': [
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'",
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; trusted-types 'none'",
    "require-trusted-types-for 'script'",
  ].join('; '),
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  // Not `no-referrer`: browsers would then send `Origin: null` with the login form.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

export function createWebApp(deps: WebDeps, parts: Parts): Hono {
  const app = new Hono()
  const { kernel, redis, live, say = () => {}, now = Date.now, pages = [] } = deps
  const { ingest, guard, streams, reader } = parts
  addPassage(app, deps, parts)
  addHistory(app, { kernel, reader })
  addFiles(app, kernel, redis)
  addExport(app, kernel)
  const list = createConversationList({ redis, kernel, principal: webOwner, now })
  addConversationRoutes(app, { ingest, list, now })
  addDeedRoutes(app, { ingest, list, now, kernel })
  addListRoutes(app, { ingest, kernel, list })
  const findQuestions = createOpenQuestions({
    redis,
    kernel,
    list,
    countDesk: async () => (await deps.countDesk?.(webOwner)) ?? noDesk,
  })
  app.get('/api/questions', async (context) => context.json(await findQuestions()))
  const following = { kernel, live, guard, streams, reader, rooms: createDraftRooms(reader) }
  addStream(app, following)
  addPageStream(app, following)
  addPage(app, { ...parts, now, pages })
  addFeatureRoutes(app, pages, { say, answerWithinMs: deps.pageWithinMs })
  const health = createHealth(deps)
  app.get('/health', async (context) => {
    const report = await health()
    return context.json(report, report.ok ? 200 : 503, { 'Cache-Control': 'no-store' })
  })
  app.notFound((context) => refuse(context, 404, { code: 'not-found', message: 'There is nothing here.' }))
  app.onError((failure, context) => refuseFailure(context, failure, say))
  return app
}

/** What every request passes before its route: it is counted in, mounted paths go their own way, and the others meet the guard. */
function addPassage(app: Hono, { during = async (_, work) => await work() }: WebDeps, parts: Parts): void {
  const { mounts, guard, place } = parts
  app.use(async (context, next) => {
    await during(`${context.req.method} ${matchedRoutes(context).at(-1)?.path}`, next)
    for (const [name, value] of Object.entries(headers)) context.header(name, value)
  })

  app.use(async (context, next) => {
    const mounted = mounts.get(context.req.path)
    if (mounted) return await serveMounted(context, mounted)
    const breach = guard.findBreach(context)
    if (breach !== undefined) return refuse(context, 403, { code: 'forbidden', message: breach })
    await next()
  })

  app.use('/api/*', async (context: Context, next: Next) => {
    const caller = await guard.identify(context)
    if (caller === 'nobody') return refuseNobody(context, place)
    // Browsers send Origin with every such request; a cookie without it did not come from the page.
    const safe = context.req.method === 'GET' || context.req.method === 'HEAD'
    if (caller === 'session' && !safe && context.req.header('origin') === undefined) {
      return refuse(context, 403, { code: 'forbidden', message: 'Requests with a cookie must name their origin.' })
    }
    await next()
    context.header('Cache-Control', 'no-store')
  })
}

async function serveMounted(context: Context, handler: MountedHandler): Promise<Response> {
  if (context.req.method !== 'POST') {
    return refuse(context, 405, { code: 'bad-input', message: 'Only POST is served here.', headers: { Allow: 'POST' } })
  }
  return await handler(context.req.raw)
}
