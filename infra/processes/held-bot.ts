// A channel's place on this Redis, held for the process' bot as long as it runs.
import type { Channel } from '#shared/chat/conversation.ts'
import { holdChannel } from '#queues/fleet/sole-bot.ts'
import type { Part } from './part.ts'
import type { Runtime } from './runtime.ts'

/** Throws BotError `config` when another bot of the channel works on this Redis. */
export async function holdBot(runtime: Runtime, channel: Channel, bot: string): Promise<Part> {
  const { call, log, settings } = runtime
  // Two bots would answer in each other's chats: this one ends as if it were told to.
  const onLost = (why: string): void => {
    log.fatal(why)
    process.kill(process.pid, 'SIGTERM')
  }
  const place = await holdChannel({ call, channel, bot, ttlMs: settings.leaseMs, onLost })
  return {
    name: `${channel} bot`,
    async stop() {
      place.stop()
    },
  }
}
