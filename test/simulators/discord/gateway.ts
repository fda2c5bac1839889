// The gateway: HELLO, IDENTIFY, RESUME, heartbeats over one WebSocket per shard, JSON without compression. A connection goes
// connected → identified or resumed → closed; a second IDENTIFY, a wrong token, a wrong shard or an intent that is not switched on
// closes it with Discord's code. On demand it closes, falls silent (half-open), asks for a reconnect or invalidates sessions.
// https://discord.com/developers/docs/events/gateway, …/topics/opcodes-and-status-codes#gateway
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type RawData, type WebSocket } from 'ws'
import { z } from 'zod'
import { intents, privilegedIntents, toApplicationFlags } from './bits.ts'
import { toGuildCreate } from './payloads.ts'
import type { WritableDiscordLedger } from './ledger.ts'
import { shardOf, type Line, type Session, type Sessions } from './sessions.ts'
import type { World } from './world.ts'

const closeCodes = {
  unknown: 4000,
  unknownOpcode: 4001,
  decode: 4002,
  notAuthenticated: 4003,
  authenticationFailed: 4004,
  alreadyAuthenticated: 4005,
  rateLimited: 4008,
  invalidShard: 4010,
  invalidVersion: 4012,
  invalidIntents: 4013,
  disallowedIntents: 4014,
} as const
/** After these the client must start a new session; all others allow a resume. */
const endingCodes: ReadonlySet<number> = new Set([1000, 1001, 4004, 4007, 4009, 4010, 4011, 4012, 4013, 4014])
const sendsPerMinute = 120
const allIntents = (1 << 26) - 1

export type GatewayOptions = {
  readonly heartbeatIntervalMs: number
  /** Where sessions are said to be resumed; here when left out. */
  readonly resumeUrl?: string | undefined
  /** Sessions that may still be started; what /gateway/bot tells. */
  readonly identifyLimit: number
  /** IDENTIFYs closer together than this for one shard are refused with op 9; 0 does not check. Discord's is 5 s. */
  readonly identifyIntervalMs: number
}

/** A shard to act on; all of them when left out. */
export type ShardFilter = { readonly shard?: number | undefined }

export type Gateway = {
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void
  identifiesLeft(): number
  /** Shards with a live, identified connection. */
  connectedShards(): number[]
  closeConnections(filter: ShardFilter & { readonly code: number }): void
  /** Ends the connections without a close frame; the sessions stay. */
  dropConnections(filter?: ShardFilter): void
  /** The connections stay open and silent: no events, no acknowledgements, nothing read. */
  silence(filter?: ShardFilter): void
  /** Connections answer no heartbeats while withheld; events still flow. */
  withholdAcks(isWithheld: boolean): void
  requestReconnect(filter?: ShardFilter): void
  /** Op 9; sessions end unless they are resumable. */
  invalidate(filter?: ShardFilter & { readonly isResumable?: boolean | undefined }): void
  /** The next HELLO or READY is this text instead. */
  replaceNext(frame: 'HELLO' | 'READY', text: string): void
  /** Sends this text to all connections that have a session. */
  sendText(text: string): void
  close(): void
}

type GatewayDeps = {
  readonly world: World
  readonly token: string
  readonly sessions: Sessions
  readonly ledger: WritableDiscordLedger
  readonly options: GatewayOptions
}

type Payload = { readonly op: number; readonly t?: string | null; readonly [field: string]: unknown }

type Connection = {
  readonly socket: WebSocket
  readonly line: Line
  session: Session | undefined
  isSilent: boolean
  /** Times of what the client sent in the last minute. */
  sends: number[]
}

const frame = z.looseObject({ op: z.number(), d: z.unknown().optional() })
/** It may come with the prefix that REST demands. */
const tokenField = z.string().transform((value) => value.replace(/^Bot /, ''))
const identify = z.looseObject({
  token: tokenField,
  intents: z.number().int(),
  properties: z.looseObject({}),
  compress: z.boolean().optional(),
  shard: z.tuple([z.number().int(), z.number().int()]).optional(),
})
const resume = z.looseObject({ token: tokenField, session_id: z.string(), seq: z.number().int() })

