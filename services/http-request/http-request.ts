// The tool `http_request`: one request to a service that the operator lists. It may change something there, so it is a `write`; how it is sent,
// what is refused and which secrets go along is a port's affair, and none of these secrets is ever seen here.
import { z } from 'zod'
import { PassingError } from '#shared/errors.ts'
import type { Capability } from '#shared/feature/capability.ts'
import type { Feature } from '#shared/feature/feature.ts'
import { withoutAddresses } from '#shared/model/addresses.ts'
import type { OnCrash, Tool } from '#shared/model/tool.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export type HttpRequest = {
  readonly method: (typeof methods)[number]
  readonly url: string
  /** In small letters. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** The same for every run of the same call. */
  readonly key: string
}
/** As it was answered, without secrets: the words of others, the lengths bounded. */
export type HttpResponse = {
  readonly status: number
  /** Lines `name: value`. */
  readonly headers: readonly string[]
  readonly text: string
  /** What is missing of it, or why a redirect was not followed; in our own words, empty when nothing is. */
  readonly note: string
  /** Where it was answered, if it was not where it was sent. */
  readonly moved: string | undefined
}
export type HttpPort = {
  /** As the operator lists them. */
  readonly hosts: readonly string[]
  /** Whether the operator says of the host of this address that it has its effect once for each Idempotency-Key. */
  honoursKeys(url: string): boolean
  /** Rejects with what the model is to read: why there is no answer, and whether anything was sent. */
  send(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse>
}

const mostBodyBytes = 64 * 1024
const mostNamed = 8

const mediaType = z
  .string()
  .max(100)
  .regex(/^[\w.+*-]+\/[\w.+*-]+(?:; ?charset=[\w-]+)?$/)
const body = z.union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())])
const asked = z
  .strictObject({
    method: z.enum(methods),
    url: z.string().trim().min(1).max(2000),
    headers: z.strictObject({ 'content-type': mediaType.optional(), accept: mediaType.optional() }).optional(),
    body: body.optional(),
  })
  .refine((one) => one.method !== 'GET' || one.body === undefined, { path: ['body'], message: 'A GET has none.' })

type Asked = z.infer<typeof asked>

/** Of a service that is busy, or away behind its gate: the same may succeed in a moment. */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504])

export const httpRequestCapability: Capability<{ readonly tools: { readonly http: HttpPort | undefined } }> = {
  needs: { tool: 'http_request', setting: 'FLOTILLA_HTTP_HOSTS' },
  create: ({ tools }) => tools.http && createHttpRequest(tools.http),
}

export function createHttpRequest(port: HttpPort): Feature {
  return { name: 'http-request', tools: [createTool(port)] }
}

function createTool(port: HttpPort): Tool {
  const named = `${port.hosts.slice(0, mostNamed).join(', ')}${port.hosts.length > mostNamed ? ', …' : ''}`
  return {
    name: 'http_request',
    summary: { zh: `向一个服务发送一次请求：${named}。`, en: `Sends a request to a service: ${named}.` },
    description: `Sends one HTTP request to a service: ${named}. Access is set up already: send no keys.`,
    parameters: {
      type: 'object',
      properties: {
        method: { type: 'string', enum: methods },
        url: { type: 'string' },
        headers: { type: 'object', description: 'Only content-type and accept.' },
        body: { description: 'JSON or a text.' },
      },
      required: ['method', 'url'],
    },
    effect: 'write',
    onCrash: (input) => toCrashRule(port, input),
    listing: 'rare',
    brief: (input) => toLine(asked.safeParse(input).data),
    onlyReads: (input) => isReading(asked.safeParse(input).data),
    destructive: (input) => isDelete(asked.safeParse(input).data),
    scope: { argument: 'url', by: 'path', same: ['method'], only: (input) => isReading(asked.safeParse(input).data) },
    async run(input, { idempotencyKey }, signal) {
      const { method, url, headers = {}, body: given } = asked.parse(input)
      const request = { method, url, ...toBody(headers, given), key: idempotencyKey }
      const response = await port.send(request, signal)
      const text = toText(response)
      // A refusal is a failure, so that nobody takes it for done.
      if (passing.has(response.status)) throw new PassingError(text)
      if (response.status >= 400) throw new Error(text)
      return { text, source: 'others' }
    },
  }
}

/** Of what changes something nothing but the very same call is alike. */
const isReading = (request: Asked | undefined): boolean =>
  request?.method === 'GET' &&
  ![...(URL.parse(request.url)?.searchParams.keys() ?? [])].some((name) => override.test(name))

const toLine = (request: Asked | undefined): string | undefined => request && `${request.method} ${request.url}`

/** Some services delete by a POST that says so. */
function isDelete(request: Asked | undefined): boolean {
  if (!request) return false
  const { method, url, body: sent } = request
  const fields = typeof sent === 'string' ? (toJson(sent) ?? [...new URLSearchParams(sent)]) : sent
  const inBody: readonly unknown[] = Array.isArray(fields) ? fields : Object.entries(fields ?? {})
  return method === 'DELETE' || [...(URL.parse(url)?.searchParams ?? []), ...inBody].some(isOverride)
}
const override = /^(?:_method|(?:x-)?http-method(?:-override)?|x-method-override)$/i
const isOverride = (field: unknown): boolean =>
  Array.isArray(field) && override.test(String(field[0])) && /^delete$/i.test(String(field[1]).trim())
function toJson(text: string): object | undefined {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null ? read : undefined
  } catch {
    return undefined
  }
}

/**
 * What HTTP itself says may be sent again (RFC 9110, 9.2.2) is. A POST or PATCH is sent again only where the operator says that the service heeds
 * the key: one that ignores it would do it twice.
 */
function toCrashRule(port: HttpPort, input: unknown): OnCrash {
  const { data } = asked.safeParse(input)
  // What does not fit was never sent.
  if (!data) return 'rerun'
  const isRepeatable = data.method !== 'POST' && data.method !== 'PATCH'
  return isRepeatable || port.honoursKeys(data.url) ? 'rerun-with-key' : 'ask'
}

type Headers = { readonly 'content-type'?: string | undefined; readonly accept?: string | undefined }

/** Throws where the body is too large. */
function toBody(given: Headers, written: z.infer<typeof body> | undefined): Pick<HttpRequest, 'headers' | 'body'> {
  const text = written === undefined || typeof written === 'string' ? written : JSON.stringify(written)
  if (text !== undefined && Buffer.byteLength(text) > mostBodyBytes)
    throw new Error(`the body has more than ${mostBodyBytes / 1024} KB. Nothing was sent.`)
  const usual =
    text === undefined ? {} : { 'content-type': isJson(text) ? 'application/json' : 'text/plain; charset=utf-8' }
  const own = Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  )
  return { headers: { ...usual, ...own }, body: text }
}

const isJson = (text: string): boolean => toJson(text) !== undefined

/** Every word but the first line and the note is the server's. */
function toText({ status, headers, text, note, moved }: HttpResponse): string {
  const head = [`HTTP ${status}`, ...(moved === undefined ? [] : [`answered by: ${moved}`]), ...headers]
  return [
    head.map(withoutAddresses).join('\n'),
    ...(note === '' ? [] : [`(${note})`]),
    withoutAddresses(text).trim() || '(no text)',
  ].join('\n\n')
}
