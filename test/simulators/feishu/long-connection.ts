// The long connections that a bot opens for its events: at most fifty, each opened with a ticket that works once. An event goes to one
// of them at random, in one frame or several, and is acknowledged by the same frame with `{code, data}`. Pings are answered.
// A connection goes open → silent (it neither hears nor says anything) → closed.
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type RawData, type WebSocket } from 'ws'
import { z } from 'zod'
import type { Upgrade } from '#test/simulators/http-server.ts'
import type { Clock } from './clock.ts'
import type { Answer, Transport } from './delivery.ts'
import { decodeFrame, encodeFrame, methods, type Frame } from './frames.ts'
import type { ConnectionEntry } from './ledger.ts'

export type LongConnectionOptions = {
  readonly pingIntervalS: number
  readonly reconnectIntervalS: number
  /** At most this long is the random wait before a connection is opened anew. */
  readonly reconnectNonceS: number
  readonly reconnectCount: number
  /** The type that frames of presses carry. The SDKs drop `card`. */
  readonly pressFrames: 'event' | 'card'
  /** Events are cut into frames of at most so many bytes. */
  readonly frameBytes: number
  readonly answerTimeoutMs: number
}

export type LongConnections = Transport & {
  /** An address with a ticket; undefined when there are too many connections. */
  connectUrl(origin: string): string | undefined
  clientConfig(): Readonly<Record<string, number>>
  readonly upgrade: Upgrade
  /** The numbers of those that are open and not silent. */
  connected(): readonly number[]
  /** Ends them without a word; with `silentOnly` as the platform does once it notices. */
  drop(silentOnly?: boolean): void
  closeAll(code: number): void
  /** They stay open, but nothing comes and nothing is heard. New ones work. */
  silence(): void
  /** Sends these bytes to all of them. */
  sendBytes(bytes: Buffer): void
  close(): void
}

type Connection = { readonly n: number; readonly socket: WebSocket; readonly service: number; isSilent: boolean }

const maxConnections = 50
const ticketLifeMs = 60_000
const ack = z.looseObject({ code: z.number(), data: z.string().optional() })

type Deps = {
  readonly clock: Clock
  readonly options: LongConnectionOptions
  note(entry: Omit<ConnectionEntry, 'at'>): void
}

