// The locks on this Redis that a process holds as long as it runs, so that none works beside it that it does not agree with.
import type { Channel } from '#shared/chat/conversation.ts'
import { holdLock, type SoleHolder } from '#queues/fleet/sole-holder.ts'
import type { Part } from './part.ts'
import type { Runtime } from './runtime.ts'

/**
 * How state is laid out. To be raised by whatever must not work at the same time as the release before, because one of the two would
 * misread or miss what the other stores (infra/decisions/026).
 */
const layout = '3'
const lockMs = 8000

/**
 * One bot of each channel: conversations and outboxes are named by channel and chat, not by bot, so that a second bot would answer in the
 * first one's chats, or fail to. Throws BotError `config` when another bot of the channel works on this Redis.
 */
export async function holdBot(runtime: Runtime, channel: Channel, bot: string): Promise<Part> {
  const refusal = `Another ${channel} bot works on this Redis. Stop it, or give this one a Redis of its own by REDIS_URL.`
  return await hold(runtime, `${channel} bot`, { lock: `bot-${channel}`, holder: bot, refusal })
}

/** Throws BotError `config` when processes work on this Redis that store things in another way. */
export async function holdLayout(runtime: Runtime): Promise<Part> {
  const refusal =
    'Processes of another release, or with another FLOTILLA_QUEUE_SHARDS, work on this Redis and store things in another way. Stop all of them, then start this one.'
  const { queueShards } = runtime.settings
  const holder = queueShards === 1 ? layout : `${layout} in ${queueShards} queues`
  return await hold(runtime, 'layout', { lock: 'layout', holder, refusal })
}

async function hold(
  { call, log }: Runtime,
  name: string,
  sole: Pick<SoleHolder, 'lock' | 'holder' | 'refusal'>,
): Promise<Part> {
  // Two that do not agree would spoil each other's work: this one ends as if it were told to.
  const onLost = (why: string): void => {
    log.fatal(why)
    process.kill(process.pid, 'SIGTERM')
  }
  const held = await holdLock({ call, ...sole, ttlMs: lockMs, onLost })
  return {
    name,
    async stop() {
      held.stop()
    },
  }
}
