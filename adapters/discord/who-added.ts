// Who added the bot to a server, which only the server's audit log tells, and only to a bot that may read it (View Audit Log).
// https://docs.discord.com/developers/resources/audit-log
import { z } from 'zod'
import type { PrincipalId } from '#shared/chat/conversation.ts'
import { snowflake } from './payloads.ts'
import { nobody, toPrincipal, toTimeMs } from './ids.ts'
import type { RestApi } from './rest-api.ts'

const botAdd = '28'
const timeoutMs = 5000
/** How much earlier than the bot's arrival its entry may be. */
const earlierMs = 60_000
const log = z.object({
  audit_log_entries: z.array(
    z.object({ id: snowflake, user_id: snowflake.nullish(), target_id: z.string().nullish() }),
  ),
})

type Arrival = { readonly guild: string; readonly bot: string; readonly atMs: number }

/** `nobody` when the bot may not know. */
export async function findAdder(api: RestApi, { guild, bot, atMs }: Arrival): Promise<PrincipalId> {
  const query = { action_type: botAdd, limit: '10' }
  const limit = { timeoutMs, signal: new AbortController().signal }
  const result = await api.call({ method: 'get', path: `/guilds/${guild}/audit-logs`, query, shape: log }, limit)
  const entries = result.kind === 'ok' ? result.value.audit_log_entries : []
  const entry = entries.find(({ id, target_id: target }) => target === bot && toTimeMs(id) > atMs - earlierMs)
  return entry?.user_id ? toPrincipal(entry.user_id) : nobody
}