export function createLongConnections({ clock, options, note }: Deps): LongConnections {
  const server = new WebSocketServer({ noServer: true })
  const connections = new Set<Connection>()
  const tickets = new Map<string, number>()
  const waiting = new Map<string, (answer: Answer) => void>()
  let count = 0
  const config = {
    ReconnectCount: options.reconnectCount,
    ReconnectInterval: options.reconnectIntervalS,
    ReconnectNonce: options.reconnectNonceS,
    PingInterval: options.pingIntervalS,
  }

  const sendFrame = ({ socket, isSilent }: Connection, frame: Frame) => {
    if (!isSilent && socket.readyState === socket.OPEN) socket.send(encodeFrame(frame))
  }
  const onFrame = (connection: Connection, data: RawData) => {
    if (connection.isSilent) return
    const frame = decodeFrame(Buffer.isBuffer(data) ? data : Buffer.alloc(0))
    if (frame === undefined || frame.service !== connection.service) {
      note({ kind: 'bad-frame', connection: connection.n })
      return connection.socket.close(1002, 'bad frame')
    }
    if (frame.method === methods.control && frame.headers['type'] === 'ping') {
      note({ kind: 'ping', connection: connection.n })
      const payload = Buffer.from(JSON.stringify(config))
      return sendFrame(connection, { ...frame, headers: { type: 'pong' }, payload })
    }
    const settle = waiting.get(frame.headers['message_id'] ?? '')
    if (frame.method === methods.data && settle !== undefined) settle(readAck(frame.payload))
  }
  const onConnection = (socket: WebSocket, service: number) => {
    count += 1
    const connection: Connection = { n: count, socket, service, isSilent: false }
    connections.add(connection)
    note({ kind: 'open', connection: connection.n })
    socket.on('error', () => socket.terminate())
    socket.on('message', (data) => onFrame(connection, data))
    socket.on('close', (code) => {
      connections.delete(connection)
      note({ kind: 'close', connection: connection.n, detail: code })
    })
  }
  const upgrade = (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    const query = new URL(req.url ?? '/', 'http://127.0.0.1').searchParams
    const ticket = query.get('ticket') ?? ''
    const until = tickets.get(ticket)
    tickets.delete(ticket)
    if (until === undefined || until < clock.now()) return refuse(socket, 403, 'ticket is invalid')
    server.handleUpgrade(req, socket, head, (client) => onConnection(client, Number(query.get('service_id'))))
  }
  const open = () => [...connections].filter(({ socket }) => socket.readyState === socket.OPEN)
  return {
    name: 'connection',
    send: async (envelope) => {
      const all = open()
      const chosen = all[Math.floor(Math.random() * all.length)]
      if (chosen === undefined) return { answer: { kind: 'absent' } }
      const id = randomBytes(12).toString('hex')
      const isPress = envelope.header.event_type === 'card.action.trigger'
      const type = isPress ? options.pressFrames : 'event'
      const answer = new Promise<Answer>((resolve) => {
        const timer = setTimeout(() => resolve({ kind: 'silent' }), options.answerTimeoutMs)
        waiting.set(id, (given) => {
          clearTimeout(timer)
          resolve(given)
        })
      })
      for (const frame of toFrames(Buffer.from(JSON.stringify(envelope)), { id, type, chosen, options })) {
        sendFrame(chosen, frame)
      }
      const given = await answer
      waiting.delete(id)
      return { answer: given, connection: chosen.n }
    },
    connectUrl: (origin) => {
      if (connections.size >= maxConnections) return undefined
      const ticket = randomBytes(16).toString('hex')
      tickets.set(ticket, clock.now() + ticketLifeMs)
      const query = new URLSearchParams({ fpid: '493', aid: '552564', device_id: String(7_000_000_000 + tickets.size) })
      for (const [name, value] of Object.entries({ access_key: ticket, service_id: '33554678', ticket })) {
        query.set(name, value)
      }
      return `${origin.replace('http', 'ws')}/ws/v2?${query.toString()}`
    },
    clientConfig: () => config,
    upgrade,
    connected: () => open().flatMap(({ n, isSilent }) => (isSilent ? [] : [n])),
    drop: (silentOnly = false) => {
      for (const { socket, isSilent } of connections) if (isSilent || !silentOnly) socket.terminate()
    },
    closeAll: (code) => {
      for (const { socket } of connections) socket.close(code)
    },
    silence: () => {
      for (const connection of connections) {
        connection.isSilent = true
        connection.socket.pause()
      }
    },
    sendBytes: (bytes) => {
      for (const { socket } of connections) socket.send(bytes)
    },
    close: () => {
      for (const { socket } of connections) socket.terminate()
      server.close()
    },
  }
}

type Framing = {
  readonly id: string
  readonly type: string
  readonly chosen: Connection
  readonly options: LongConnectionOptions
}

function toFrames(payload: Buffer, { id, type, chosen, options }: Framing): Frame[] {
  const sum = Math.max(Math.ceil(payload.length / options.frameBytes), 1)
  return Array.from({ length: sum }, (_, seq) => ({
    seqId: 0,
    logId: 0,
    service: chosen.service,
    method: methods.data,
    headers: { type, message_id: id, sum: String(sum), seq: String(seq), trace_id: id },
    payload: payload.subarray(seq * options.frameBytes, (seq + 1) * options.frameBytes),
  }))
}

function readAck(payload: Buffer): Answer {
  const read = ack.safeParse(toJson(payload.toString()))
  if (!read.success) return { kind: 'refused', code: 0 }
  const { code, data } = read.data
  if (code !== 200) return { kind: 'refused', code }
  if (data === undefined || data === '') return { kind: 'ok', body: undefined, isJson: true }
  const body = toJson(Buffer.from(data, 'base64').toString())
  return { kind: 'ok', body, isJson: body !== undefined }
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The SDKs read why from these headers. */
function refuse(socket: Duplex, code: number, why: string): void {
  socket.end(
    `HTTP/1.1 ${code} Forbidden\r\nHandshake-Status: ${code}\r\nHandshake-Msg: ${why}\r\nConnection: close\r\n\r\n`,
  )
}
