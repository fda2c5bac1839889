// One gateway event's way in: into the mailbox, or resolved as a press, or ignored and counted.
import type { ChatEvent } from '#shared/chat/event.ts'
import type { Quotation } from '#shared/chat/quotation.ts'
import type { ChatBook } from '#queues/fleet/chat-book.ts'
import type { IngestResult } from '#queues/kernel/kernel.ts'
import type { Seen } from '#queues/fleet/gateway-session.ts'
import type { Ingest } from '#queues/workers/ingest.ts'
import type { BotIdentity } from './addressing.ts'
import {
  beginPress,
  commandType,
  pressType,
  showCommand,
  toCommandEvent,
  type InteractionDeps,
} from './interactions.ts'
import type { Work } from './take-item.ts'
import { interaction, message, type Dispatch, type DcInteraction } from './payloads.ts'
import type { ChannelInfo } from './ids.ts'
import { toWord, type ChannelBook } from './channel-book.ts'
import type { NameBook } from './name-book.ts'
import { toStarter } from './quotes.ts'
import type { Names } from './references.ts'
import type { ThreadStarter, ThreadStarters } from './thread-starters.ts'
import { toEvents } from './to-event.ts'
import { findAdder } from './who-added.ts'

export type TakeDeps = InteractionDeps & {
  readonly ingest: Ingest
  readonly chats: ChatBook
  readonly count: (reason: string) => void
  readonly channels: ChannelBook
  readonly names: NameBook
  readonly starters: ThreadStarters
  readonly me: BotIdentity
}

/** Begins what cannot wait, such as a press, and says how to store the rest. */
export function takeEvent(deps: TakeDeps, { t, d }: Dispatch): Work {
  deps.channels.learn(t, d)
  deps.names.learn(t, d)
  if (t === 'INTERACTION_CREATE') return takeInteraction(deps, d)
  const channel = stringOf(d, 'channel_id')
  if (!handled.has(t)) return nothing
  return {
    lane: channel ?? toServerLane(stringOf(d, 'id')),
    // What is said in a server that lets the bot in is taken behind that.
    behind: channel && toServerLane(stringOf(d, 'guild_id')),
    async take() {
      const info =
        channel === undefined ? { kind: 'guild' as const } : await deps.channels.find(channel, stringOf(d, 'guild_id'))
      return await store(deps, { name: t, data: d }, info)
    },
  }
}

/** A server's oldest channel has the same id. */
const toServerLane = (id: string | undefined): string => `server ${id}`

const nothing: Work = { lane: 'other', take: async () => undefined }

const handled = new Set([
  'MESSAGE_CREATE',
  'MESSAGE_UPDATE',
  'MESSAGE_DELETE',
  'MESSAGE_DELETE_BULK',
  'MESSAGE_REACTION_ADD',
  'MESSAGE_REACTION_REMOVE',
  'GUILD_CREATE',
  'GUILD_DELETE',
])

/** Ingests what the event means, and tells the last message seen in its channel. */
export async function store(
  deps: TakeDeps,
  { name, data }: { readonly name: string; readonly data: unknown },
  info: ChannelInfo,
): Promise<Seen | undefined> {
  const names = await deps.names.find(info.guild, toNamedRoles(data))
  const incoming = toEvents(name, data, { bot: deps.me, names, info, nowMs: deps.now() })
  if (incoming.kind === 'ignored') deps.count(incoming.reason)
  const events = incoming.kind === 'events' ? incoming.events : []
  for (const event of events) {
    const starter = event.kind === 'message' ? await deps.starters.find(event) : undefined
    const { kind } = await ingest(deps, await complete(deps, event, toQuotes(deps, starter, names)))
    await starter?.noteRead()
    // What is known already and comes again changed (by a backfill) was edited while nobody listened.
    const isKnown = kind === 'DUP' && name === 'MESSAGE_CREATE'
    if (isKnown && stringOf(data, 'edited_timestamp')) await store(deps, { name: 'MESSAGE_UPDATE', data }, info)
  }
  if (name !== 'MESSAGE_CREATE') return undefined
  const said = message.pick({ id: true, channel_id: true }).safeParse(data)
  return said.success ? new Map([[said.data.channel_id, toWord(said.data.id, info)]]) : undefined
}

async function ingest(deps: TakeDeps, event: ChatEvent): Promise<IngestResult> {
  const [result] = await Promise.all([deps.ingest.take(event, { dedupeKey: event.id }), noteAlive(deps.chats, event)])
  return result
}

/** Where somebody speaks, or the bot was just let in, it can be tried again. */
async function noteAlive(chats: ChatBook, { kind, conversation }: ChatEvent): Promise<void> {
  if (kind !== 'message' && kind !== 'join') return
  const { closed } = await chats.find(conversation)
  if (closed !== undefined) await chats.open(conversation)
}

const toQuotes = ({ me }: TakeDeps, starter: ThreadStarter | undefined, names: Names): readonly Quotation[] =>
  starter?.message ? toStarter(starter.message, { ...me, names }) : []

/** With what the gateway leaves out. */
async function complete(deps: TakeDeps, event: ChatEvent, quotes: readonly Quotation[]): Promise<ChatEvent> {
  if (event.kind === 'message' && quotes.length > 0) return { ...event, quoted: [...quotes, ...(event.quoted ?? [])] }
  if (event.kind !== 'join' || event.server === undefined) return event
  const guild = event.server.slice('discord:'.length)
  return { ...event, principal: await findAdder(deps.api, { guild, bot: deps.me.id, atMs: event.at }) }
}

const naming = message.pick({ mention_roles: true, referenced_message: true, message_snapshots: true })

/** The roles that a message names, and that the messages in it name. */
function toNamedRoles(data: unknown): readonly string[] {
  const said = naming.safeParse(data)
  if (!said.success) return []
  const { mention_roles: own, referenced_message: replied, message_snapshots: snapshots = [] } = said.data
  const others = [replied, ...snapshots.map(({ message: one }) => one)]
  return [...own, ...others.flatMap((one) => one?.mention_roles ?? [])]
}

function takeInteraction(deps: TakeDeps, data: unknown): Work {
  const parsed = interaction.safeParse(data)
  const one: DcInteraction | undefined = parsed.data
  if (one?.type === pressType) {
    const press = beginPress(deps, one)
    return {
      lane: `press ${one.id}`,
      async take() {
        await press.resolved()
        return undefined
      },
    }
  }
  const event = one?.type === commandType ? toCommandEvent(one) : undefined
  if (!one || !event) {
    deps.count(one ? 'unknown-interaction' : 'malformed')
    return nothing
  }
  return {
    lane: one.channel_id ?? 'other',
    async take() {
      await ingest(deps, event)
      // A courtesy.
      showCommand(deps.api, one, event).catch(() => {})
      return undefined
    },
  }
}

function stringOf(data: unknown, name: 'channel_id' | 'guild_id' | 'id' | 'edited_timestamp'): string | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const value: unknown = Reflect.get(data, name)
  return typeof value === 'string' ? value : undefined
}
