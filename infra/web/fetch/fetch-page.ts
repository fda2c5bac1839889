// Fetches one page: each address on the way is checked, resolved once, and opened at what was resolved. It refuses whatever is not public,
// not a page, too slow or too large, and says so in its own words.
import { isIP } from 'node:net'
import { checkUrl, notPublic, toHost } from './check-url.ts'
import { openPinned, type OpenPinned, type Opened } from './open-pinned.ts'
import { PageError } from './page-error.ts'
import { publicReach, type Reach } from './reach.ts'
import { readBody } from './read-body.ts'

export type Fetched = {
  /** Where it was found, after redirects. */
  readonly address: string
  /** In small letters, with its parameters. */
  readonly contentType: string
  readonly bytes: Uint8Array
  readonly cut: boolean
}

/** What tests replace, by passing it in. */
export type FetchDeps = { readonly reach: Reach; readonly open: OpenPinned; readonly timeoutMs: number }

export const fetchDeps: FetchDeps = { reach: publicReach, open: openPinned, timeoutMs: 10_000 }

const mostRedirects = 3
/** Of a name with many addresses; the first may be of a family that this machine cannot reach. */
const mostTried = 3
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
/** What can be read. Pictures, archives and PDF files cannot. */
const readable =
  /^(?:text\/(?!css|javascript)[\w.+-]+|application\/(?:xhtml\+xml|json|(?:[\w.-]+\+)?json|xml|[\w.-]+\+xml)) *(?:;|$)/

/** Throws PageError with what the model is told; the abort of `signal` as it is. */
export async function fetchPage(deps: FetchDeps, address: string, signal: AbortSignal): Promise<Fetched> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(deps.timeoutMs)])
  try {
    return await follow(deps, checkUrl(address, deps.reach), limit)
  } catch (error) {
    signal.throwIfAborted()
    if (limit.aborted) throw new PageError(`it did not come within ${deps.timeoutMs / 1000} s.`)
    if (error instanceof PageError) throw error
    throw new PageError(`the connection failed (${toCode(error)}).`)
  }
}

async function follow(deps: FetchDeps, first: URL, signal: AbortSignal): Promise<Fetched> {
  let url = first
  for (let redirected = 0; ; redirected++) {
    const opened = await openChecked(deps, url, signal)
    // Without a listener an error of the connection would end the process.
    opened.on('error', () => {})
    const status = opened.statusCode ?? 0
    const location = opened.headers.location
    if (!redirects.has(status) || location === undefined) return await take(opened, url)
    opened.destroy()
    if (redirected === mostRedirects) throw new PageError(`it redirects more than ${mostRedirects} times.`)
    url = checkUrl(location, deps.reach, url)
  }
}

/** Resolves the name once, refuses it if any of its addresses is not allowed, and opens the first that answers. */
async function openChecked({ reach, open }: FetchDeps, url: URL, signal: AbortSignal): Promise<Opened> {
  const host = toHost(url)
  const addresses = isIP(host) === 0 ? await reach.resolve(host, signal) : [host]
  signal.throwIfAborted()
  if (addresses.length === 0) throw new PageError('there is no such site.')
  if (!addresses.every((address) => isIP(address) !== 0 && reach.isAllowed(address))) throw notPublic()
  let failure: unknown
  for (const address of addresses.slice(0, mostTried)) {
    try {
      return await open(url, address, signal)
    } catch (error) {
      signal.throwIfAborted()
      failure = error
    }
  }
  throw failure
}

async function take(opened: Opened, url: URL): Promise<Fetched> {
  const status = opened.statusCode ?? 0
  const contentType = (opened.headers['content-type'] ?? '').trim().toLowerCase()
  const refusal = findRefusal(status, contentType)
  if (refusal !== undefined) {
    opened.destroy()
    throw new PageError(refusal)
  }
  return { address: url.href, contentType, ...(await readBody(opened)) }
}

function findRefusal(status: number, contentType: string): string | undefined {
  if (status !== 200) return `the site answered ${status}.`
  if (contentType === '') return 'the site does not say what it is (no content type).'
  if (readable.test(contentType)) return undefined
  const type = /^[\w.-]{1,40}\/[\w.+-]{1,80}/.exec(contentType)?.[0] ?? 'something unknown'
  return `it is ${type}, which cannot be read as text.`
}

const toCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^[A-Z_\d]{1,60}$/.test(error.code)
    ? error.code
    : 'no answer'
