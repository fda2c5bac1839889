// The conversations the web owner has used, newest first: a small index, so that any browser and process shows the same list.
import type { RedisClient } from '#queues/connection.ts'
import { dropTitle, findTitles, keepTitle } from '#queues/shown/kept-titles.ts'
import { fromStore } from '#queues/store-failure.ts'
import { BotError } from '#shared/errors.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import type { OutItem } from '#queues/shown/shown.ts'
import { toFirstLine } from './first-line.ts'
import { unmark } from './unmark.ts'

export type ListedConversation = {
  readonly id: string
  /** When it was last written to, ms since 1970. */
  readonly at: number
  /** The name its owner gave it, else the beginning of its first message. */
  readonly title: string
  /** When the bot last said something in it; absent when it never did. */
  readonly saidAt?: number
  /** Whether a reply is to be expected soon. */
  readonly working: boolean
}

export type ConversationList = {
  /** Puts a conversation at the top. */
  touch(id: string, atMs: number): Promise<void>
  load(): Promise<readonly ListedConversation[]>
  /** Their ids alone, the newest first. */
  ids(): Promise<readonly string[]>
  /** Gives a listed conversation a name; an empty one takes it away. */
  rename(id: string, title: string): Promise<'renamed' | 'unknown'>
  remove(id: string): Promise<void>
}

/** `kept`: the title that was kept; `asOf`: see `keepTitle`. */
type Known = { readonly name: string | undefined; readonly kept: string | undefined; readonly asOf: string }

const maxListed = 100
export const titleChars = 80
const newestItems = 3
/** What was forgotten at the beginning names nothing. */
const firstItems = 20
/** After that nobody waits for a reply any more. */
const expectedWithinMs = 10 * 60_000

export type ListDeps = {
  readonly redis: RedisClient
  readonly kernel: Pick<Kernel, 'readOut' | 'readOutBefore' | 'findDraft'>
  readonly principal: string
  now(): number
}

export function createConversationList(deps: ListDeps): ConversationList {
  const { redis, principal } = deps
  const key = `fl:{web}:conversations:${principal}`
  const names = `fl:{web}:names:${principal}`

  return {
    async touch(id, atMs) {
      await fromStore(redis.zadd(key, atMs, id))
      const beyond = await fromStore(redis.zrange(key, '0', `${-maxListed - 1}`))
      if (beyond.length === 0) return
      await fromStore(redis.zrem(key, ...beyond))
      await fromStore(redis.hdel(names, ...beyond))
      for (const old of beyond) await dropTitle(redis, `web:${old}`)
    },
    async load() {
      const flat = await fromStore(redis.zrevrange(key, 0, maxListed - 1, 'WITHSCORES'))
      const listed: { id: string; at: number }[] = []
      for (let i = 0; i + 1 < flat.length; i += 2) listed.push({ id: flat[i] ?? '', at: Number(flat[i + 1]) })
      if (listed.length === 0) return []
      const ids = listed.map(({ id }) => id)
      const named = await fromStore(redis.hmget(names, ...ids))
      const { titles, asOf } = await findTitles(redis, ids)
      const described = listed.map(async (item, i) => {
        const known = { name: named[i] ?? undefined, kept: titles[i], asOf }
        return {
          ...item,
          ...(await describe(deps, item.id, known).catch((error: unknown) => byName(known.name ?? known.kept, error))),
        }
      })
      return await Promise.all(described)
    },
    ids: async () => await fromStore(redis.zrevrange(key, 0, maxListed - 1)),
    async rename(id, title) {
      if ((await fromStore(redis.zscore(key, id))) === null) return 'unknown'
      if (title === '') await fromStore(redis.hdel(names, id))
      else await fromStore(redis.hset(names, id, title))
      return 'renamed'
    },
    async remove(id) {
      await fromStore(redis.zrem(key, id))
      await fromStore(redis.hdel(names, id))
      await dropTitle(redis, `web:${id}`)
    },
  }
}

async function describe(deps: ListDeps, id: string, known: Known): Promise<Omit<ListedConversation, 'id' | 'at'>> {
  const { kernel, now } = deps
  const newest = await kernel.readOutBefore(`web:${id}`, '0', newestItems)
  const draft = await kernel.findDraft(`web:${id}`)
  const title = known.name ?? (await findTitle(deps, id, known))
  const said = newest.findLast(isSaid)
  const asked = newest.at(-1)
  const waits = asked?.role === 'person' && asked.event.kind === 'message' && now() - asked.at < expectedWithinMs
  return { title, working: waits || draft !== undefined, ...(said ? { saidAt: said.at } : {}) }
}

/** Read from the conversation itself as long as its beginning is there, so that what is forgotten there is forgotten here. */
async function findTitle({ redis, kernel }: ListDeps, id: string, { kept, asOf }: Known): Promise<string> {
  const items = await kernel.readOut(`web:${id}`, '0', firstItems)
  const title = toTitle(items)
  if (items[0]?.id !== '1') return kept ?? title
  if (title !== (kept ?? '')) await keepTitle(redis, { id, title, asOf })
  return title
}

/** What this release cannot read in one conversation hides nothing of the others. */
function byName(name: string | null | undefined, error: unknown): Omit<ListedConversation, 'id' | 'at'> {
  if (error instanceof BotError && (error.code === 'store-newer' || error.code === 'store-corrupt'))
    return { title: name ?? '', working: false }
  throw error
}

const isSaid = (item: OutItem): boolean => item.role === 'bot' && item.body.kind === 'send'

/** The first thing that was said: in words that answer no card, else by a command, else by the bot. */
function toTitle(items: readonly OutItem[]): string {
  const said = items.flatMap((item) => (item.role === 'person' && item.event.kind === 'message' ? [item.event] : []))
  const first = said.find(({ command, replyTo }) => !command && !replyTo) ?? said[0]
  if (first) return cutTitle(unmark(first.text))
  const shown = items.flatMap((item) => (item.role === 'bot' && item.body.kind === 'send' ? [item.body.text] : []))
  return shown[0] === undefined ? '' : cutTitle(toFirstLine(shown[0]))
}

/** On one line, at most 80 characters. */
export function cutTitle(text: string): string {
  return [
    ...text
      .slice(0, 4 * titleChars)
      .replaceAll(/\s+/g, ' ')
      .trim(),
  ]
    .slice(0, titleChars)
    .join('')
}
