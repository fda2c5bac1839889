// What the tests of the Discord simulator share: a simulator with a guild, the real REST and gateway clients, and refusals.
import { DiscordAPIError, REST, type RouteLike } from '@discordjs/rest'
import {
  WebSocketManager,
  WebSocketShardEvents,
  type OptionalWebSocketManagerOptions,
  type SessionInfo,
} from '@discordjs/ws'
import { GatewayIntentBits } from 'discord-api-types/v10'
import { z } from 'zod'
import type { MadeGuild } from '#test/simulators/discord/places.ts'
import {
  startDiscordSimulator,
  type DiscordSimulator,
  type DiscordSimulatorOptions,
} from '#test/simulators/discord/simulator.ts'
import { createBell } from '#test/simulators/signals.ts'

/** Guilds, messages and reactions in guilds and direct channels, message content. */
export const usualIntents: GatewayIntentBits =
  GatewayIntentBits.Guilds |
  GatewayIntentBits.GuildMessages |
  GatewayIntentBits.GuildMessageReactions |
  GatewayIntentBits.DirectMessages |
  GatewayIntentBits.DirectMessageReactions |
  GatewayIntentBits.MessageContent

const wireMessage = z.looseObject({
  id: z.string(),
  content: z.string(),
  edited_timestamp: z.string().nullable(),
  components: z.array(z.unknown()),
})
export type WireMessage = z.infer<typeof wireMessage>

export type GatewayEvent = { readonly t: string; readonly s: number; readonly d: Readonly<Record<string, unknown>> }

export type Connected = AsyncDisposable & {
  readonly manager: WebSocketManager
  readonly events: readonly GatewayEvent[]
  /** Resolves with the first event, past or future, of this kind that matches. */
  next(t: string, matches?: (d: GatewayEvent['d']) => boolean): Promise<GatewayEvent>
  /** What the connections were closed with. */
  readonly closed: readonly number[]
}

export type Rig = AsyncDisposable & {
  readonly discord: DiscordSimulator
  readonly guild: MadeGuild
  readonly rest: REST
  send(body: unknown, channel?: string): Promise<WireMessage>
  edit(message: string, body: unknown): Promise<WireMessage>
  /** Logs in through the real gateway client; resolves once READY came for all shards. */
  connect(
    options?: Partial<OptionalWebSocketManagerOptions> & { readonly intents?: GatewayIntentBits },
  ): Promise<Connected>
}

export async function startRig(options: DiscordSimulatorOptions = {}): Promise<Rig> {
  const discord = await startDiscordSimulator(options)
  const guild = discord.addGuild({ owner: 'Olga', admins: ['Adam'] })
  const rest = new REST({ api: discord.apiRoot, retries: 0, rejectOnRateLimit: () => true }).setToken(discord.token)
  const path = (channel: string): RouteLike => `/channels/${channel}/messages`
  return {
    discord,
    guild,
    rest,
    send: async (body, channel = guild.channel) => wireMessage.parse(await rest.post(path(channel), { body })),
    edit: async (message, body) =>
      wireMessage.parse(await rest.patch(`/channels/${guild.channel}/messages/${message}`, { body })),
    connect: (given) => connect(discord, rest, given),
    [Symbol.asyncDispose]: async () => {
      rest.clearHashSweeper()
      rest.clearHandlerSweeper()
      await discord.close()
    },
  }
}

async function connect(
  discord: DiscordSimulator,
  rest: REST,
  {
    intents = usualIntents,
    ...options
  }: Partial<OptionalWebSocketManagerOptions> & { readonly intents?: GatewayIntentBits } = {},
): Promise<Connected> {
  // The SDK's own store is one for all managers of a process: they would resume each other's sessions.
  const manager = new WebSocketManager({
    token: discord.token,
    intents,
    rest,
    ...createSessionStore(),
    ...options,
  })
  const events: GatewayEvent[] = []
  const closed: number[] = []
  const bell = createBell()
  manager.on(WebSocketShardEvents.Dispatch, ({ data }) => {
    events.push(z.object({ t: z.string(), s: z.number(), d: z.record(z.string(), z.unknown()) }).parse(data))
    bell.ring()
  })
  manager.on(WebSocketShardEvents.Closed, ({ code }) => void closed.push(code))
  manager.on(WebSocketShardEvents.Error, () => undefined)
  await manager.connect()
  return {
    manager,
    events,
    closed,
    next: (t, matches = () => true) => bell.until(() => events.find((one) => one.t === t && matches(one.d)), t),
    [Symbol.asyncDispose]: async () => manager.destroy(),
  }
}

/** Session info kept outside of a manager, as several processes share it. */
export function createSessionStore() {
  const kept = new Map<number, SessionInfo | null>()
  return {
    retrieveSessionInfo: (shard: number) => kept.get(shard) ?? null,
    updateSessionInfo: (shard: number, info: SessionInfo | null) => void kept.set(shard, info),
  }
}

export type Refusal = { readonly status: number; readonly code: number | string; readonly errors: unknown }

/** Discord's refusal of this call; throws when it succeeded or failed otherwise. */
export async function refusalOf(call: Promise<unknown>): Promise<Refusal> {
  const outcome: unknown = await call.catch((error: unknown) => error)
  if (outcome instanceof DiscordAPIError) {
    const { errors } = z.looseObject({ errors: z.unknown().optional() }).parse(outcome.rawError)
    return { status: outcome.status, code: outcome.code, errors }
  }
  throw new Error(`The call was not refused but gave ${String(outcome)}`)
}

/** A row of buttons with these custom ids. */
export function row(...ids: readonly string[]): object {
  return { type: 1, components: ids.map((id) => ({ type: 2, style: 2, label: id.slice(0, 80), custom_id: id })) }
}
