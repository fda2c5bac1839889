// Sends a request of the model to a host that the operator lists, with the operator's secrets put in here: nothing outside of this room sees
// them, and what comes back has them blanked. It refuses other hosts, at each redirect too, and what is too slow, too large or packed to burst.
import { createHash } from 'node:crypto'
import type { HttpPort, HttpRequest, HttpResponse } from '#services/http-request/http-request.ts'
import { readUrl } from '#infra/web/fetch/check-url.ts'
import { mostRedirects, redirects, toCode } from '#infra/web/fetch/fetch-page.ts'
import { openChecked } from '#infra/web/fetch/open-checked.ts'
import { createOpen, type Opened, type OpenPinned, type Outgoing } from '#infra/web/fetch/open-pinned.ts'
import { PageError } from '#infra/web/fetch/page-error.ts'
import { readBody } from '#infra/web/fetch/read-body.ts'
import type { Reach } from '#infra/web/fetch/reach.ts'
import { decode } from '#infra/web/reading/decode.ts'
import { createGate } from '#queues/workers/start-gate.ts'
import { createBlanking, type HttpSecrets } from './blank.ts'
import { findHost, toReach, type HttpHost } from './hosts.ts'

export type HttpSettings = { readonly hosts: readonly HttpHost[]; readonly secrets: HttpSecrets }

/** What tests replace. */
export type HttpDeps = {
  readonly resolve?: Reach['resolve']
  readonly open?: (outgoing: Outgoing) => OpenPinned
  readonly timeoutMs?: number
}

/** Less than a tool has, so that what went wrong is told in our words. */
const usualTimeoutMs = 9000
const mostBytes = 1024 * 1024
const mostAtOnce = 16
const mostWaiting = 50
const mostTextChars = 20_000
const mostHeaderChars = 300
const shownHeaders = ['content-type', 'location', 'etag', 'last-modified', 'retry-after'] as const
const isText =
  /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml)\b|application\/(?:x-www-form-urlencoded|yaml|javascript)\b)/

type Sending = { readonly settings: HttpSettings; readonly deps: HttpDeps; readonly blank: (text: string) => string }

export function openHttpPort(settings: HttpSettings, deps: HttpDeps = {}): HttpPort {
  const sending = { settings, deps, blank: createBlanking(settings.secrets) }
  const gate = createGate(mostAtOnce)
  let inside = 0
  return {
    hosts: settings.hosts.map(({ entry }) => entry),
    honoursKeys: (url) => URL.canParse(url) && findHost(settings.hosts, new URL(url))?.honoursKeys === true,
    async send(request, signal) {
      if (inside === mostWaiting)
        throw new Error('nothing was sent: too many requests are on their way. Try again later.')
      inside++
      try {
        return await gate(async () => await sendWithin(sending, request, signal))
      } finally {
        inside--
      }
    },
  }
}

/** What became of the request so far: only of one that left may anything have come. */
type Fate = { isSent: boolean }

async function sendWithin(sending: Sending, request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
  signal.throwIfAborted()
  const { timeoutMs = usualTimeoutMs } = sending.deps
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  const fate: Fate = { isSent: false }
  try {
    return await follow(sending, request, { fate, signal: limit })
  } catch (error) {
    signal.throwIfAborted()
    const why = limit.aborted
      ? `no whole answer came within ${timeoutMs / 1000} s.`
      : error instanceof PageError
        ? error.message
        : `the connection failed (${toCode(error)}).`
    throw new Error(`${why} ${toFate(request, fate)}`, { cause: error })
  }
}

function toFate({ method }: HttpRequest, { isSent }: Fate): string {
  if (!isSent) return 'Nothing was sent.'
  return method === 'GET'
    ? 'It only reads.'
    : 'It was sent: whether it took effect is unknown. Do not send it again before you have looked.'
}

type Way = { readonly fate: Fate; readonly signal: AbortSignal }

async function follow(sending: Sending, request: HttpRequest, way: Way): Promise<HttpResponse> {
  const { hosts } = sending.settings
  let url = checkListed(hosts, request.url)
  let asked: HttpRequest = request
  // Once it has led to another origin, no secret goes along any more.
  let secrets = findSecrets(sending.settings, url)
  for (let redirected = 0; ; redirected++) {
    const opened = await openOne(sending, { asked, url, secrets }, way)
    const next = findNext(opened, { hosts, asked, url, redirected })
    if (next === undefined || typeof next === 'string')
      return await take(sending, opened, { moved: redirected > 0 ? url.href : undefined, note: next ?? '' })
    opened.destroy()
    if (next.origin !== url.origin) secrets = {}
    if (opened.statusCode === 303) asked = { ...asked, method: 'GET', headers: {}, body: undefined }
    url = next
  }
}

