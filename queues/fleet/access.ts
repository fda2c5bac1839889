// Who may talk: owners, admitted people and chats, and the one-time code that makes its holder an owner.
import { replyModes, type Channel, type PrincipalId, type ReplyMode } from '#shared/chat/conversation.ts'
import { createBatch } from '#queues/batch.ts'
import type { RedisClient } from '#queues/connection.ts'
import type { Signals } from '#queues/fleet/signals.ts'
import { groups } from '#queues/reply.ts'
import { fromStore } from '#queues/store-failure.ts'
import { createHashCopy } from './hash-copy.ts'

export type Access = {
  readonly owner: boolean
  readonly person: boolean
  readonly chat: boolean
  readonly mode: ReplyMode
}

/** All throw BotError `store-unavailable` while Redis is away. */
export type AccessList = {
  /** What holds for a person in a chat (`channel:chat`), which is admitted itself or with its server. */
  find(principal: PrincipalId, chat: string, server?: string): Promise<Access>
  /**
   * Makes the holder of the one-time code an owner; the code is then used up. Repeating it as the same person stays true. With owners
   * by configuration no code is taken.
   */
  claimOwner(principal: PrincipalId, code: string): Promise<boolean>
  /** All owners, by whichever way they are: those by nature too. */
  listOwners(): Promise<readonly PrincipalId[]>
  admit(what: 'person' | 'chat', id: string, by: PrincipalId): Promise<void>
  dismiss(what: 'person' | 'chat', id: string): Promise<void>
  /**
   * Takes an owner's rights, and their access, away. `last`: nobody else is one; `configured`: by the settings, or by nature; `none`: is
   * no owner.
   */
  dismissOwner(id: PrincipalId): Promise<'gone' | 'last' | 'configured' | 'none'>
  /** When the bot answers in a group (`channel:chat`). */
  setMode(chat: string, mode: ReplyMode): Promise<void>
  /** The unused code, made from `fresh` if there is no owner yet; undefined once it was used, and with owners by configuration. */
  code(fresh: string): Promise<string | undefined>
  /** Whether the code waits for the first owner: it was made and not used, and no owner is configured. */
  isCodeOpen(): Promise<boolean>
}

/** What is stored of a channel, for whoever wants to look at it; the code itself is told to nobody. */
export type StoredAccess = {
  readonly owners: readonly PrincipalId[]
  /** Admitted, as `channel:chat`. */
  readonly chats: readonly string[]
  /** Where it is not `mention`, by chat. */
  readonly modes: ReadonlyMap<string, ReplyMode>
  /** The one-time code was used, on whatever channel. */
  readonly isCodeUsed: boolean
}

const key = 'fl:{access}'
/** Owners by configuration or by nature: the web token's holder and the terminal of this machine. */
const born: readonly PrincipalId[] = ['web:owner', 'console:owner']

/** Another version each time, also where a failover lost the last one. */
const setsVersion = `local t = redis.call('TIME')\nredis.call('HSET', KEYS[1], 'version', t[1] .. '.' .. t[2])`

const claimScript = `
local code = redis.call('HGET', KEYS[1], 'code')
if redis.call('HEXISTS', KEYS[1], 'owner:' .. ARGV[1]) == 1 then return 1 end
if not code or code ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'owner:' .. ARGV[1], 'code', 'claimed', '1')
redis.call('HDEL', KEYS[1], 'code')
${setsVersion}
return 1`

const dismissScript = `
if redis.call('HEXISTS', KEYS[1], 'owner:' .. ARGV[1]) == 0 then return 'none' end
local owners = tonumber(ARGV[2])
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  if string.sub(field, 1, 6) == 'owner:' then owners = owners + 1 end
end
if owners < 2 then return 'last' end
redis.call('HDEL', KEYS[1], 'owner:' .. ARGV[1], 'person:' .. ARGV[1])
${setsVersion}
return 'gone'`

/** An empty value takes the field away. */
const putScript = `
if ARGV[2] == '' then redis.call('HDEL', KEYS[1], ARGV[1]) else redis.call('HSET', KEYS[1], ARGV[1], ARGV[2]) end
${setsVersion}
return 1`

const codeScript = `
if redis.call('HEXISTS', KEYS[1], 'claimed') == 1 then return false end
redis.call('HSETNX', KEYS[1], 'code', ARGV[1])
return redis.call('HGET', KEYS[1], 'code')`

