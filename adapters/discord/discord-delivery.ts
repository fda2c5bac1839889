// The sending half of the channel: the delivery worker's port on Discord's HTTP interface. A reply's first message grows by edits.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Bucket, SendLimits } from '#queues/fleet/send-budget.ts'
import type { ChannelDelivery } from '#queues/workers/channel-adapter.ts'
import { deliverRow } from '#adapters/delivery/deliver-row.ts'
import { toDraftOutcome } from '#adapters/delivery/outcome.ts'
import { splitBody } from '#adapters/markup/split-body.ts'
import { inTurns } from '#adapters/markup/in-turns.ts'
import { splitInSteps } from '#adapters/markup/split.ts'
import { toDiscord } from '#adapters/markup/to-discord.ts'
import { maxContentUnits, toEdit, toRequests } from './deliver.ts'
import { toChannel } from './ids.ts'
import { nothing, type RestApi } from './rest-api.ts'
import { isOfChannel } from './trouble.ts'

const discordLimit = { limit: maxContentUnits, measure: (markdown: string) => toDiscord(markdown).length }
/**
 * Discord knows a nonce for "the past few minutes"; this is safely less.
 * https://docs.discord.com/developers/resources/message#create-message
 */
const nonceKnownMs = 120_000
/** Whether a channel is a direct one cannot be told by its id, so groups set the pace. */
const draftEveryMs = 3100
const draftTimeoutMs = 3000

/** Until a refused draft may be tried again. */
const closedAfterMs = 60_000

type DeliveryDeps = {
  readonly api: RestApi
  /** Tells the operator which channel refuses the bot, and why. */
  readonly say: (text: string) => void
}

export function createDiscordDelivery({ api, say }: DeliveryDeps, sendTimeoutMs = 10_000): ChannelDelivery {
  return {
    idempotentForMs: nonceKnownMs,
    sendTimeoutMs,
    split: async (body) => (body.kind === 'send' && body.file ? [body] : await splitBody(body, discordLimit)),
    // What refuses is a conversation: a locked thread says nothing of its channel.
    chatOf: (conversation) => conversation,
    closes: isOfChannel,
    async deliver({ conversation }, row, signal) {
      const limit = { timeoutMs: sendTimeoutMs, signal }
      const outcome = await deliverRow(toRequests(api, { conversation, id: row.id }, limit), row)
      if (outcome.kind === 'failed') say(`A message to ${conversation} was not taken: ${outcome.reason}`)
      return outcome
    },
    limits: (conversation) => toLimits(api, conversation),
    streaming: () => ({ as: 'edit', everyMs: draftEveryMs }),
    async showDraft({ conversation }, draft, signal) {
      const limit = { timeoutMs: draftTimeoutMs, signal }
      const shown =
        draft.message === undefined
          ? await api.call(
              { method: 'post', path: `/channels/${toChannel(conversation)}/typing`, shape: nothing },
              limit,
            )
          : await api.call(toEdit(conversation, draft.message.receipt, await toBeginning(draft.text)), limit)
      return toDraftOutcome(shown, closedAfterMs)
    },
  }
}

/** As much as one message holds, with its code closed. */
async function toBeginning(markdown: string): Promise<string> {
  const start = markdown.slice(0, maxContentUnits * 2)
  const [beginning = markdown] = await inTurns(start.length, splitInSteps(start, discordLimit, 1))
  return toDiscord(beginning)
}

/** A bucket for each route, which its answers name: five in five seconds in a channel, and a thread is one. */
const toBucket = (name: string): Bucket => ({ name, perChat: [{ count: 5, perMs: 5000 }] })

/**
 * What Discord documents and what its answers say: so many requests a second in all, and a bucket for each route and channel. The total of a
 * channel is ours. https://docs.discord.com/developers/topics/rate-limits
 */
function toLimits({ botId, requestsPerS }: RestApi, conversation: ConversationId): SendLimits {
  return {
    bot: `discord:${botId}`,
    chat: conversation,
    // In fifths, so that a second's worth is not sent at once and pushed together on its way.
    perBot: [{ count: Math.ceil(requestsPerS / 5), perMs: 200 }],
    perChat: [{ count: 10, perMs: 5000 }],
    buckets: {
      send: toBucket('send'),
      edit: toBucket('edit'),
      reaction: { name: 'reaction', perChat: [{ count: 1, perMs: 250 }] },
    },
    cosmetics: [{ count: 2, perMs: 5000 }],
  }
}