function checkListed(hosts: readonly HttpHost[], written: string, base?: URL): URL {
  const url = readUrl(written, base)
  url.hash = ''
  if (findHost(hosts, url)) return url
  const names = hosts.map(({ entry }) => entry).slice(0, 20)
  throw new PageError(`only these hosts are spoken to, by https: ${names.join(', ')}.`)
}

function findSecrets({ hosts, secrets }: HttpSettings, url: URL): Readonly<Record<string, string>> {
  const entry = findHost(hosts, url)?.entry
  return Object.entries(secrets).find(([host]) => host === entry)?.[1] ?? {}
}

type Hop = { readonly asked: HttpRequest; readonly url: URL; readonly secrets: Readonly<Record<string, string>> }

async function openOne({ settings, deps }: Sending, { asked, url, secrets }: Hop, way: Way): Promise<Opened> {
  const { method, headers } = asked
  const body = asked.body === undefined ? undefined : Buffer.from(asked.body)
  let isConnected = false
  const open = (deps.open ?? createOpen)({
    method,
    body,
    headers: {
      'user-agent': 'Flotilla/0.1 (for a person)',
      accept: 'application/json, text/plain;q=0.9, */*;q=0.1',
      'accept-encoding': 'identity',
      ...headers,
      // A name that only this process can make of the call, which says nothing of the conversation.
      ...(method === 'GET' ? {} : { 'idempotency-key': createHash('sha256').update(asked.key).digest('base64url') }),
      ...(body === undefined ? {} : { 'content-length': String(body.length) }),
      ...secrets,
    },
    onConnected() {
      isConnected = true
      way.fate.isSent = true
    },
  })
  const openOnce: OpenPinned = async (at, address, signal) => {
    try {
      return await open(at, address, signal)
    } catch (error) {
      // At another address it would be done twice.
      if (!isConnected) throw error
      throw new PageError(`the connection broke before an answer came (${toCode(error)}).`)
    }
  }
  return await openChecked({ reach: toReach(settings.hosts, deps.resolve), open: openOnce }, url, way.signal)
}

type Met = Omit<Hop, 'secrets'> & { readonly hosts: readonly HttpHost[]; readonly redirected: number }

/** Where a redirect leads, or why it is not followed; undefined where the answer is none. */
function findNext(opened: Opened, { hosts, asked, url, redirected }: Met): URL | string | undefined {
  const { location } = opened.headers
  const status = opened.statusCode ?? 0
  if (!redirects.has(status) || location === undefined) return undefined
  const why = (reason: string): string => `The redirect was not followed: ${reason}`
  if (redirected === mostRedirects) return why(`there were ${mostRedirects} before.`)
  let next: URL
  try {
    next = checkListed(hosts, location, url)
  } catch (error) {
    if (error instanceof PageError) return why(error.message)
    throw error
  }
  if (asked.method === 'GET' || status === 303) return next
  if (status === 301 || status === 302) return why('what changes something is not sent on by it.')
  return next.origin === url.origin ? next : why('what changes something is not sent on to another host.')
}

type Found = { readonly moved: string | undefined; readonly note: string }

async function take({ blank }: Sending, opened: Opened, { moved, note }: Found): Promise<HttpResponse> {
  const contentType = (opened.headers['content-type'] ?? '').trim().toLowerCase()
  const headers = shownHeaders.flatMap((name) => {
    const value = opened.headers[name]
    return value === undefined ? [] : [`${name}: ${toLine(blank(value))}`]
  })
  const { bytes, cut } = await readBody(opened, mostBytes)
  const isShown = contentType === '' || isText.test(contentType)
  const whole = isShown ? blank(decode(bytes, contentType)) : `(${bytes.length} bytes that are no text)`
  const text = whole.slice(0, mostTextChars).toWellFormed()
  const missing = cut || text.length < whole.length ? ' The rest of the text is left out.' : ''
  return {
    status: opened.statusCode ?? 0,
    headers,
    text,
    note: `${note}${missing}`.trim(),
    moved: moved === undefined ? undefined : toLine(blank(moved)),
  }
}

const toLine = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, mostHeaderChars).toWellFormed()