export type AccessOptions = {
  /** By configuration. */
  readonly owners: readonly PrincipalId[]
  readonly everyone: boolean
  /** Other processes hear of a change at once; without it, after a second. */
  readonly news?: Pick<Signals, 'listen' | 'tellAll'>
}

export function createAccessList(redis: RedisClient, configured: AccessOptions): AccessList {
  const copy = createHashCopy(redis, key)
  configured.news?.listen(key, copy.forget)
  const ask = createBatch<readonly string[], readonly unknown[]>(64, async (wanted) => {
    const found = await fromStore(redis.hmget(key, ...wanted.flat()))
    return groups(found, 5)
  })
  const look = async (wanted: readonly string[]): Promise<readonly unknown[]> => {
    const fields = await copy.read()
    return fields ? wanted.map((field) => fields.get(field)) : await ask(wanted)
  }
  const change = async <T>(changing: Promise<T>): Promise<T> => {
    const changed = await fromStore(changing)
    copy.forget()
    configured.news?.tellAll(key)
    return changed
  }
  const put = (field: string, value: string): Promise<unknown> => change(redis.eval(putScript, 1, key, field, value))
  return {
    async find(principal, chat, server = chat) {
      // Web and terminal have no groups, and so no mode.
      if (born.includes(principal)) return { owner: true, person: true, chat: true, mode: 'mention' }
      const wanted = [`owner:${principal}`, `person:${principal}`, `chat:${chat}`, `chat:${server}`, `mode:${chat}`]
      const [stored, person, admitted, withServer, set] = await look(wanted)
      const mode = replyModes.find((known) => known === set) ?? 'mention'
      const owner = configured.owners.includes(principal) || Boolean(stored)
      return {
        owner,
        person: owner || Boolean(person) || configured.everyone,
        chat: owner || Boolean(admitted) || Boolean(withServer) || configured.everyone,
        mode,
      }
    },
    async claimOwner(principal, code) {
      // With owners by configuration a code that was made before them opens nothing; who is an owner already stays one.
      const given = configured.owners.length === 0 ? code : ''
      return (await change(redis.eval(claimScript, 1, key, principal, given))) === 1
    },
    async listOwners() {
      const fields = await fromStore(redis.hkeys(key))
      const stored = fields.flatMap((field) => (field.startsWith('owner:') ? [field.slice('owner:'.length)] : []))
      return [...new Set([...stored, ...configured.owners, ...born])]
    },
    async admit(what, id, by) {
      await put(`${what}:${id}`, by)
    },
    async dismiss(what, id) {
      await put(`${what}:${id}`, '')
    },
    async dismissOwner(id) {
      if (born.includes(id) || configured.owners.includes(id)) return 'configured'
      const outcome = await change(redis.eval(dismissScript, 1, key, id, configured.owners.length))
      return outcome === 'gone' || outcome === 'last' ? outcome : 'none'
    },
    async setMode(chat, mode) {
      await put(`mode:${chat}`, mode === 'mention' ? '' : mode)
    },
    async code(fresh) {
      if (configured.owners.length > 0) return undefined
      const code = await fromStore(redis.eval(codeScript, 1, key, fresh))
      return typeof code === 'string' ? code : undefined
    },
    async isCodeOpen() {
      return configured.owners.length === 0 && (await fromStore(redis.hexists(key, 'code'))) === 1
    },
  }
}

export async function readAccess(redis: RedisClient, channel: Channel): Promise<StoredAccess> {
  const stored = Object.entries(await fromStore(redis.hgetall(key)))
  const of = (what: 'owner' | 'chat' | 'mode'): [id: string, value: string][] =>
    stored.flatMap(([field, value]) =>
      field.startsWith(`${what}:${channel}:`) ? [[field.slice(what.length + 1), value]] : [],
    )
  const modes = of('mode').flatMap(([chat, value]): [string, ReplyMode][] => {
    const mode = replyModes.find((known) => known === value)
    return mode ? [[chat, mode]] : []
  })
  return {
    owners: of('owner').map(([id]) => id),
    chats: of('chat').map(([id]) => id),
    modes: new Map(modes),
    isCodeUsed: stored.some(([field]) => field === 'claimed'),
  }
}
