// HTTP for model calls on node:http: half the processor time of the built-in fetch, and one keep-alive pool without a limit
// per host, so a thousand streams run at once. It follows no redirect, retries nothing, and reads error bodies to a bound.
import http from 'node:http'
import https from 'node:https'
import { decode } from './content-encoding.ts'
import { toErrorBody } from './error-body.ts'

export type HttpRequest = {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: string
  readonly signal: AbortSignal
}

/** Longest error body read; the rest is discarded with the connection. */
const maxErrorBytes = 64 * 1024
/** Idle connections are closed after this long; an endpoint that announces less is obeyed. */
const keepAliveTimeoutMs = 30_000

const agentOptions = {
  keepAlive: true,
  maxSockets: Infinity,
  maxFreeSockets: 1024,
  timeout: keepAliveTimeoutMs,
  // Node's own switch for HTTPS_PROXY and NO_PROXY; agents made by hand must be told.
  ...(process.env['NODE_USE_ENV_PROXY'] === '1' ? { proxyEnv: process.env } : {}),
}
const httpAgent = new http.Agent(agentOptions)
const httpsAgent = new https.Agent(agentOptions)

const bodies = new WeakMap<Response, http.IncomingMessage>()
const plainHeaders = new WeakMap<Headers, Record<string, string>>()

/**
 * Sends a request and resolves with the response when its headers are here. Rejects with the network's error or the abort.
 * When a kept connection turns out to have been closed meanwhile, the request goes out once more on a new one.
 */
export function openHttp(url: string, request: HttpRequest, isSecondTry = false): Promise<http.IncomingMessage> {
  const secure = url.startsWith('https:')
  const pool = secure ? httpsAgent : httpAgent
  return new Promise((resolve, reject) => {
    const outgoing = (secure ? https : http).request(url, {
      method: request.method,
      headers: request.headers,
      agent: isSecondTry ? false : pool,
    })
    // The `signal` option of Node does the same with a dozen listeners on each request.
    const abort = (): void => {
      outgoing.destroy(new Error('The request was aborted.'))
    }
    if (request.signal.aborted) abort()
    request.signal.addEventListener('abort', abort, { once: true })
    outgoing.on('response', resolve)
    outgoing.on('error', (error) => {
      const isStale = outgoing.reusedSocket && 'code' in error && error.code === 'ECONNRESET'
      if (isStale && !isSecondTry && !request.signal.aborted) resolve(openHttp(url, request, true))
      else reject(error)
    })
    outgoing.end(request.body)
  })
}

/** Reads a body up to `maxBytes`; a longer one is cut and its connection closed. Nothing of one in an unknown encoding. */
export async function readBounded(response: http.IncomingMessage, maxBytes: number): Promise<string> {
  const body = decode(response)
  if (!body) {
    response.destroy()
    return ''
  }
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    if (!Buffer.isBuffer(chunk)) continue
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > maxBytes) break
  }
  return Buffer.concat(chunks).toString('utf8', 0, maxBytes)
}

/**
 * The `fetch` given to the SDK. A good response carries no web stream: its bytes are taken with `takeBody`. A bad one
 * carries its text, so that the SDK makes its usual error of it.
 */
export async function sdkFetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const incoming = await send(input, init)
  if (incoming.statusCode !== 200) return await toFailed(incoming)
  const response = new Response(null)
  bodies.set(response, incoming)
  return response
}

/** The same with the whole body in the response, up to `maxBytes`. */
export const createWholeFetch =
  (maxBytes: number) =>
  async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const incoming = await send(input, init)
    if (incoming.statusCode !== 200) return await toFailed(incoming)
    const headers = { 'content-type': 'application/json' }
    return new Response(await readBounded(incoming, maxBytes), { headers })
  }

const send = async (input: string | URL | Request, init: RequestInit): Promise<http.IncomingMessage> =>
  await openHttp(input instanceof Request ? input.url : String(input), {
    method: init.method ?? 'GET',
    headers: toPlain(init.headers),
    ...(typeof init.body === 'string' ? { body: init.body } : {}),
    signal: init.signal ?? new AbortController().signal,
  })

async function toFailed(incoming: http.IncomingMessage): Promise<Response> {
  const status = incoming.statusCode ?? 0
  const headers = new Headers()
  for (const name of ['retry-after', 'retry-after-ms', 'content-type', 'x-request-id']) {
    const value = incoming.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  const text = await readBounded(incoming, maxErrorBytes)
  // The SDK keeps only what stands under `error`.
  const said = toErrorBody(text)
  const isError = status >= 300 && status <= 599 && status !== 304 // a 304 may carry no text
  return new Response(said, { status: isError ? status : 502, headers })
}

/** Headers as node:http takes them; of an object that comes again they are known. */
function toPlain(headers: RequestInit['headers']): Record<string, string> {
  if (!(headers instanceof Headers)) return Object.fromEntries(new Headers(headers))
  let plain = plainHeaders.get(headers)
  if (!plain) {
    plain = Object.fromEntries(headers)
    plainHeaders.set(headers, plain)
  }
  return plain
}

/** The bytes behind a response of `sdkFetch`, once. */
export function takeBody(response: Response): http.IncomingMessage | undefined {
  const body = bodies.get(response)
  bodies.delete(response)
  return body
}
