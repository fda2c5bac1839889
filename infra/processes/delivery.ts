// The sending part of a channel's process: takes hints off its queue and delivers, and comes back to what may be sent a little later.
import { toOutQueue } from '#queues/jobs/queue-names.ts'
import { createSendBudget } from '#queues/fleet/send-budget.ts'
import type { ChannelDelivery } from '#queues/workers/channel-adapter.ts'
import type { Channel } from '#shared/chat/conversation.ts'
import { deliverRows } from '#queues/workers/deliver-rows.ts'
import { createCrowd } from '#queues/workers/crowd.ts'
import { createHintWorkers } from '#queues/workers/hint-worker.ts'
import { createShowings } from '#queues/workers/showings.ts'
import { createSentLately } from '#queues/workers/sent-lately.ts'
import { onceAMinute, type Part } from './part.ts'
import type { Runtime } from './runtime.ts'

/**
 * `slots`: how many conversations are sent to at once. `showings`: how many show a draft besides; in those beyond, the answer comes
 * without one. `draftPollMs`: how often these look while nothing is heard; a typing indicator is shown every four seconds.
 */
export type Room = { readonly slots: number; readonly showings: number; readonly draftPollMs: number }
const defaultRoom: Room = { slots: 1000, showings: 10_000, draftPollMs: 2000 }
/** What lies further ahead is left to the sweeper. */
const longestWakeMs = 120_000

export function startDelivery(
  runtime: Runtime,
  channel: Channel,
  delivery: ChannelDelivery,
  room: Room = defaultRoom,
): Part {
  const { kernel, hints, chats, log, liveness, giveBack, settings } = runtime
  const alarms = createAlarms((conversation) => hints.outbound(conversation))
  const { wake } = alarms
  const onTrouble = onceAMinute((what, error) => log.warn({ err: error }, what))
  const showings = createShowings({
    most: room.showings,
    live: runtime.live,
    onUnheard: (conversation) => wake(conversation, 0),
    onTrouble,
  })
  const deps = {
    kernel,
    delivery,
    hints,
    chats,
    wake,
    budget: createSendBudget(runtime.call),
    sent: createSentLately(),
    liveness,
    giveBack,
    draftPollMs: room.draftPollMs,
  }
  // A showing outlives its job, and ends like one.
  const ending = new AbortController()
  const crowd = createCrowd({
    handler: (conversation) =>
      runtime.underway.during(`delivery to ${conversation}`, () =>
        showings.run(conversation, (enter) => deliverRows({ ...deps, enter }, conversation, ending.signal)),
      ),
    onLeft: hints.outbound,
    onTrouble,
  })
  const worker = createHintWorkers(toOutQueue(channel), settings.queueShards, {
    connection: runtime.workerConnection(),
    openEntrance: () => crowd.openEntrance(Math.ceil(room.slots / settings.queueShards)),
    hints,
    onTrouble,
  })
  return {
    name: `${channel} delivery`,
    async stop(graceMs) {
      alarms.stop()
      const timer = setTimeout(() => ending.abort(), graceMs)
      await Promise.all([worker.stop(), crowd.stop(graceMs)])
      await showings.ended()
      clearTimeout(timer)
    },
  }
}

type Alarms = { wake(conversation: string, afterMs: number): void; stop(): void }

/** One alarm for each conversation: the last one set counts. */
function createAlarms(ring: (conversation: string) => Promise<void>): Alarms {
  const timers = new Map<string, NodeJS.Timeout>()
  return {
    wake(conversation, afterMs) {
      if (afterMs > longestWakeMs) return
      clearTimeout(timers.get(conversation))
      const end = (): void => {
        timers.delete(conversation)
        ring(conversation).catch(() => {})
      }
      timers.set(conversation, setTimeout(end, afterMs))
    },
    stop() {
      for (const timer of timers.values()) clearTimeout(timer)
    },
  }
}
