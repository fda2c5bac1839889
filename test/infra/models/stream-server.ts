// A tiny model endpoint for the provider's tests: each test says how the next requests are answered.
import http from 'node:http'
import type { AddressInfo } from 'node:net'

export type Seen = { readonly headers: http.IncomingHttpHeaders; readonly body: Record<string, unknown> }
export type Answer = (response: http.ServerResponse, seen: Seen) => void

export type StreamServer = {
  readonly baseUrl: string
  /** Every request, oldest first. */
  readonly seen: Seen[]
  /** The connections opened so far. */
  connections(): number
  answer(answer: Answer): void
  [Symbol.asyncDispose](): Promise<void>
}

export async function startStreamServer(): Promise<StreamServer> {
  const seen: Seen[] = []
  let connections = 0
  let answer: Answer = (response) => void response.writeHead(500).end()
  const server = http.createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => (text += chunk))
    request.on('end', () => {
      const body: Record<string, unknown> = JSON.parse(text)
      const each = { headers: request.headers, body }
      seen.push(each)
      answer(response, each)
    })
  })
  server.on('connection', () => connections++)
  // Of more connections in one moment than the backlog holds, the kernel drops some, and they are tried again late.
  await new Promise<void>((resolve) => void server.listen({ port: 0, host: '127.0.0.1', backlog: 2048 }, resolve))
  return {
    baseUrl: `http://127.0.0.1:${toPort(server.address())}/v1`,
    seen,
    connections: () => connections,
    answer: (next) => void (answer = next),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}

export function startStream(response: http.ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
}

/** One event of the stream. */
export function event(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

export function piece(content: string, finish: string | null = null): string {
  return event({ id: 'c1', model: 'sim-1', choices: [{ index: 0, delta: { content }, finish_reason: finish }] })
}

export function toolPiece(deltas: readonly unknown[], finish: string | null = null): string {
  return event({ id: 'c1', choices: [{ index: 0, delta: { tool_calls: deltas }, finish_reason: finish }] })
}

export const usageAndDone = `${event({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 3 } })}data: [DONE]\n\n`

function toPort(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('not listening on a port')
  return address.port
}
