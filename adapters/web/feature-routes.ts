// Serves the routes of features' pages below /api/<page>/. A page is opened at the first request to it; a route that fails or hangs costs its own answer.
import type { Context, Hono } from 'hono'
import { z } from 'zod'
import { BotError } from '#shared/errors.ts'
import type { PageFace, PageRoute } from '#shared/feature/page.ts'
import { refuse, refuseFailure, within, type Say } from './answer.ts'
import { webOwner } from './conversation-routes.ts'
import { maxBodyBytes, readAnyJson, type Body } from './request-body.ts'

/** A page whose ports are given to it. */
export type ServedPage = PageFace & { open(): Promise<readonly PageRoute[]> }

/** The opening of a page counts too. */
const usualWithinMs = 10_000
const usualBodyBytes = 64 * 1024
const mostAnswerChars = 4_000_000
/** Of one page, so that a page whose store hangs does not take up the server. */
const mostAtOnce = 16
const pathForm = /^[a-z0-9-]+(?:\/[a-z0-9-]+)*$/

/** `answerWithinMs`: ten seconds when left out. */
export type FeatureRouteDeps = { readonly say: Say; readonly answerWithinMs?: number | undefined }

/** To be called when all other routes stand. Throws BotError `config` when a page has the name of one of them, or of another page. */
export function addFeatureRoutes(app: Hono, pages: readonly ServedPage[], deps: FeatureRouteDeps): void {
  const taken = new Set(app.routes.flatMap(({ path }) => (path.startsWith('/api/') ? [path.split('/')[2]] : [])))
  for (const page of pages) {
    if (taken.has(page.name))
      throw new BotError('config', `Two pages, or a page and the web channel, have routes at /api/${page.name}/.`)
    taken.add(page.name)
    app.all(`/api/${page.name}/*`, serve(page, deps))
  }
}

function serve(page: ServedPage, deps: FeatureRouteDeps): (context: Context) => Promise<Response> {
  const opener = createOpener(page)
  const limitMs = deps.answerWithinMs ?? usualWithinMs
  let running = 0
  return async (context) => {
    if (running >= mostAtOnce) {
      const message = 'Too many requests to this page are being answered. Try again in a moment.'
      return refuse(context, 429, { code: 'busy', message, headers: { 'Retry-After': '1' } })
    }
    running += 1
    const ending = new AbortController()
    const { signal: leaving } = context.req.raw
    try {
      const work = answer(context, opener, AbortSignal.any([leaving, ending.signal]))
      const response = await within(Promise.race([work, untilGone(leaving)]), limitMs)
      if (response) return response
      opener.giveUp()
      deps.say(`A page did not answer within ${limitMs} ms: ${context.req.method} ${context.req.path.slice(0, 100)}`)
      return refuse(context, 504, { code: 'internal', message: 'This took too long. Please try again.' })
    } catch (failure) {
      return refuseRoute(context, failure, leaving.aborted ? () => {} : deps.say)
    } finally {
      ending.abort()
      running -= 1
    }
  }
}

/** Rejects when the caller goes: what would answer them holds no place any more. */
async function untilGone(leaving: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  leaving.addEventListener('abort', () => reject(new BotError('internal', 'The caller has gone.')), { once: true })
  return await promise
}

type Opener = {
  open(): Promise<readonly PageRoute[]>
  /** The next request opens the page anew, where it is still being opened. */
  giveUp(): void
}

/** Opens the page once, however many ask. */
function createOpener(page: ServedPage): Opener {
  let opened: readonly PageRoute[] | undefined
  let opening: Promise<readonly PageRoute[]> | undefined
  return {
    async open() {
      if (opened) return opened
      const own = (opening ??= page.open().then((routes) => checkRoutes(page, routes)))
      try {
        opened = await own
        return opened
      } finally {
        if (opening === own) opening = undefined
      }
    },
    giveUp() {
      opening = undefined
    },
  }
}

function checkRoutes({ name }: PageFace, routes: readonly PageRoute[]): readonly PageRoute[] {
  const seen = new Set<string>()
  for (const { method, path } of routes) {
    const one = `${method} ${path}`
    if (!pathForm.test(path) || seen.has(one))
      throw new BotError('internal', `The page "${name}" has the route "${one}" twice, or its path is malformed.`)
    seen.add(one)
  }
  return routes
}

async function answer(context: Context, opener: Opener, signal: AbortSignal): Promise<Response> {
  const routes = await opener.open()
  const path = context.req.path.split('/').slice(3).join('/')
  const method = context.req.method === 'HEAD' ? 'GET' : context.req.method
  const here = routes.filter((one) => one.path === path)
  const route = here.find((one) => one.method === method)
  if (!route && here.length > 0) {
    const Allow = here.map((one) => one.method).join(', ')
    return refuse(context, 405, { code: 'bad-input', message: `Only ${Allow} is served here.`, headers: { Allow } })
  }
  if (!route) return refuse(context, 404, { code: 'not-found', message: 'There is nothing here.' })
  const input = await readInput(context, route)
  if (input.kind === 'refused') return refuse(context, input.problem.status, input.problem)
  const said = await route.handle({ input: input.value, principal: webOwner, signal })
  const text = JSON.stringify(said) ?? 'null'
  if (text.length > mostAnswerChars)
    throw new BotError('internal', `The answer of the page's route "${path}" has ${text.length} characters.`)
  return context.body(text, 200, { 'Content-Type': 'application/json' })
}

/** The fields of the query or the body, all of them listed by the route. */
async function readInput(context: Context, route: PageRoute): Promise<Body<Record<string, unknown>>> {
  const given = new URL(context.req.url).searchParams
  if (route.method === 'POST' && given.size > 0) return refused('This takes a body and no query.')
  if (new Set(given.keys()).size < given.size) return refused('A name stands in the query twice.')
  const body: Body<unknown> =
    route.method === 'GET'
      ? { kind: 'ok', value: Object.fromEntries(given) }
      : await readAnyJson(context.req.raw, Math.min(route.maxBytes ?? usualBodyBytes, maxBodyBytes))
  if (body.kind === 'refused') return body
  const parsed = await z.strictObject(route.input).safeParseAsync(body.value)
  return parsed.success ? { kind: 'ok', value: parsed.data } : refused(toProblem(parsed.error, route))
}

const refused = (message: string): Body<never> => ({
  kind: 'refused',
  problem: { status: 400, code: 'bad-input', message },
})

/** The first thing that does not fit, and what is asked for. */
function toProblem({ issues }: z.ZodError, { input }: PageRoute): string {
  const [issue] = issues
  const asked = `This takes ${Object.keys(input).join(', ') || 'nothing'}.`
  if (issue?.code === 'unrecognized_keys') return `"${issue.keys[0]?.slice(0, 40)}" is not known here. ${asked}`
  return `${issue?.path.join('.').slice(0, 80) || 'The body'}: ${issue?.message}. ${asked}`
}

function refuseRoute(context: Context, failure: unknown, say: Say): Response {
  const code = failure instanceof BotError ? failure.code : undefined
  if (failure instanceof BotError && (code === 'forbidden' || code === 'not-found'))
    return refuse(context, code === 'forbidden' ? 403 : 404, { code, message: failure.message })
  return refuseFailure(context, failure, say)
}
