// The sending half of the channel: the delivery worker's port on Discord's HTTP interface. While a reply is written people see that the
// bot is typing.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { ChannelAdapter } from '#queues/workers/channel-adapter.ts'
import { splitBody } from '#adapters/markup/split-body.ts'
import { toDiscord } from '#adapters/markup/to-discord.ts'
import { deliver, maxContentUnits } from './deliver.ts'
import { toChannel } from './place.ts'
import type { RestApi } from './rest-api.ts'

const discordLimit = { limit: maxContentUnits, measure: (markdown: string) => toDiscord(markdown).length }
/** Discord forgets a nonce after "a few minutes"; this is safely less. */
const nonceKnownMs = 120_000
/** The indicator lasts 10 s. */
const typingEveryMs = 8000
const typingTimeoutMs = 3000

export type AdapterOptions = {
  readonly sendTimeoutMs?: number | undefined
  readonly say: (text: string) => void
  readonly now: () => number
}

export function createDiscordAdapter(
  api: RestApi,
  { sendTimeoutMs = 10_000, say, now }: AdapterOptions,
): ChannelAdapter {
  const firstTries = createFirstTries(now)
  const quietUntilMs = new Map<ConversationId, number>()
  return {
    channel: 'discord',
    idempotent: true,
    sendTimeoutMs,
    split: (body) => splitBody(body, discordLimit),
    async deliver(conversation, row, signal) {
      const key = `${conversation} ${row.id}`
      const mayRepeat = firstTries.ageMs(key, row.attempts) < nonceKnownMs - sendTimeoutMs
      const limit = { timeoutMs: sendTimeoutMs, signal, mayRepeat }
      const outcome = await deliver(api, { conversation, row }, limit)
      if (outcome.kind !== 'retry') firstTries.forget(key)
      if (outcome.kind === 'failed') say(`A message to ${conversation} was not taken: ${outcome.reason}`)
      return outcome
    },
    draftEveryMs: () => typingEveryMs,
    async showDraft(conversation, _draft, signal) {
      if ((quietUntilMs.get(conversation) ?? 0) > now()) return
      if (quietUntilMs.size > 1000) quietUntilMs.clear()
      quietUntilMs.set(conversation, now() + typingEveryMs)
      const path = `/channels/${toChannel(conversation)}/typing` as const
      const shown = await api.ask({ method: 'post', path }, { timeoutMs: typingTimeoutMs, signal })
      if (shown.kind === 'slow-down')
        quietUntilMs.set(conversation, now() + Math.max(shown.retryAfterMs, typingEveryMs))
      if (shown.kind === 'refused') quietUntilMs.set(conversation, now() + 60_000)
    },
  }
}

/**
 * When this process first tried to send a row. A row that another process tried before counts as young: those rows were begun under
 * the lease of a process that died moments ago.
 */
function createFirstTries(now: () => number): {
  ageMs(key: string, attempts: number): number
  forget(key: string): void
} {
  const begunAtMs = new Map<string, number>()
  return {
    ageMs(key, attempts) {
      if (attempts === 1 || !begunAtMs.has(key)) {
        if (begunAtMs.size > 10_000) begunAtMs.clear()
        begunAtMs.set(key, now())
      }
      return now() - (begunAtMs.get(key) ?? 0)
    },
    forget: (key) => void begunAtMs.delete(key),
  }
}
