// What Discord and the fleet tell of the bot, its application and its servers. It asks only by HTTP, so that no session is begun.
import { z } from 'zod'
import { createRestApi, type CallResult, type RestApi } from '#adapters/discord/rest-api.ts'
import { toShardLease } from '#adapters/discord/shard.ts'
import { toTrouble } from '#adapters/discord/trouble.ts'
import type { Settings } from '#infra/config/settings.ts'
import { toChannelRights, type Overwrite } from './discord-rights.ts'
import { readFleet, type FleetFacts, type Store } from './fleet-facts.ts'

export type DiscordTextChannel = {
  readonly id: string
  readonly name: string
  /** What the bot may do there. */
  readonly rights: bigint
}

export type DiscordGuild = {
  readonly id: string
  readonly name: string
  /** What the bot may do in the whole guild. */
  readonly rights: bigint
} & (
  | { readonly kind: 'seen'; readonly hasCommandScope: boolean; readonly channels: readonly DiscordTextChannel[] }
  | { readonly kind: 'unseen'; readonly reason: string }
)

export type DiscordApiFacts =
  | { readonly kind: 'unset' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'away'; readonly reason: string }
  | {
      readonly kind: 'known'
      readonly username: string
      readonly application: { readonly id: string; readonly flags: number; readonly bot_require_code_grant: boolean }
      /** How many slash commands are registered. */
      readonly commands: number
      readonly guilds: readonly DiscordGuild[]
    }

export type DiscordFacts = {
  readonly api: DiscordApiFacts
  readonly fleet: FleetFacts
  readonly owners: Settings['owners']
  readonly everyone: boolean
}

const timeoutMs = 4000
/** So many guilds are looked at. */
const mostGuilds = 20
const missingAccess = 50_001

const id = z.string().regex(/^\d{1,20}$/)
const bits = z
  .string()
  .regex(/^\d{1,40}$/)
  .transform(BigInt)
const self = z.object({ id, username: z.string() })
const application = z.object({
  id,
  flags: z.number().int().default(0),
  bot_require_code_grant: z.boolean().default(false),
})
const guildList = z.array(z.object({ id, name: z.string(), permissions: bits }))
const commandList = z.array(z.unknown())
const membership = z.object({ roles: z.array(id) })
const channelList = z.array(
  z.object({
    id,
    name: z.string().default(''),
    type: z.number().int(),
    permission_overwrites: z.array(z.object({ id, allow: bits, deny: bits })).default([]),
  }),
)
/** Text and announcements: where people can talk to a bot. */
const textTypes = new Set([0, 5])

/** Takes some seconds at most; never throws. */
export async function readDiscord(settings: Settings, store: Store): Promise<DiscordFacts> {
  const { discord, owners, allowEveryone: everyone } = settings
  if (!discord) return { owners, everyone, api: { kind: 'unset' }, fleet: await readFleet(store, 'discord') }
  const api = createRestApi(discord)
  const me = await get(api, '/users/@me', self)
  if (me.kind !== 'ok') return { owners, everyone, api: toFailure(me), fleet: await readFleet(store, 'discord') }
  const [facts, fleet] = await Promise.all([
    readApi(api, me.value),
    readFleet(store, 'discord', { lease: toShardLease(me.value.id, 0) }),
  ])
  return { owners, everyone, api: facts, fleet }
}

async function readApi(api: RestApi, me: z.infer<typeof self>): Promise<DiscordApiFacts> {
  const [about, list] = await Promise.all([
    get(api, '/applications/@me', application),
    get(api, '/users/@me/guilds', guildList),
  ])
  if (about.kind !== 'ok') return toFailure(about)
  if (list.kind !== 'ok') return toFailure(list)
  const [commands, guilds] = await Promise.all([
    get(api, `/applications/${about.value.id}/commands`, commandList),
    Promise.all(
      list.value
        .slice(0, mostGuilds)
        .map((guild) => readGuild(api, guild, { member: me.id, application: about.value.id })),
    ),
  ])
  if (commands.kind !== 'ok') return toFailure(commands)
  const { username } = me
  return { kind: 'known', username, application: about.value, commands: commands.value.length, guilds }
}

async function readGuild(
  api: RestApi,
  { permissions: rights, ...guild }: z.infer<typeof guildList>[number],
  bot: { readonly member: string; readonly application: string },
): Promise<DiscordGuild> {
  const [is, channels, commands] = await Promise.all([
    get(api, `/guilds/${guild.id}/members/${bot.member}`, membership),
    get(api, `/guilds/${guild.id}/channels`, channelList),
    get(api, `/applications/${bot.application}/guilds/${guild.id}/commands`, commandList),
  ])
  const hasCommandScope = commands.kind !== 'refused' || commands.code !== missingAccess
  const unseen = (failed: Failed): DiscordGuild => ({
    ...guild,
    rights,
    kind: 'unseen',
    reason: toTrouble(failed).text,
  })
  if (is.kind !== 'ok') return unseen(is)
  if (channels.kind !== 'ok') return unseen(channels)
  if (commands.kind !== 'ok' && hasCommandScope) return unseen(commands)
  const { roles } = is.value
  const inGuild = { guild: guild.id, member: bot.member, roles, rights }
  return {
    ...guild,
    rights,
    kind: 'seen',
    hasCommandScope,
    channels: channels.value
      .filter(({ type }) => textTypes.has(type))
      .map((one) => ({ id: one.id, name: one.name, rights: toChannelRights(inGuild, toOverwrites(one)) })),
  }
}

const toOverwrites = (channel: z.infer<typeof channelList>[number]): readonly Overwrite[] =>
  channel.permission_overwrites

type Failed = Exclude<CallResult<unknown>, { kind: 'ok' }>

function toFailure(failed: Failed): DiscordApiFacts {
  if (failed.kind === 'refused' && failed.status === 401) return { kind: 'refused' }
  return { kind: 'away', reason: toTrouble(failed).text }
}

async function get<T>(api: RestApi, path: `/${string}`, shape: z.ZodType<T>): Promise<CallResult<T>> {
  return await api.call({ method: 'get', path, shape }, { timeoutMs, signal: new AbortController().signal })
}
