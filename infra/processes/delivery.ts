// The sending part of a channel's process: takes hints off its queue and delivers, and comes back to what may be sent a little later.
import { createSendBudget } from '#queues/fleet/send-budget.ts'
import type { ChannelDelivery } from '#queues/workers/channel-adapter.ts'
import type { Channel } from '#shared/chat/conversation.ts'
import { deliverRows } from '#queues/workers/deliver-rows.ts'
import { createHintWorker } from '#queues/workers/hint-worker.ts'
import { onceAMinute, type Part } from './part.ts'
import type { Runtime } from './runtime.ts'

/** A handler stays busy as long as its conversation shows a draft. */
const concurrency = 1000
const draftPollMs = 500
/** What lies further ahead is left to the sweeper. */
const longestWakeMs = 120_000

export function startDelivery(runtime: Runtime, channel: Channel, delivery: ChannelDelivery): Part {
  const { kernel, hints, chats, log } = runtime
  const timers = new Map<string, NodeJS.Timeout>()
  const wake = (conversation: string, afterMs: number): void => {
    if (afterMs > longestWakeMs) return
    clearTimeout(timers.get(conversation))
    const ring = (): void => {
      timers.delete(conversation)
      hints.outbound(conversation).catch(() => {})
    }
    timers.set(conversation, setTimeout(ring, afterMs))
  }
  const deps = { kernel, delivery, hints, chats, wake, budget: createSendBudget(runtime.call) }
  const worker = createHintWorker({
    queue: `outbound-${channel}`,
    connection: runtime.workerConnection(),
    concurrency,
    onTrouble: onceAMinute((what, error) => log.warn({ err: error }, what)),
    handler: (conversation, shutdown) =>
      deliverRows({ ...deps, leaseMs: runtime.settings.leaseMs, draftPollMs }, conversation, shutdown),
  })
  return {
    name: `${channel} delivery`,
    async stop(graceMs) {
      for (const timer of timers.values()) clearTimeout(timer)
      await worker.stop(graceMs)
    },
  }
}
