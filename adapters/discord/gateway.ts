// One connection to Discord's gateway, from opening to its end, by the library's shard. It never reconnects by itself and never ends the
// session on purpose: whoever connects next, here or in another process, resumes it.
//
// opening -HELLO-> hello -READY (new session) | RESUMED-> up -close, lost lease-> ended;  hello -session refused-> ended, session forgotten
import { WebSocketManager, WebSocketShardEvents, type SessionInfo } from '@discordjs/ws'
import type { GatewayIntentBits } from 'discord-api-types/v10'
import type { GatewaySession } from '#queues/fleet/gateway-session.ts'
import { dispatch, type Dispatch } from './payloads.ts'
import { GuardedStrategy, OddGateway, type ShardWatch } from './guarded-shard.ts'
import { oddResponse, toFailed, type Failed, type RestApi } from './rest-api.ts'

export type GatewayEnd =
  /** `isOrdinary`: it was up, or its session is too old to be resumed. */
  | { readonly kind: 'closed'; readonly code: number; readonly isOrdinary: boolean }
  | { readonly kind: 'failed'; readonly answer: Failed }
  | { readonly kind: 'left' }

export type GatewayOptions = {
  readonly api: RestApi
  readonly token: string
  readonly shard: number
  readonly shardCount: number
  readonly intents: GatewayIntentBits
  /** What to resume; its `sequence` is asked anew, as events are stored. Undefined begins a new session. */
  session(): GatewaySession | undefined
  /** A new session began, or the old one is refused. */
  onSession(session: GatewaySession | undefined): void
  /** Waits for this bot's turn to begin a session. */
  waitForIdentify(signal: AbortSignal): Promise<void>
  onUp(): void
  onEvent(event: Dispatch): void
  onMalformed(): void
}

const handshakeMs = 5000
const helloMs = 8000
const upMs = 20_000
const closingMs = 2000
const sessionsSpentMs = 600_000
/** Neither 1000 nor 1001, which would end the session at Discord. */
const keepSession = 4900

/** Resolves when the connection has ended; never throws. */
export async function connectGateway(options: GatewayOptions, signal: AbortSignal): Promise<GatewayEnd> {
  const ended = Promise.withResolvers<GatewayEnd>()
  const state: State = {
    isOver: false,
    isOpening: false,
    hasHello: false,
    isUp: false,
    isRefused: false,
    isClosed: false,
  }
  const end = (how: GatewayEnd): void => {
    state.isOver = true
    ended.resolve(how)
  }
  const hello = Promise.withResolvers<void>()
  const watch = { state, end, hello: () => hello.resolve() }
  const manager = createManager(options, state, toShardWatch(options, watch))
  followLife(manager, options, watch)
  const late = setTimeout(() => {
    const answer = { kind: 'unclear', reason: 'the gateway does not answer' } as const
    if (!state.isUp) end({ kind: 'failed', answer })
  }, upMs)
  const leave = (): void => end({ kind: 'left' })
  signal.addEventListener('abort', leave, { once: true })
  if (signal.aborted) leave()
  else manager.connect().catch((error: unknown) => end({ kind: 'failed', answer: toRefusal(error) }))
  const how = await ended.promise
  clearTimeout(late)
  signal.removeEventListener('abort', leave)
  if (state.isOpening && !state.isClosed) await close(manager, hello.promise)
  return how
}

/** `hello`: the other side said it, or never will. */
type Watch = { readonly state: State; end(how: GatewayEnd): void; hello(): void }

function toShardWatch(options: GatewayOptions, { state, end, hello }: Watch): ShardWatch {
  return {
    onMalformed: () => options.onMalformed(),
    onRefused(mayResume) {
      // A new session that is refused is no everyday thing: each try counts at Discord.
      const isOrdinary = state.isUp || options.session() !== undefined
      if (!mayResume && !state.isUp && !state.isOver) options.onSession(undefined)
      hello()
      end({ kind: 'closed', code: keepSession, isOrdinary })
    },
    onBroken(error) {
      hello()
      end({ kind: 'failed', answer: toRefusal(error) })
    },
  }
}

