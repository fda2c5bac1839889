// Who may talk: owners, admitted people and chats, and the one-time code that makes its holder an owner.
import { replyModes, type Channel, type PrincipalId, type ReplyMode } from '#shared/chat/conversation.ts'
import type { RedisClient } from '#queues/connection.ts'
import type { Signals } from '#queues/fleet/signals.ts'
import { fromStore } from '#queues/store-failure.ts'
import { accessKey, createAccessStore, type AccessStore } from './access-store.ts'

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

/** Owners by configuration or by nature: the web token's holder and the terminal of this machine. */
const born: readonly PrincipalId[] = ['web:owner', 'console:owner']

export type AccessOptions = {
  /** By configuration. */
  readonly owners: readonly PrincipalId[]
  readonly everyone: boolean
  /** Other processes hear of a change at once; without it, after a second. */
  readonly news?: Pick<Signals, 'listen' | 'tellAll'>
}

export function createAccessList(redis: RedisClient, configured: AccessOptions): AccessList {
  const store = createAccessStore(redis, configured.news)
  return {
    find: (principal, chat, server = chat) => find(store, configured, { principal, chat, server }),
    async claimOwner(principal, code) {
      // With owners by configuration a code that was made before them opens nothing; who is an owner already stays one.
      return await store.claim(principal, configured.owners.length === 0 ? code : '')
    },
    async listOwners() {
      return [...new Set([...(await store.owners()), ...configured.owners, ...born])]
    },
    admit: (what, id, by) => store.put(`${what}:${id}`, by),
    dismiss: (what, id) => store.put(`${what}:${id}`, ''),
    async dismissOwner(id) {
      if (born.includes(id) || configured.owners.includes(id)) return 'configured'
      return await store.dismissOwner(id, configured.owners.length)
    },
    setMode: (chat, mode) => store.put(`mode:${chat}`, mode === 'mention' ? '' : mode),
    async code(fresh) {
      return configured.owners.length > 0 ? undefined : await store.code(fresh)
    },
    async isCodeOpen() {
      return configured.owners.length === 0 && (await store.hasCode())
    },
  }
}

type Asked = { readonly principal: PrincipalId; readonly chat: string; readonly server: string }

async function find(
  store: AccessStore,
  configured: AccessOptions,
  { principal, chat, server }: Asked,
): Promise<Access> {
  // Web and terminal have no groups, and so no mode.
  if (born.includes(principal)) return { owner: true, person: true, chat: true, mode: 'mention' }
  const wanted = [`owner:${principal}`, `person:${principal}`, `chat:${chat}`, `chat:${server}`, `mode:${chat}`]
  const [stored, person, admitted, withServer, set] = await store.read(wanted)
  const mode = replyModes.find((known) => known === set) ?? 'mention'
  const owner = configured.owners.includes(principal) || Boolean(stored)
  return {
    owner,
    person: owner || Boolean(person) || configured.everyone,
    chat: owner || Boolean(admitted) || Boolean(withServer) || configured.everyone,
    mode,
  }
}

export async function readAccess(redis: RedisClient, channel: Channel): Promise<StoredAccess> {
  const stored = Object.entries(await fromStore(redis.hgetall(accessKey)))
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
