// Fetches one page: each address on the way is checked, resolved once, and opened at what was resolved. It refuses whatever is not public,
// not a page, too slow or too large, and says so in its own words.
import { checkUrl } from './check-url.ts'
import { openChecked } from './open-checked.ts'
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

export const mostRedirects = 3
export const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
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
    throw new PageError(`the connection failed (${toCode(error)}).`, { afterMs: 1000 })
  }
}

async function follow(deps: FetchDeps, first: URL, signal: AbortSignal): Promise<Fetched> {
  let url = first
  for (let redirected = 0; ; redirected++) {
    const opened = await openChecked(deps, url, signal)
    const status = opened.statusCode ?? 0
    const location = opened.headers.location
    if (!redirects.has(status) || location === undefined) return await take(opened, url)
    opened.destroy()
    if (redirected === mostRedirects) throw new PageError(`it redirects more than ${mostRedirects} times.`)
    url = checkUrl(location, deps.reach, url)
  }
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

export const toCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^[A-Z_\d]{1,60}$/.test(error.code)
    ? error.code
    : 'no answer'