export function createGateway({ world, token, sessions, ledger, options }: GatewayDeps): Gateway {
  const server = new WebSocketServer({ noServer: true })
  const connections = new Set<Connection>()
  const lastIdentify = new Map<number, number>()
  let isWithholding = false
  let started = 0

  const replaced: { readonly name: string; readonly text: string }[] = []

  const transmit = (connection: Connection, payload: Payload) => {
    const name = payload.op === 10 ? 'HELLO' : payload.t
    const at = replaced.findIndex((one) => one.name === name)
    const text = at < 0 ? JSON.stringify(payload) : (replaced.splice(at, 1)[0]?.text ?? '')
    if (!connection.isSilent && connection.socket.readyState === connection.socket.OPEN) connection.socket.send(text)
  }
  const invalidateOne = (connection: Connection, isResumable: boolean) => {
    const { session } = connection
    connection.session = undefined
    if (session !== undefined && isResumable) sessions.detach(session, connection.line)
    else if (session !== undefined) sessions.end(session)
    transmit(connection, { op: 9, d: isResumable, s: null, t: null })
  }
  const ready = (session: Session) => {
    const guilds = [...world.guilds.values()].filter(
      (guild) => guild.hasBot && shardOf(guild.id, session.shards) === session.shard,
    )
    sessions.send(session, 'READY', {
      v: 10,
      user: { ...world.bot, verified: true, mfa_enabled: true, email: null, flags: 0 },
      user_settings: {},
      guilds: guilds.map(({ id }) => ({ id, unavailable: true })),
      session_id: session.id,
      resume_gateway_url: options.resumeUrl ?? world.origin.replace('http', 'ws'),
      shard: [session.shard, session.shards],
      application: { id: world.applicationId, flags: toApplicationFlags(world.granted) },
      session_type: 'normal',
      private_channels: [],
      relationships: [],
      presences: [],
      guild_join_requests: [],
      _trace: ['simulator'],
    })
    if ((session.intents & intents.Guilds) === 0) return
    for (const guild of guilds) sessions.send(session, 'GUILD_CREATE', toGuildCreate(world, guild))
  }
  const onIdentify = (connection: Connection, d: unknown) => {
    const { socket } = connection
    if (connection.session !== undefined) return socket.close(closeCodes.alreadyAuthenticated, 'Already authenticated.')
    const asked = identify.safeParse(d)
    if (!asked.success) return socket.close(closeCodes.decode, 'Error while decoding payload.')
    const [shard, shards] = asked.data.shard ?? [0, 1]
    const refuse = (code: number, why: string) => {
      ledger.note({ kind: 'refused', shard, session: undefined, detail: code })
      socket.close(code, why)
    }
    if (asked.data.token !== token) return refuse(closeCodes.authenticationFailed, 'Authentication failed.')
    if (shard < 0 || shard >= shards) return refuse(closeCodes.invalidShard, 'Invalid shard.')
    if ((asked.data.intents & ~allIntents) !== 0) return refuse(closeCodes.invalidIntents, 'Invalid intent(s).')
    if (privilegedIntents.some((name) => (asked.data.intents & intents[name]) !== 0 && !world.granted.has(name))) {
      return refuse(closeCodes.disallowedIntents, 'Disallowed intent(s).')
    }
    const isTooSoon = Date.now() - (lastIdentify.get(shard) ?? 0) < options.identifyIntervalMs
    lastIdentify.set(shard, Date.now())
    started += 1
    if (isTooSoon || started > options.identifyLimit) {
      ledger.note({ kind: 'refused', shard, session: undefined, detail: 'too many identifies' })
      return invalidateOne(connection, false)
    }
    const session = sessions.start({ shard, shards, intents: asked.data.intents }, connection.line)
    connection.session = session
    ready(session)
    ledger.note({ kind: 'identify', shard, session: session.id })
  }
  const onResume = (connection: Connection, d: unknown) => {
    const { socket } = connection
    if (connection.session !== undefined) return socket.close(closeCodes.alreadyAuthenticated, 'Already authenticated.')
    const asked = resume.safeParse(d)
    if (!asked.success) return socket.close(closeCodes.decode, 'Error while decoding payload.')
    const { session_id, seq } = asked.data
    if (asked.data.token !== token) return socket.close(closeCodes.authenticationFailed, 'Authentication failed.')
    const resumed = sessions.resume(session_id, seq, connection.line)
    if (resumed === 'invalid') {
      ledger.note({ kind: 'refused', shard: undefined, session: session_id, detail: 'resume' })
      return invalidateOne(connection, false)
    }
    const { session, replayed } = resumed
    connection.session = session
    sessions.send(session, 'RESUMED', { _trace: ['simulator'] })
    ledger.note({ kind: 'resume', shard: session.shard, session: session.id, detail: replayed })
  }
  const onFrame = (connection: Connection, data: RawData) => {
    if (connection.isSilent) return
    const { socket, session } = connection
    const now = Date.now()
    connection.sends = [...connection.sends.filter((at) => at > now - 60_000), now]
    if (connection.sends.length > sendsPerMinute) return socket.close(closeCodes.rateLimited, 'Rate limited.')
    const received = frame.safeParse(toJson(data))
    if (!received.success) return socket.close(closeCodes.decode, 'Error while decoding payload.')
    switch (received.data.op) {
      case 1:
        ledger.note({ kind: 'heartbeat', shard: session?.shard, session: session?.id })
        if (!isWithholding) transmit(connection, { op: 11, d: null, s: null, t: null })
        return
      case 2:
        return onIdentify(connection, received.data.d)
      case 6:
        return onResume(connection, received.data.d)
      case 3:
      case 4:
      case 8:
      case 31:
        if (session === undefined) socket.close(closeCodes.notAuthenticated, 'Not authenticated.')
        return
      default:
        socket.close(closeCodes.unknownOpcode, 'Unknown opcode.')
    }
  }
  const onConnection = (socket: WebSocket, req: IncomingMessage) => {
    const query = new URL(req.url ?? '/', world.origin).searchParams
    const connection: Connection = {
      socket,
      session: undefined,
      isSilent: false,
      sends: [],
      line: {
        send: (event) => transmit(connection, event),
        replace: () => {
          connection.session = undefined
          if (connection.isSilent) socket.terminate()
          else socket.close(closeCodes.unknown, 'The session was resumed elsewhere.')
        },
      },
    }
    connections.add(connection)
    ledger.note({ kind: 'connect', shard: undefined, session: undefined })
    socket.on('error', () => socket.terminate())
    socket.on('message', (data) => onFrame(connection, data))
    socket.on('close', (code) => {
      connections.delete(connection)
      const { session } = connection
      ledger.note({ kind: 'close', shard: session?.shard, session: session?.id, detail: code })
      if (session === undefined) return
      if (endingCodes.has(code)) sessions.end(session)
      else sessions.detach(session, connection.line)
    })
    if (query.get('v') !== '10' || (query.get('encoding') ?? 'json') !== 'json' || query.has('compress')) {
      return socket.close(closeCodes.invalidVersion, 'This simulator speaks version 10 in JSON, not compressed.')
    }
    transmit(connection, { op: 10, d: { heartbeat_interval: options.heartbeatIntervalMs, _trace: ['simulator'] } })
  }
  const each = ({ shard }: ShardFilter, act: (connection: Connection) => void) => {
    for (const connection of connections) {
      if (connection.session !== undefined && (shard === undefined || connection.session.shard === shard))
        act(connection)
    }
  }
  return {
    upgrade: (req, socket, head) => server.handleUpgrade(req, socket, head, (client) => onConnection(client, req)),
    identifiesLeft: () => Math.max(options.identifyLimit - started, 0),
    connectedShards: () =>
      [...connections].flatMap(({ session, isSilent }) => (session === undefined || isSilent ? [] : [session.shard])),
    closeConnections: ({ shard, code }) => each({ shard }, ({ socket }) => socket.close(code, 'Closed on demand.')),
    dropConnections: (filter = {}) => each(filter, ({ socket }) => socket.terminate()),
    silence: (filter = {}) =>
      each(filter, (connection) => {
        connection.isSilent = true
        connection.socket.pause()
      }),
    withholdAcks: (isWithheld) => {
      isWithholding = isWithheld
    },
    requestReconnect: (filter = {}) =>
      each(filter, (connection) => transmit(connection, { op: 7, d: null, s: null, t: null })),
    invalidate: ({ shard, isResumable = false } = {}) =>
      each({ shard }, (connection) => invalidateOne(connection, isResumable)),
    replaceNext: (name, text) => void replaced.push({ name, text }),
    sendText: (text) => each({}, ({ socket }) => socket.send(text)),
    close: () => {
      for (const { socket } of connections) socket.terminate()
      server.close()
    },
  }
}

function toJson(data: RawData): unknown {
  try {
    return JSON.parse(Buffer.isBuffer(data) ? data.toString('utf8') : '')
  } catch {
    return undefined
  }
}
