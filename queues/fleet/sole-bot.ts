// One bot of each channel on a Redis: conversations and outboxes are named by channel and chat, not by bot, so that a second bot would
// answer in the first one's chats, or fail to. Any number of processes may work for the same bot.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Channel } from '#shared/chat/conversation.ts'
import { BotError } from '#shared/errors.ts'
import type { CallUnit } from '#queues/units.ts'

export type SoleBot = {
  readonly call: CallUnit
  readonly channel: Channel
  /** Tells the bot from others: the public part of its token. */
  readonly bot: string
  /** So long another bot's place outlives its last process. */
  readonly ttlMs: number
  /** Another bot took the place, while Redis or this process was away. Told once; the place is not sought again. */
  readonly onLost: (why: string) => void
}

/** Throws BotError `config` when another bot works, and goes on to, for longer than a place lives. Keeps the place until `stop`. */
export async function holdChannel({ call, channel, bot, ttlMs, onLost }: SoleBot): Promise<{ stop(): void }> {
  const take = async (): Promise<boolean> => (await call('lease', `fl:{bot-${channel}}`, ['take', bot, ttlMs])) === 1
  const refusal = `Another ${channel} bot works on this Redis. Stop it, or give this one a Redis of its own by REDIS_URL.`
  const untilMs = Date.now() + ttlMs * 1.25
  while (!(await take())) {
    if (Date.now() > untilMs) throw new BotError('config', refusal)
    await sleep(ttlMs / 10)
  }
  const keep = async (): Promise<void> => {
    if (await take().catch(() => true)) return
    clearInterval(timer)
    onLost(refusal)
  }
  const timer = setInterval(() => void keep(), ttlMs / 4)
  return { stop: () => clearInterval(timer) }
}
