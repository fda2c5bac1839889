// The long connections, and how events go over them: to one connection at random, and again up the ladder while none of them has acknowledged it.
// A press is told once. An event goes waiting → acknowledged, or up the ladder to its end.
import { randomInt } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { decodeFrame, encodeFrame, type Frame } from './frames.ts'
import { newId } from './state.ts'
import { acceptSocket, type Socket } from './web-socket.ts'

export type Envelope = {
  readonly header: { readonly event_id: string; readonly event_type: string }
  readonly [key: string]: unknown
}
export type Answer =
  | { readonly kind: 'ok' | 'refused'; readonly data: unknown }
  | { readonly kind: 'silent' | 'absent' }
type Delivery = {
  readonly at: number
  readonly event: string
  readonly type: string
  readonly attempt: number
  readonly connection?: number
  readonly outcome: Answer['kind']
}
type Happened = { readonly at: number; readonly kind: 'open' | 'ping' | 'close'; readonly connection: number }

export type Line = {
  readonly deliveries: readonly Delivery[]
  readonly happened: readonly Happened[]
  upgrade(request: IncomingMessage, stream: Duplex): void
  /** Numbers of those that are open. */
  connected(): readonly number[]
  push(envelope: Envelope): void
  /** To one connection, once. */
  tell(envelope: Envelope): Promise<Answer>
  /** Brings the last event of this type again; `change` makes another one of it. */
  repeat(type: string, change?: (envelope: Envelope) => Envelope): void
  /** Events of this type come twice. */
  double(type: string, isDoubled: boolean): void
  /** How many events will be tried again. */
  pending(): number
  /** From now on those that are open are neither heard nor answered. */
  silence(): void
  drop(silentOnly: boolean): void
  close(code: number): void
}

export type LineSettings = {
  readonly ladderMs: readonly number[]
  readonly answerMs: number
  readonly pingSeconds: number
}

type Connection = {
  readonly n: number
  readonly socket: Socket
  readonly waiting: Map<string, (frame: Frame) => void>
  isReady: boolean
  isSilent: boolean
}

const service = 33_554_678
const mostNoted = 20_000

export function createLine({ ladderMs, answerMs, pingSeconds }: LineSettings): Line {
  const [deliveries, happened, all] = [new Array<Delivery>(), new Array<Happened>(), new Array<Connection>()]
  const last = new Map<string, Envelope>()
  const doubled = new Set<string>()
  let pending = 0
  const listening = (): Connection[] => all.filter(({ socket, isReady }) => socket.isOpen() && isReady)
  const note = (kind: Happened['kind'], connection: number): void =>
    void happened.push({ at: Date.now(), kind, connection })
  const config = Buffer.from(
    JSON.stringify({ ReconnectCount: -1, ReconnectInterval: 1, ReconnectNonce: 0, PingInterval: pingSeconds }),
  )

  function hear(connection: Connection, bytes: Buffer): void {
    const frame = decodeFrame(bytes)
    if (frame.method === 1) {
      const id = frame.headers['message_id'] ?? ''
      connection.waiting.get(id)?.(frame)
      return
    }
    note('ping', connection.n)
    // The SDKs ping as soon as they listen.
    connection.isReady = true
    if (connection.isSilent) return
    const pong = { seqId: 0, logId: 0, service, method: 0, headers: { type: 'pong' }, payload: config }
    connection.socket.send(encodeFrame(pong))
  }

  async function bring(envelope: Envelope, attempt: number): Promise<Answer> {
    const open = listening()
    const connection = open[open.length === 0 ? 0 : randomInt(open.length)]
    const answer: Answer = connection ? await send(connection, envelope) : { kind: 'absent' }
    const { event_id: event, event_type: type } = envelope.header
    const at = Date.now()
    deliveries.push({
      at,
      event,
      type,
      attempt,
      ...(connection ? { connection: connection.n } : {}),
      outcome: answer.kind,
    })
    if (deliveries.length > mostNoted) deliveries.shift()
    return answer
  }

  async function send(connection: Connection, envelope: Envelope): Promise<Answer> {
    const id = newId('')
    const headers = { type: 'event', message_id: id, sum: '1', seq: '0', trace_id: newId('') }
    const payload = Buffer.from(JSON.stringify(envelope))
    const answered = Promise.withResolvers<Answer>()
    const timer = setTimeout(() => answered.resolve({ kind: 'silent' }), answerMs)
    connection.waiting.set(id, (frame) => answered.resolve(toAnswer(frame)))
    if (!connection.isSilent)
      connection.socket.send(encodeFrame({ seqId: 1, logId: 1, service, method: 1, headers, payload }))
    const answer = await answered.promise
    clearTimeout(timer)
    connection.waiting.delete(id)
    return answer
  }

  async function climb(envelope: Envelope): Promise<void> {
    pending += 1
    for (let attempt = 1; ; attempt++) {
      const answer = await bring(envelope, attempt)
      const waitMs = ladderMs[attempt - 1]
      if (answer.kind === 'ok' || waitMs === undefined) break
      await new Promise((resolve) => void setTimeout(resolve, waitMs).unref())
    }
    pending -= 1
  }

  const push = (envelope: Envelope): void => {
    last.set(envelope.header.event_type, envelope)
    void climb(envelope)
    if (doubled.has(envelope.header.event_type)) void climb(envelope)
  }
  return {
    deliveries,
    happened,
    upgrade(request, stream) {
      const socket = acceptSocket(request, stream, {
        onMessage: (bytes) => hear(connection, bytes),
        onClose: () => note('close', connection.n),
      })
      const connection: Connection = {
        n: all.length + 1,
        socket,
        waiting: new Map(),
        isReady: false,
        isSilent: false,
      }
      all.push(connection)
      note('open', connection.n)
    },
    connected: () => all.filter(({ socket }) => socket.isOpen()).map(({ n }) => n),
    push,
    tell: (envelope) => bring(envelope, 1),
    repeat(type, change = (one) => one) {
      const found = last.get(type)
      if (!found) throw new Error(`There was no event ${type}`)
      void climb(change(found))
    },
    double: (type, isDoubled) => void (isDoubled ? doubled.add(type) : doubled.delete(type)),
    pending: () => pending,
    silence() {
      for (const one of all) one.isSilent = true
    },
    drop(silentOnly) {
      for (const one of all) if (!silentOnly || one.isSilent) one.socket.drop()
    },
    close(code) {
      for (const one of all) one.socket.close(code)
    },
  }
}

function toAnswer({ payload }: Frame): Answer {
  const body: unknown = JSON.parse(payload.toString())
  const code: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'code') : undefined
  const given: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'data') : undefined
  const data: unknown =
    typeof given === 'string' && given !== '' ? JSON.parse(Buffer.from(given, 'base64').toString()) : undefined
  return { kind: code === 200 ? 'ok' : 'refused', data }
}
