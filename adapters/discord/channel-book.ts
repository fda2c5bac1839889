// What is known of channels: whether they are threads and of which channel, and the last message seen in each. Most events name only the
// channel; its kind comes from the lists of a new session, from what earlier processes stored, or is asked for once.
import type { Limit } from '#adapters/calls/call-result.ts'
import { BotError } from '#shared/errors.ts'
import type { Seen } from '#queues/fleet/gateway-session.ts'
import { channel, guild, threadList, type DcChannel } from './payloads.ts'
import { toChannelInfo, type ChannelInfo } from './ids.ts'
import type { RestApi } from './rest-api.ts'

export type ChannelBook = {
  /** Takes up what an event says of channels. */
  learn(name: string, data: unknown): void
  /** Throws BotError, to be tried again, when Discord cannot say now. After three minutes of that the channel counts as an ordinary one. */
  find(id: string, guildId: string | undefined): Promise<ChannelInfo>
  /** The name that people see, where this process was told. */
  findName(id: string): string | undefined
}

/** What is said in the channel waits meanwhile, and in the end what is said anywhere. */
const mostUnsaidMs = 180_000

const channelEvents = new Set(['CHANNEL_CREATE', 'CHANNEL_UPDATE', 'THREAD_CREATE', 'THREAD_UPDATE'])

/** `now` in ms, from any beginning. */
export function createChannelBook(
  { api, now }: { readonly api: Pick<RestApi, 'call'>; readonly now: () => number },
  seen: Seen,
  limit: Limit,
): ChannelBook {
  const unsaidSinceMs = new Map<string, number>()
  const known = new Map<string, ChannelInfo>()
  for (const [id, word] of seen) known.set(id, parseWord(word).info)
  const keep = (one: DcChannel | undefined, server?: string): void => {
    if (one) known.set(one.id, toChannelInfo({ ...one, guild_id: one.guild_id ?? server }))
  }
  return {
    learn(name, data) {
      if (name === 'GUILD_CREATE') {
        const { id, channels = [], threads = [] } = guild.safeParse(data).data ?? {}
        for (const one of [...channels, ...threads]) keep(one, id)
      } else if (name === 'THREAD_LIST_SYNC') {
        const list = threadList.safeParse(data).data
        for (const one of list?.threads ?? []) keep(one, list?.guild_id)
      } else if (channelEvents.has(name)) keep(channel.safeParse(data).data)
    },
    findName: (id) => known.get(id)?.name,
    async find(id, guildId) {
      const info = known.get(id)
      if (info) return { ...info, guild: info.guild ?? guildId }
      if (guildId === undefined) return { kind: 'dm' }
      const sinceMs = unsaidSinceMs.get(id) ?? now()
      const leftMs = (): number => sinceMs + mostUnsaidMs - now()
      const asked =
        leftMs() > 0 ? await api.call({ method: 'get', path: `/channels/${id}`, shape: channel }, limit) : undefined
      if (asked?.kind === 'ok') keep(asked.value, guildId)
      else if (asked?.kind !== 'refused' && leftMs() > 0) {
        unsaidSinceMs.set(id, sinceMs)
        const afterMs = Math.min(asked?.kind === 'slow-down' ? asked.retryAfterMs : 1000, leftMs())
        throw new BotError('platform', 'Discord does not say what kind a channel is.', { retry: { afterMs } })
      } else known.set(id, { kind: 'guild', guild: guildId })
      unsaidSinceMs.delete(id)
      return known.get(id) ?? { kind: 'guild', guild: guildId }
    },
  }
}

/** The last message seen in a channel and the channel's kind, as one word to store: `<id> <kind>[ <parent>][ in <guild>]`. */
export function toWord(lastId: string, { kind, parent, guild: server }: ChannelInfo): string {
  return [
    lastId,
    kind,
    ...(parent === undefined ? [] : [parent]),
    ...(server === undefined ? [] : ['in', server]),
  ].join(' ')
}

/** What is not understood counts as never seen. */
export function parseWord(word: string): { readonly lastId: string; readonly info: ChannelInfo } {
  const [, lastId = '0', kind, parent, server] =
    /^(\d{1,20}) (dm|guild|thread)(?: (\d{1,20}))?(?: in (\d{1,20}))?$/.exec(word) ?? []
  if (kind === 'dm') return { lastId, info: { kind } }
  return {
    lastId,
    info: kind === 'thread' && parent ? { kind, parent, guild: server } : { kind: 'guild', guild: server },
  }
}