/** From hello to the end, and every event between. */
function followLife(manager: WebSocketManager, options: GatewayOptions, { state, end, hello }: Watch): void {
  manager.on(WebSocketShardEvents.Hello, () => {
    state.hasHello = true
    hello()
  })
  const up = (): void => {
    state.isUp = true
    if (!state.isOver) options.onUp()
  }
  manager.on(WebSocketShardEvents.Ready, up)
  manager.on(WebSocketShardEvents.Resumed, up)
  manager.on(WebSocketShardEvents.Closed, ({ code }) => {
    state.isClosed = true
    hello()
    end({ kind: 'closed', code, isOrdinary: state.isUp || state.isRefused })
  })
  manager.on(WebSocketShardEvents.Debug, ({ message }) => {
    // The library waits half a minute for a peer that is gone to say goodbye.
    if (!message.includes('Zombie connection')) return
    state.isClosed = true
    end({ kind: 'closed', code: 1006, isOrdinary: state.isUp || state.isRefused })
  })
  manager.on(WebSocketShardEvents.Error, ({ error }) => {
    hello()
    end({ kind: 'failed', answer: toFailed(error, false) })
  })
  manager.on(WebSocketShardEvents.Dispatch, ({ data }) => {
    if (state.isOver) return
    const parsed = dispatch.safeParse(data)
    if (parsed.success) options.onEvent(parsed.data)
  })
}

/** The library does not begin a session when none is left today; trying all the same would cost the bot its token. */
function toRefusal(error: unknown): Failed {
  if (error instanceof OddGateway) return { kind: 'unclear', reason: oddResponse }
  const isSpent = error instanceof Error && error.message.startsWith('Not enough sessions')
  return isSpent ? { kind: 'slow-down', retryAfterMs: sessionsSpentMs, scope: 'bot' } : toFailed(error, false)
}

type State = {
  isOver: boolean
  isOpening: boolean
  hasHello: boolean
  isUp: boolean
  isRefused: boolean
  isClosed: boolean
}

function createManager(options: GatewayOptions, state: State, watch: ShardWatch): WebSocketManager {
  const { api, token, shard, shardCount, intents } = options
  const never = new Promise<never>(() => {})
  return new WebSocketManager({
    rest: api.rest,
    token,
    intents,
    shardCount,
    shardIds: [shard],
    handshakeTimeout: handshakeMs,
    helloTimeout: helloMs,
    buildStrategy: (manager) => new GuardedStrategy(manager, watch),
    buildIdentifyThrottler: async () => ({ waitForIdentify: (_, signal) => options.waitForIdentify(signal) }),
    // The library would reconnect by itself, without a limit; asking for the session is its first step, which it never gets past.
    retrieveSessionInfo() {
      if (state.isOver) return never
      state.isOpening = true
      return toInfo(options.session(), shard)
    },
    updateSessionInfo(_, info) {
      if (state.isOver) return
      if (info) {
        const { sessionId, resumeURL: resumeUrl, sequence } = info
        if (sessionId !== options.session()?.sessionId)
          options.onSession({ sessionId, resumeUrl, shardCount, sequence })
      } else if (state.hasHello && !state.isUp) {
        state.isRefused = true
        options.onSession(undefined)
      }
    },
  })
}

function toInfo(session: GatewaySession | undefined, shardId: number): SessionInfo | null {
  if (!session) return null
  const { sessionId, resumeUrl: resumeURL, shardCount, sequence } = session
  return { sessionId, resumeURL, shardCount, sequence, shardId }
}

/** A socket that is still opening cannot be closed without an error that nobody catches: it is waited for. */
async function close(manager: WebSocketManager, hello: Promise<void>): Promise<void> {
  await within(handshakeMs, hello)
  await within(closingMs, Promise.resolve(manager.destroy({ code: keepSession, reason: 'moving on' })))
}

async function within(ms: number, what: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, ms)
  await Promise.race([what.catch(() => {}), late.promise])
  clearTimeout(timer)
}
