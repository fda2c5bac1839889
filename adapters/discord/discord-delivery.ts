// The sending half of the channel: the delivery worker's port on Discord's HTTP interface. A reply's first message grows by edits.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { SendLimits } from '#queues/fleet/send-budget.ts'
import type { ChannelDelivery } from '#queues/workers/channel-adapter.ts'
import { splitBody } from '#adapters/markup/split-body.ts'
import { splitMarkdown } from '#adapters/markup/split.ts'
import { toDiscord } from '#adapters/markup/to-discord.ts'
import { deliver, maxContentUnits, toEdit } from './deliver.ts'
import { toChannel } from './place.ts'
import type { RestApi } from './rest-api.ts'

const discordLimit = { limit: maxContentUnits, measure: (markdown: string) => toDiscord(markdown).length }
/** Discord forgets a nonce after "a few minutes"; this is safely less. */
const nonceKnownMs = 120_000
/** Whether a channel is a direct one cannot be told by its id, so groups set the pace. */
const draftEveryMs = 3100
const draftTimeoutMs = 3000

export type DeliveryOptions = {
  readonly sendTimeoutMs?: number | undefined
  readonly say: (text: string) => void
  readonly now: () => number
}

export function createDiscordDelivery(
  api: RestApi,
  { sendTimeoutMs = 10_000, say, now }: DeliveryOptions,
): ChannelDelivery {
  const firstTries = createFirstTries(now)
  return {
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
    limits: toLimits,
    streaming: () => ({ as: 'edit', everyMs: draftEveryMs }),
    async showDraft(conversation, draft, signal) {
      const limit = { timeoutMs: draftTimeoutMs, signal }
      const shown =
        draft.message === undefined
          ? await api.ask({ method: 'post', path: `/channels/${toChannel(conversation)}/typing` }, limit)
          : await api.ask(toEdit(conversation, draft.message.receipt, toBeginning(draft.text)), limit)
      if (shown.kind === 'slow-down')
        return { kind: 'refused', afterMs: shown.retryAfterMs + 50, slowDown: shown.scope }
      if (shown.kind === 'refused') return { kind: 'refused', afterMs: 60_000 }
      if (shown.kind === 'unclear') return { kind: 'unclear' }
      return shown.kind === 'ok' ? { kind: 'shown' } : { kind: 'refused', afterMs: 5000 }
    },
  }
}

/** As much as one message holds, with its code closed. */
function toBeginning(markdown: string): string {
  const [beginning = markdown] = splitMarkdown(markdown.slice(0, maxContentUnits * 2), discordLimit)
  return toDiscord(beginning)
}

/**
 * What Discord documents and what its answers say: 50 requests a second in all, five messages in five seconds in a channel, and a
 * thread is one. https://docs.discord.com/developers/topics/rate-limits
 */
function toLimits(conversation: ConversationId): SendLimits {
  return {
    bot: 'discord',
    chat: conversation,
    perBot: [{ count: 10, perMs: 200 }],
    perChat: [{ count: 5, perMs: 5000 }],
    drafts: [{ count: 2, perMs: 5000 }],
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
