// The small HTTP rim that every simulator stands on: listen on 127.0.0.1, read a body, answer JSON, close with sockets open.
// It knows no platform and refuses bodies above 64 MB.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

const maxBodyBytes = 64 * 1024 * 1024

export type Exchange = { readonly req: IncomingMessage; readonly res: ServerResponse; readonly url: URL }

export type Listening = { readonly port: number; readonly origin: string; close(): Promise<void> }

/** Takes over a connection that asks for another protocol, such as a WebSocket. */
export type Upgrade = (req: IncomingMessage, socket: Duplex, head: Buffer) => void

/** Starts listening on 127.0.0.1; port 0 takes a free one. A handler that throws becomes a 500, never a dead process. */
export async function listen(
  handler: (exchange: Exchange) => Promise<void>,
  port: number,
  upgrade?: Upgrade,
): Promise<Listening> {
  const server = createServer({ keepAliveTimeout: 65_000, noDelay: true }, (req, res) => {
    const url = new URL(req.url ?? '/', 'http://127.0.0.1')
    handler({ req, res, url }).catch((error: unknown) => {
      if (res.headersSent) res.destroy()
      else sendJson(res, 500, { error: { message: `The simulator failed: ${String(error)}` } })
    })
  })
  if (upgrade !== undefined) server.on('upgrade', upgrade)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The simulator got no TCP port')
  return {
    port: address.port,
    origin: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The whole body as bytes. Rejects when the client goes away before it is complete. */
export async function readBody(req: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of req) {
    const buffer = Buffer.from(part)
    bytes += buffer.length
    if (bytes > maxBodyBytes) throw new Error(`The request body exceeds ${maxBodyBytes} bytes`)
    parts.push(buffer)
  }
  const only = parts.length === 1 ? parts[0] : undefined
  return only ?? Buffer.concat(parts)
}

/** The body as JSON; undefined when it is not JSON. */
export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Answers JSON with its length, so that the connection stays reusable. */
export function sendJson(
  res: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = Buffer.from(JSON.stringify(value))
  res.writeHead(status, { ...headers, 'content-type': 'application/json', 'content-length': body.length })
  res.end(body)
}
