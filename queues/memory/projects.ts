// Projects on Redis: the chats that are bound to one share one scope. Only what parts with which chat, and how much one project holds, is decided here.
import { hash } from 'node:crypto'
import { toChat } from '#shared/chat/conversation.ts'
import { toNormalForm } from '#shared/chat/normal-form.ts'
import {
  boundChat,
  mostChats,
  type Binding,
  type BoundChat,
  type Project,
  type Projects,
} from '#shared/memory/projects.ts'
import { ofProject, type MemoryRecord, type MemoryScope } from '#shared/memory/record.ts'
import { readStored } from '#shared/stored-json.ts'
import type { RedisClient } from '#queues/connection.ts'
import { fromStore } from '#queues/store-failure.ts'
import type { Parted } from './move-records.ts'
import { openSharedScopes, type SharedDeps, type SharedKind, type SharedScopes } from './shared-scopes.ts'
import { mostRecords } from './write-record.ts'

/** Each moves all that is kept for a chat: so many within a day. */
const mostBindings = 10
const daySeconds = 86_400
const toBoundKey = (chat: string): string => `fl:{projects}:bound:${chat}`

const kind: SharedKind = {
  movingKey: 'fl:{projects}:moving',
  toPairs: (own, shared) => [[own, shared]],
  part: (record, own) => partRecord(record, own),
}
const toOwn = (chat: string): MemoryScope => `chat:${chat}`

export function createProjects(deps: SharedDeps): Projects {
  const scopes = openSharedScopes(deps, kind)
  async function read(shared: MemoryScope): Promise<Project | undefined> {
    const chats = (await scopes.read(shared)).map((json) => readStored('bound chat', boundChat, json))
    const [first] = chats
    return first && { name: first.project, chats, count: await scopes.memory.count(shared) }
  }
  async function leave(chat: string): Promise<void> {
    const shared = await scopes.find(toOwn(chat))
    if (shared !== undefined) await scopes.leave(toOwn(chat), shared)
  }
  return {
    async find(chat) {
      const shared = await scopes.find(toOwn(chat))
      return shared === undefined ? undefined : await read(shared)
    },
    findNamed: (name) => read(toShared(name)),
    async bind(bound, event) {
      const [own, shared] = [toOwn(bound.chat), toShared(bound.project)]
      await scopes.goOn(own)
      if ((await scopes.find(own)) === shared) return 'bound'
      const refused = await refuse(scopes, bound, await read(shared))
      if (refused) return refused
      if (!(await countBinding(deps.redis, bound.chat, event))) return 'often'
      await leave(bound.chat)
      return (await scopes.enter(own, shared, JSON.stringify(bound))) ? 'bound' : 'elsewhere'
    },
    async unbind(chat) {
      await scopes.goOn(toOwn(chat))
      await leave(chat)
    },
    async goOn(chat) {
      await scopes.goOn(toOwn(chat))
    },
    finish: () => scopes.finish(),
  }
}

/** People call a project anything; its scope has signs that are safe everywhere. */
function toShared(name: string): MemoryScope {
  const folded = toNormalForm(name, 'NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim()
  return ofProject(hash('sha256', folded, 'hex').slice(0, 24))
}

async function refuse(
  { memory, find }: SharedScopes,
  { chat }: BoundChat,
  project: Project | undefined,
): Promise<Exclude<Binding, 'bound'> | undefined> {
  const { chats = [], count = 0 } = project ?? {}
  if (chats.length >= mostChats) return 'too-many'
  // Of another project it takes along no more than all of that.
  const own = await memory.count((await find(toOwn(chat))) ?? toOwn(chat))
  return own + count > mostRecords ? 'full' : undefined
}

/** Whether it may be. The same press counts once. */
async function countBinding(redis: RedisClient, chat: string, event: string): Promise<boolean> {
  const key = toBoundKey(chat)
  if ((await fromStore(redis.sismember(key, event))) === 1) return true
  if ((await fromStore(redis.scard(key))) >= mostBindings) return false
  await fromStore(redis.multi().sadd(key, event).expire(key, daySeconds, 'NX').exec())
  return true
}

/** What was said in this chat goes with it. Of what several chats said each has a copy, with its own messages. */
function partRecord(record: MemoryRecord, own: MemoryScope): Parted | undefined {
  const { from, answers } = record
  const isHere = (conversation: string): boolean => toOwn(toChat(conversation)) === own
  if (!from.some(({ conversation }) => isHere(conversation))) return undefined
  // An answer that somebody gave elsewhere, to a question of this chat, is this chat's, too.
  const isOwn = ({ conversation }: MemoryRecord['from'][number]): boolean =>
    isHere(conversation) || conversation === answers?.in
  const others = from.filter((one) => !isOwn(one))
  if (others.length === 0) return { goes: record }
  return { goes: { ...record, from: from.filter(isOwn) }, stays: { ...record, from: others } }
}
