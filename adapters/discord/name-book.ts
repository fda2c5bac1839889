// The names of roles, and the bot's own role. They come from the lists of a new session. A role that is not known is asked for where a message
// names it. So many servers are kept at a time; the one that was listed first goes first.
import { z } from 'zod'
import type { Limit } from '#adapters/calls/call-result.ts'
import { snowflake } from './payloads.ts'
import { noNames, type Names } from './references.ts'
import type { RestApi } from './rest-api.ts'

export type NameBook = {
  /** Takes up what an event says of roles. */
  learn(name: string, data: unknown): void
  /** For a message that names these roles. Never throws: what cannot be asked for now stays unknown. */
  find(guild: string | undefined, roles: readonly string[]): Promise<Names>
}

export type NameBookDeps = {
  readonly api: Pick<RestApi, 'call'>
  readonly botId: string
  readonly channelName: (id: string) => string | undefined
  /** ms, from any beginning. */
  readonly now: () => number
}

type Role = { readonly name: string; readonly isOwn: boolean }
type Roles = { readonly known: Map<string, Role>; askedAtMs: number }

const mostGuilds = 1000
const mostRoles = 1000
/** A role that is not in the list is asked for again after this. */
const askAgainMs = 60_000

const role = z.object({
  id: snowflake,
  name: z.string().catch(''),
  tags: z.object({ bot_id: snowflake.optional() }).optional().catch(undefined),
})
const roleList = z
  .array(z.unknown())
  .transform((all) => all.slice(0, mostRoles).flatMap((one) => role.safeParse(one).data ?? []))
const guildRoles = z.object({ id: snowflake, roles: roleList })
const roleChange = z.object({ guild_id: snowflake, role })
const roleDeletion = z.object({ guild_id: snowflake, role_id: snowflake })

export function createNameBook({ api, botId, channelName, now }: NameBookDeps, limit: Limit): NameBook {
  const guilds = new Map<string, Roles>()
  const toRole = ({ name, tags }: z.infer<typeof role>): Role => ({ name, isOwn: tags?.bot_id === botId })
  const keep = (guild: string, roles: z.infer<typeof roleList>, askedAtMs: number): Roles => {
    guilds.delete(guild)
    const [oldest] = guilds.size >= mostGuilds ? guilds.keys() : []
    if (oldest !== undefined) guilds.delete(oldest)
    const kept = { known: new Map(roles.map((one) => [one.id, toRole(one)])), askedAtMs }
    guilds.set(guild, kept)
    return kept
  }
  async function ask(guild: string): Promise<Roles> {
    const asked = await api.call({ method: 'get', path: `/guilds/${guild}/roles`, shape: roleList }, limit)
    return keep(guild, asked.kind === 'ok' ? asked.value : [], now())
  }
  return {
    learn(name, data) {
      if (name === 'GUILD_CREATE') {
        const found = guildRoles.safeParse(data).data
        if (found) keep(found.id, found.roles, -Infinity)
      } else if (name === 'GUILD_ROLE_CREATE' || name === 'GUILD_ROLE_UPDATE') {
        const { guild_id: guild = '', role: changed } = roleChange.safeParse(data).data ?? {}
        const roles = guilds.get(guild)?.known
        if (changed && roles && (roles.has(changed.id) || roles.size < mostRoles))
          roles.set(changed.id, toRole(changed))
      } else if (name === 'GUILD_ROLE_DELETE') {
        const gone = roleDeletion.safeParse(data).data
        if (gone) guilds.get(gone.guild_id)?.known.delete(gone.role_id)
      } else if (name === 'GUILD_DELETE') {
        const gone = z.object({ id: snowflake }).safeParse(data).data
        if (gone) guilds.delete(gone.id)
      }
    },
    async find(guild, wanted) {
      if (guild === undefined) return { ...noNames, channel: channelName }
      let roles = guilds.get(guild)
      const lacks = wanted.some((id) => !roles?.known.has(id))
      if (lacks && now() - (roles?.askedAtMs ?? -Infinity) >= askAgainMs) roles = await ask(guild)
      return {
        channel: channelName,
        role: (id) => roles?.known.get(id)?.name,
        isOwnRole: (id) => roles?.known.get(id)?.isOwn === true,
      }
    },
  }
}
