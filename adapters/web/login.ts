// Trades the web token, or the secret of a link, for a session cookie, once per browser. Both travel in the form's body, never in a URL. The right token
// always opens: many people may share an address, and wrong guesses of one must not keep the owner out.
import type { Context, Hono } from 'hono'
import { deleteCookie, setCookie } from 'hono/cookie'
import { z } from 'zod'
import { refuse } from './answer.ts'
import type { AccessToken } from './access-token.ts'
import type { Guard } from './guard.ts'
import type { LoginLink } from './login-link.ts'
import type { PageFiles } from './page-files.ts'
import { readText } from './request-body.ts'
import { createSession, isSameSecret, sessionSeconds } from './session.ts'

const maxFormBytes = 4096
/** Wrong tokens a minute that are told to be wrong; further ones are told to wait. From one address, and from all together. */
const maxFailures = { each: 10, all: 200 }
const windowMs = 60_000

export type LoginDeps = {
  readonly token: AccessToken
  readonly guard: Guard
  /** Where the token lies, as it may be told. */
  readonly place: string
  readonly page: PageFiles
  readonly link: Pick<LoginLink, 'use'>
  now(): number
}

export function addLogin(app: Hono, deps: LoginDeps): void {
  let failures: readonly { readonly from: string; readonly atMs: number }[] = []
  const isLimited = (from: string): boolean =>
    failures.length >= maxFailures.all || failures.filter((one) => one.from === from).length >= maxFailures.each

  app.get('/login', async (context) =>
    (await deps.guard.identify(context)) === 'session' ? context.redirect('/', 303) : showForm(deps, context, 'none'),
  )

  app.post('/login', async (context) => {
    if (context.req.header('origin') === undefined) {
      return refuse(context, 403, { code: 'forbidden', message: 'Log in with the form of this server.' })
    }
    const body = await readText(context.req.raw, maxFormBytes)
    const form = new URLSearchParams(body.kind === 'ok' ? body.value : '')
    const once = form.get('once')
    const given = form.get('token')?.trim() ?? ''
    const expected = await deps.token.current()
    const opens = once === null ? expected !== undefined && isSameSecret(given, expected) : deps.link.use(once)
    if (expected === undefined || !opens) {
      failures = failures.filter(({ atMs }) => deps.now() - atMs < windowMs)
      const from = toAddress(context)
      if (!isLimited(from)) {
        failures = [...failures, { from, atMs: deps.now() }]
        return showForm(deps, context, once === null ? 'wrong' : 'spent')
      }
      context.header('Retry-After', String(windowMs / 1000))
      return showForm(deps, context, 'limit')
    }
    setCookie(context, deps.guard.cookieName(), createSession(expected, deps.now()), {
      httpOnly: true,
      sameSite: 'Strict',
      secure: deps.guard.isSecure(context),
      path: '/',
      maxAge: sessionSeconds,
    })
    return context.redirect('/', 303)
  })

  app.post('/logout', (context) => {
    deleteCookie(context, deps.guard.cookieName(), { path: '/' })
    return context.redirect('/login', 303)
  })
}

const rim = z.object({ incoming: z.object({ socket: z.object({ remoteAddress: z.string() }) }) })

/** Where the connection comes from; what the caller says of it counts for nothing. */
function toAddress(context: Context): string {
  return rim.safeParse(context.env).data?.incoming.socket.remoteAddress ?? ''
}

type Problem = 'none' | 'wrong' | 'spent' | 'limit'
const statuses = { none: 200, wrong: 401, spent: 401, limit: 429 } as const

function showForm({ page, place }: LoginDeps, context: Context, problem: Problem): Response {
  const form = page.text('login.html').replace('data-problem="none"', `data-problem="${problem}"`)
  const html = form.replace('<code id="place">', (code) => code + toHtml(place))
  context.header('Cache-Control', 'no-store')
  return context.html(html, statuses[problem])
}

const toHtml = (text: string): string => text.replaceAll(/[<>&"']/g, (sign) => `&#${sign.codePointAt(0)};`)
