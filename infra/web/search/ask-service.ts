// Asks a search service over HTTP: one request, no redirects, a bounded answer that is checked before it is believed. Every way to fail has
// words for the model; what the service says about a failure is not among them, since it may repeat our key.
import type { z } from 'zod'
import { BotError } from '#shared/errors.ts'
import { openHttp, readBounded } from '#infra/models/http-transport.ts'

export type ServiceRequest = {
  /** As the model may be told it. */
  readonly service: string
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export type Within = { readonly signal: AbortSignal; readonly timeoutMs: number }

/** A hundred times what six results take. */
const mostBytes = 2 * 1024 * 1024

/** The answer as `schema` reads it. Rejects with a sentence that says what failed and what to do. */
export async function askService<T>(
  request: ServiceRequest,
  schema: z.ZodType<T>,
  { signal, timeoutMs }: Within,
): Promise<T> {
  const { service } = request
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  const { status, type, text } = await send(request, limit).catch((error: unknown) => {
    signal.throwIfAborted()
    if (limit.aborted) throw new Error(`${service} did not answer within ${timeoutMs / 1000} s. Try again later.`)
    throw toPassing(`${service} cannot be reached (${toCode(error)}). Try again later.`)
  })
  if (status >= 500) throw toPassing(toRefusal(service, status))
  if (status !== 200) throw new Error(toRefusal(service, status))
  // An instance that answers machines only by a page, or a gate in front of it.
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(type))
    throw new Error(`${service} answered with ${describe(type)} instead of results. The operator has to look at it.`)
  const found = schema.safeParse(parse(text))
  if (!found.success) throw new Error(`${service} answered with something that is no list of results.`)
  return found.data
}

const toPassing = (text: string): BotError => new BotError('platform', text, { retry: { afterMs: 1000 } })

type Answered = { readonly status: number; readonly type: string; readonly text: string }

async function send({ method, url, headers, body }: ServiceRequest, signal: AbortSignal): Promise<Answered> {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const incoming = await openHttp(url.href, {
    method,
    headers: { accept: 'application/json', 'accept-encoding': 'identity', ...headers, ...length },
    ...(body === undefined ? {} : { body }),
    signal,
  })
  const status = incoming.statusCode ?? 0
  const text = await readBounded(incoming, mostBytes)
  signal.throwIfAborted()
  return { status, type: incoming.headers['content-type'] ?? '', text }
}

function toRefusal(service: string, status: number): string {
  if (status === 429) return `${service} is asked too often right now (429). Do not try again in this turn.`
  if (status === 401 || status === 403)
    return `${service} refuses the operator's access (${status}). Tell the person that the search is not set up right.`
  if (status === 402 || status === 432 || status === 433)
    return `${service} has no more searches on the operator's plan (${status}). Do not try again.`
  if (status >= 500) return `${service} is out of order (${status}). Try again later.`
  return `${service} did not take the search (${status}).`
}

const describe = (type: string): string => (/\bhtml\b/i.test(type) ? 'a web page' : 'no JSON')

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const toCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'the connection broke'
