// Asks for what was written and edited while no session ran: a new session, unlike a resumed one, begins with silence about the past. Only
// channels in which somebody wrote lately are asked for; what comes twice is known by its id. What was deleted or pressed meanwhile
// nobody can ask for: a deleted message stays known, and a press that got no answer is made again by its person.
import { z } from 'zod'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Seen } from '#queues/fleet/gateway-session.ts'
import { parseWord } from './channel-book.ts'
import { snowflake } from './payloads.ts'
import { toTimeMs, type ChannelInfo } from './ids.ts'
import type { RestApi } from './rest-api.ts'

export type BackfillDeps = {
  readonly api: RestApi
  readonly now: () => number
  /** Stores one message as if it, or its edit, had just come. May throw; then the whole filling is tried again. */
  take(name: 'MESSAGE_CREATE' | 'MESSAGE_UPDATE', message: unknown, info: ChannelInfo): Promise<Seen | undefined>
  /** Discord does not say what was written in a channel. May throw; then too the whole filling is tried again. */
  onSilent(): void
  /** What has been seen in the channels that are filled; a second try leaves them alone. */
  readonly found: Map<string, Seen>
}

const recentMs = 24 * 3_600_000
const pageSize = 100
const maxPages = 10
const channelsAtOnce = 8
const timeoutMs = 8000
const tries = 4
/** So many messages before the last one seen are looked at for edits. */
const editable = 50
const listed = z.looseObject({ id: snowflake, channel_id: snowflake, edited_timestamp: z.string().nullish() })
/** A message that cannot be read hides no other. */
const page = z.array(listed.or(z.unknown().transform(() => undefined)))
type Page = { readonly messages: readonly z.infer<typeof listed>[]; readonly isFull: boolean }

export async function backfill(deps: BackfillDeps, seen: Seen, signal: AbortSignal): Promise<void> {
  const now = deps.now()
  const channels = [...seen].filter(
    ([channel, word]) => !deps.found.has(channel) && now - toTimeMs(parseWord(word).lastId) < recentMs,
  )
  async function worker(): Promise<void> {
    for (let next = channels.pop(); next && !signal.aborted; next = channels.pop()) {
      const found = await fillChannel(deps, next, signal)
      if (!signal.aborted) deps.found.set(next[0], found)
    }
  }
  const done = await Promise.allSettled(Array.from({ length: channelsAtOnce }, worker))
  for (const one of done) if (one.status === 'rejected') throw one.reason
}

async function fillChannel(
  deps: BackfillDeps,
  [channel, word]: readonly [string, string],
  signal: AbortSignal,
): Promise<Seen> {
  const { lastId, info } = parseWord(word)
  const found = new Map<string, string>()
  const before = String(BigInt(lastId) + 1n)
  const { messages: earlier } = await fetchPage(deps, { channel, before, limit: editable }, signal)
  for (const message of earlier) {
    // Earlier edits came by the gateway.
    const isNew = Date.parse(message.edited_timestamp ?? '') > toTimeMs(lastId)
    if (isNew) await deps.take('MESSAGE_UPDATE', message, info)
  }
  let after = lastId
  for (let pages = 0; pages < maxPages && !signal.aborted; pages++) {
    const { messages, isFull } = await fetchPage(deps, { channel, after, limit: pageSize }, signal)
    for (const message of messages.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1))) {
      for (const [id, more] of (await deps.take('MESSAGE_CREATE', message, info)) ?? []) found.set(id, more)
      after = message.id
    }
    if (!isFull) break
  }
  return found
}

const nothingSaid: Page = { messages: [], isFull: false }

type Wanted = { readonly channel: string; readonly limit: number; readonly after?: string; readonly before?: string }

/** A channel that cannot be read any more has nothing to tell. */
async function fetchPage(
  { api, onSilent }: BackfillDeps,
  { channel, limit, ...by }: Wanted,
  signal: AbortSignal,
): Promise<Page> {
  for (let left = tries; left > 0 && !signal.aborted; left--) {
    const query = { ...by, limit: String(limit) }
    const path = `/channels/${channel}/messages` as const
    const result = await api.call({ method: 'get', path, query, shape: page }, { timeoutMs, signal })
    if (result.kind === 'ok') {
      return { messages: result.value.filter((one) => one !== undefined), isFull: result.value.length >= limit }
    }
    if (result.kind === 'refused') return nothingSaid
    await sleep(result.kind === 'slow-down' ? result.retryAfterMs : 500, undefined, { signal }).catch(() => {})
  }
  if (!signal.aborted) onSilent()
  return nothingSaid
}
