// One shard: one process at a time holds it, by a lease. It resumes the stored session, and stores how far everything it got is in the
// mailboxes; so a process that dies or hands over loses nothing, and the next one begins no session of its own.
//
// standby -lease-> connecting -> up -closed-> waiting -> connecting; lease lost or planned stop -> left, the session lives -> standby.
// A session that cannot be resumed is given up: then a new one is begun, and what was missed is asked for.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { GatewayIntentBits } from 'discord-api-types/v10'
import type { CallUnit } from '#queues/units.ts'
import { createBackOff, type BackOff } from '#queues/fleet/back-off.ts'
import { createGatewayStore, type GatewaySession, type GatewayStore, type Seen } from '#queues/fleet/gateway-session.ts'
import { createNotes } from '#queues/fleet/notes.ts'
import { runUnderLease, type LeaseOptions } from '#queues/fleet/lease.ts'
import { BotError } from '#shared/errors.ts'
import type { ReplyMode } from '#shared/chat/conversation.ts'
import { backfill } from './backfill.ts'
import { connectGateway, type GatewayEnd } from './gateway.ts'
import { createIntake, type Intake } from './intake.ts'
import { createChannelBook, parseWord, type ChannelBook } from './channel-book.ts'
import { createNameBook } from './name-book.ts'
import { createResumeTries, type ResumeTry } from './resume-tries.ts'
import { toTimeMs, type ChannelInfo } from './ids.ts'
import { store, takeEvent, type TakeDeps } from './take-event.ts'
import { createThreadStarters } from './thread-starters.ts'
import type { Trouble } from '#adapters/calls/trouble.ts'
import { toClosing, toTrouble } from './trouble.ts'

export type ShardDeps = Omit<TakeDeps, 'channels' | 'names' | 'starters'> & {
  readonly call: CallUnit
  /** When the bot answers in a chat, `channel:chat`. */
  findMode(chat: string): Promise<ReplyMode>
  readonly token: string
  readonly liveness: LeaseOptions['liveness']
  readonly say: (text: string) => void
  readonly backOff: { readonly firstMs: number; readonly maxMs: number }
  /** Discord's own distance between two new sessions. */
  readonly identifyEveryMs: number
  /** Shortens the waits that a wrong token or Discord ask for; tests only. */
  readonly leastWaitMs?: number | undefined
}

export type ShardNumber = {
  readonly shard: number
  readonly shardCount: number
  /** So many shards may begin a session at once. */
  readonly maxConcurrency: number
}

/** https://docs.discord.com/developers/events/gateway#gateway-intents */
const intents: GatewayIntentBits =
  GatewayIntentBits.Guilds |
  GatewayIntentBits.GuildMessages |
  GatewayIntentBits.GuildMessageReactions |
  GatewayIntentBits.DirectMessages |
  GatewayIntentBits.DirectMessageReactions |
  GatewayIntentBits.MessageContent
/** The session is gone: invalid sequence, timed out. */
const sessionGone = new Set([4007, 4009])
const givenUp =
  'Discord does not resume the connection where it broke. A new one is begun, and what was written meanwhile is asked for.'
const lookTimeoutMs = 2000
const forgetAfterMs = 30 * 24 * 3_600_000
/** A channel that cannot be read although others can must not keep them waiting for ever. */
const backfillPatienceMs = 10 * 60_000

const toShardName = (botId: string, shard: number): string => `gateway-discord-${botId}-${shard}`
/** The lease's name. */
export const toShardLease = (botId: string, shard: number): string => `${toShardName(botId, shard)}-lease`

/** Holds the shard whenever this process has its lease, until `signal` aborts. */
export async function runShard(deps: ShardDeps, number: ShardNumber, signal: AbortSignal): Promise<void> {
  const gatewayStore = createGatewayStore(deps.call, toShardName(deps.me.id, number.shard))
  const backOff = createBackOff({ ...deps.backOff, say: deps.say })
  await runUnderLease(
    { call: deps.call, name: toShardLease(deps.me.id, number.shard), liveness: deps.liveness },
    (held) => holdShard({ deps, number, store: gatewayStore, backOff }, held),
    signal,
  )
}

type Holding = {
  readonly deps: ShardDeps
  readonly number: ShardNumber
  readonly store: GatewayStore
  readonly backOff: BackOff
}

async function holdShard(holding: Holding, held: AbortSignal): Promise<void> {
  const { deps, backOff } = holding
  const stored = await loadStored(holding, held)
  if (!stored) return
  const state: SessionState = { session: stored.session }
  const resumes = createResumeTries(() => performance.now())
  const channels = createChannelBook({ api: deps.api, now: () => performance.now() }, stored.seen, {
    timeoutMs: 5000,
    signal: held,
  })
  const take: TakeDeps = { ...deps, channels, ...createBooks(deps, channels, held) }
  const intake = createIntake({
    store: holding.store,
    backOff: createBackOff({ ...deps.backOff, say: deps.say }),
    say: deps.say,
    count: deps.count,
    onStored(sessionId, sequence) {
      if (state.session?.sessionId === sessionId) state.session = { ...state.session, sequence }
    },
  })
  const taking = intake.run(held)
  while (!held.aborted) {
    const resume = resumes.begin()
    const end = await connectOnce({ ...holding, state, resume, take, intake }, held)
    if (held.aborted) break
    const isGone = end.kind === 'closed' && sessionGone.has(end.code)
    const isGivenUp = end.kind !== 'left' && resume.isLast()
    if (isGivenUp) deps.say(givenUp)
    if (isGone || isGivenUp) state.session = undefined
    await pause({ deps, backOff, intake }, end, held)
  }
  await taking
}

