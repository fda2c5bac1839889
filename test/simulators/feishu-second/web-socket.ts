// The server's side of a WebSocket, written by hand: text is none, messages are whole, and a client that does not mask is put out.
// https://www.rfc-editor.org/rfc/rfc6455
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

export type Socket = {
  isOpen(): boolean
  send(bytes: Buffer): void
  /** Ends it without a word. */
  drop(): void
  close(code: number): void
}

export type SocketEvents = { onMessage(bytes: Buffer): void; onClose(): void }

const magic = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const codes = { binary: 2, close: 8, ping: 9, pong: 10 } as const

export function acceptSocket(request: IncomingMessage, stream: Duplex, { onMessage, onClose }: SocketEvents): Socket {
  const key = request.headers['sec-websocket-key'] ?? ''
  const accept = createHash('sha1').update(`${key}${magic}`).digest('base64')
  const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade']
  stream.write(`${[...head, `Sec-WebSocket-Accept: ${accept}`].join('\r\n')}\r\n\r\n`)
  let open = true
  let unread: Buffer = Buffer.alloc(0)
  let parts: Buffer[] = []
  const write = (code: number, body: Buffer): void => void (open && stream.write(toFrame(code, body)))
  const take = ({ code, body, isLast }: Read): void => {
    if (code === codes.close) return void stream.end()
    if (code === codes.ping) return write(codes.pong, body)
    if (code === codes.pong) return
    parts.push(body)
    if (!isLast) return
    const whole = Buffer.concat(parts)
    parts = []
    onMessage(whole)
  }
  stream.on('data', (data: Buffer) => {
    unread = Buffer.concat([unread, data])
    for (;;) {
      const read = readFrame(unread)
      if (read === 'more') return
      if (read === 'unmasked') return void stream.destroy()
      unread = unread.subarray(read.bytes)
      take(read)
    }
  })
  // An upgraded connection stays half open otherwise.
  stream.on('end', () => stream.destroy())
  stream.on('error', () => stream.destroy())
  stream.on('close', () => {
    if (open) onClose()
    open = false
  })
  return {
    isOpen: () => open,
    send: (bytes) => write(codes.binary, bytes),
    drop: () => void stream.destroy(),
    close(code) {
      write(codes.close, Buffer.from([code >> 8, code & 255]))
      stream.end()
    },
  }
}

function toFrame(code: number, body: Buffer): Buffer {
  if (body.length < 126) return Buffer.concat([Buffer.from([128 + code, body.length]), body])
  const isLong = body.length > 65_535
  const head = Buffer.alloc(isLong ? 10 : 4)
  head[0] = 128 + code
  head[1] = isLong ? 127 : 126
  if (isLong) head.writeBigUInt64BE(BigInt(body.length), 2)
  else head.writeUInt16BE(body.length, 2)
  return Buffer.concat([head, body])
}

type Read = { readonly code: number; readonly body: Buffer; readonly isLast: boolean; readonly bytes: number }

function readFrame(given: Buffer): Read | 'more' | 'unmasked' {
  if (given.length < 2) return 'more'
  const [first, second] = [given.readUInt8(0), given.readUInt8(1)]
  const short = second & 127
  const at = short === 127 ? 10 : short === 126 ? 4 : 2
  if (given.length < at) return 'more'
  const length = short === 127 ? Number(given.readBigUInt64BE(2)) : short === 126 ? given.readUInt16BE(2) : short
  if ((second & 128) === 0) return 'unmasked'
  const bytes = at + 4 + length
  if (given.length < bytes) return 'more'
  const mask = given.subarray(at, at + 4)
  const body = Buffer.from(given.subarray(at + 4, bytes).map((byte, i) => byte ^ (mask[i & 3] ?? 0)))
  return { code: first & 15, body, isLast: (first & 128) !== 0, bytes }
}
