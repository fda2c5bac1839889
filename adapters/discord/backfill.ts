// Asks for what was written while no session ran: a new session, unlike a resumed one, begins with silence about the past. Only channels
// in which somebody wrote lately are asked for; what comes twice is known by its id.
import { z } from 'zod'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Seen } from '#queues/fleet/gateway-session.ts'
import { parseWord } from './places.ts'
import { snowflake } from './payloads.ts'
import { toTimeMs, type Place } from './place.ts'
import type { RestApi } from './rest-api.ts'

export type BackfillDeps = {
  readonly api: RestApi
  readonly now: () => number
  /** Stores one message as if it had just come. May throw; then the whole filling is tried again. */
  take(message: unknown, place: Place): Promise<Seen | undefined>
}

const recentMs = 24 * 3_600_000
const pageSize = 100
const maxPages = 10
const channelsAtOnce = 8
const timeoutMs = 8000
const tries = 4
const page = z.array(z.looseObject({ id: snowflake, channel_id: snowflake }))

/** Returns what has been seen by it. */
export async function backfill(deps: BackfillDeps, seen: Seen, signal: AbortSignal): Promise<Map<string, string>> {
  const now = deps.now()
  const found = new Map<string, string>()
  const channels = [...seen].filter(([, word]) => now - toTimeMs(parseWord(word).lastId) < recentMs)
  async function worker(): Promise<void> {
    for (let next = channels.pop(); next && !signal.aborted; next = channels.pop()) {
      for (const [channel, word] of await fillChannel(deps, next, signal)) found.set(channel, word)
    }
  }
  await Promise.all(Array.from({ length: channelsAtOnce }, worker))
  return found
}

async function fillChannel(
  deps: BackfillDeps,
  [channel, word]: readonly [string, string],
  signal: AbortSignal,
): Promise<Seen> {
  const { lastId, place } = parseWord(word)
  const found = new Map<string, string>()
  let after = lastId
  for (let pages = 0; pages < maxPages && !signal.aborted; pages++) {
    const messages = await ask(deps.api, { channel, after }, signal)
    for (const message of messages.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1))) {
      for (const [id, more] of (await deps.take(message, place)) ?? []) found.set(id, more)
      after = message.id
    }
    if (messages.length < pageSize) break
  }
  return found
}

/** A channel that cannot be read any more has nothing to tell. */
async function ask(
  api: RestApi,
  { channel, after }: { readonly channel: string; readonly after: string },
  signal: AbortSignal,
): Promise<z.infer<typeof page>> {
  for (let left = tries; left > 0 && !signal.aborted; left--) {
    const query = { after, limit: String(pageSize) }
    const path = `/channels/${channel}/messages` as const
    const answer = await api.ask({ method: 'get', path, query }, { timeoutMs, signal })
    if (answer.kind === 'ok') return page.safeParse(answer.result).data ?? []
    if (answer.kind === 'refused') return []
    await sleep(answer.kind === 'slow-down' ? answer.retryAfterMs : 500, undefined, { signal }).catch(() => {})
  }
  return []
}