type SessionState = { session: GatewaySession | undefined }
type Connecting = Holding & {
  readonly state: SessionState
  readonly resume: ResumeTry
  readonly take: TakeDeps
  readonly intake: Intake
}

/** One connection, left when the intake is full. */
async function connectOnce(connecting: Connecting, held: AbortSignal): Promise<GatewayEnd> {
  const { deps, number, backOff, state, resume, take, intake } = connecting
  const full = new AbortController()
  return await connectGateway(
    {
      api: deps.api,
      token: deps.token,
      intents,
      ...number,
      session() {
        if (state.session) resume.opened()
        return state.session
      },
      onSession: (session) => {
        state.session = session
      },
      waitForIdentify: (signal) => waitForIdentify(connecting, signal),
      onUp() {
        resume.succeeded()
        backOff.reset()
      },
      onMalformed: () => deps.count('malformed'),
      onEvent(event) {
        const { session } = state
        if (!session) return deps.count('without-session')
        resume.brought(event.s)
        const begin = () =>
          event.t === 'READY'
            ? { lane: undefined, take: toSessionStart(connecting, session, held) }
            : takeEvent(take, event)
        if (!intake.push({ sessionId: session.sessionId, sequence: event.s }, begin)) full.abort()
      },
    },
    AbortSignal.any([held, full.signal]),
  )
}

/** What a message names and what its thread is about: without an answer in time it is read without. */
function createBooks(
  { api, me, call, findMode }: ShardDeps,
  channels: ChannelBook,
  signal: AbortSignal,
): Pick<TakeDeps, 'names' | 'starters'> {
  const limit = { timeoutMs: lookTimeoutMs, signal }
  const now = (): number => performance.now()
  return {
    names: createNameBook({ api, botId: me.id, channelName: channels.findName, now }, limit),
    starters: createThreadStarters({ api, notes: createNotes(call, 'discord'), findMode }, limit),
  }
}

/** What was stored; undefined when the lease was lost before Redis could say. */
async function loadStored(
  { deps, store: gatewayStore, backOff }: Holding,
  held: AbortSignal,
): Promise<{ readonly session: GatewaySession | undefined; readonly seen: Seen } | undefined> {
  while (!held.aborted) {
    try {
      const stored = await gatewayStore.load()
      const old = [...stored.seen].filter(([, word]) => deps.now() - toTimeMs(parseWord(word).lastId) > forgetAfterMs)
      if (old.length > 0) await gatewayStore.forget(old.map(([channel]) => channel))
      return stored
    } catch (error) {
      const why = error instanceof BotError ? error.message : 'an unexpected error'
      await backOff.wait(`The state of Discord's gateway cannot be read: ${why}`, held)
    }
  }
  return undefined
}

/** A new session has missed what was written before it. Once that is stored, the session may be resumed by others. */
function toSessionStart(
  { deps, store: gatewayStore, take }: Holding & { readonly take: TakeDeps },
  session: GatewaySession,
  held: AbortSignal,
): () => Promise<Seen> {
  const patientUntilMs = deps.now() + backfillPatienceMs
  const found = new Map<string, Seen>()
  return async () => {
    const { seen } = await gatewayStore.load()
    await backfill(
      {
        api: deps.api,
        now: deps.now,
        found,
        take: (name: string, data: unknown, info: ChannelInfo) => store(take, { name, data }, info),
        onSilent() {
          const text = 'Discord does not say what was written while nobody listened'
          if (deps.now() < patientUntilMs) throw new BotError('platform', `${text}.`, { retry: { afterMs: 1000 } })
          deps.say(`${text}; in one channel that is given up. Who got no answer there must ask again.`)
        },
      },
      seen,
      held,
    )
    // A session that is stored as open is resumed by the next process, which takes it that nothing was missed.
    if (held.aborted)
      throw new BotError('platform', 'The shard was left before all was told.', { retry: { afterMs: 1000 } })
    await gatewayStore.open(session)
    return new Map([...found.values()].flatMap((one) => [...one]))
  }
}

/** Sessions of one bot begin apart, in all processes together. */
async function waitForIdentify({ deps, number }: Holding, signal: AbortSignal): Promise<void> {
  const key = `fl:{identify-discord-${deps.me.id}-${number.shard % number.maxConcurrency}}`
  const owner = randomUUID()
  const ask = async (): Promise<boolean> =>
    (await deps.call('lease', key, ['take', owner, deps.identifyEveryMs]).catch(() => 0)) === 1
  while (!(await ask())) await sleep(Math.min(500, deps.identifyEveryMs), undefined, { signal })
  signal.throwIfAborted()
}

type Pausing = { readonly deps: ShardDeps; readonly backOff: BackOff; readonly intake: Intake }

async function pause({ deps, backOff, intake }: Pausing, end: GatewayEnd, held: AbortSignal): Promise<void> {
  if (end.kind === 'left') return await intake.hasRoom(held)
  const trouble = toEndTrouble(end)
  if (trouble) return await backOff.wait(trouble.text, held, Math.min(trouble.leastMs, deps.leastWaitMs ?? Infinity))
  // Discord moves connections every few hours: nothing to tell.
  await sleep(Math.random() * deps.backOff.firstMs, undefined, { signal: held }).catch(() => {})
}

function toEndTrouble(end: Exclude<GatewayEnd, { kind: 'left' }>): Trouble | undefined {
  if (end.kind === 'failed') return toTrouble(end.answer)
  const known = toClosing(end.code)
  if (known || end.isOrdinary) return known
  return { text: `Discord's gateway closes connections as they open (${end.code}).`, leastMs: 0 }
}
