// Trades the web token for a session cookie, once per browser. The token travels in the form's body, never in a URL.
import type { Context, Hono } from 'hono'
import { deleteCookie, setCookie } from 'hono/cookie'
import { refuse } from './answer.ts'
import type { AccessToken } from './access-token.ts'
import type { Guard } from './guard.ts'
import type { PageFiles } from './page-files.ts'
import { readText } from './request-body.ts'
import { createSession, isSameSecret, sessionSeconds } from './session.ts'

const maxFormBytes = 4096
/** Wrong tokens a minute, over all callers. */
const maxFailures = 10
const windowMs = 60_000

type LoginDeps = {
  readonly token: AccessToken
  readonly guard: Guard
  readonly page: PageFiles
  now(): number
}

export function addLogin(app: Hono, deps: LoginDeps): void {
  let failuresAtMs: readonly number[] = []

  app.get('/login', async (context) =>
    (await deps.guard.identify(context)) === 'session' ? context.redirect('/', 303) : showForm(deps, context, 'none'),
  )

  app.post('/login', async (context) => {
    if (context.req.header('origin') === undefined) {
      return refuse(context, 403, { code: 'forbidden', message: 'Log in with the form of this server.' })
    }
    failuresAtMs = failuresAtMs.filter((atMs) => deps.now() - atMs < windowMs)
    if (failuresAtMs.length >= maxFailures) {
      context.header('Retry-After', String(windowMs / 1000))
      return showForm(deps, context, 'limit')
    }
    const body = await readText(context.req.raw, maxFormBytes)
    const given = body.kind === 'ok' ? (new URLSearchParams(body.value).get('token')?.trim() ?? '') : ''
    const expected = await deps.token.current()
    if (expected === undefined || !isSameSecret(given, expected)) {
      failuresAtMs = [...failuresAtMs, deps.now()]
      return showForm(deps, context, 'wrong')
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

function showForm({ page }: LoginDeps, context: Context, problem: 'none' | 'wrong' | 'limit'): Response {
  const html = page.text('login.html').replace('data-problem="none"', `data-problem="${problem}"`)
  context.header('Cache-Control', 'no-store')
  return context.html(html, problem === 'wrong' ? 401 : problem === 'limit' ? 429 : 200)
}
