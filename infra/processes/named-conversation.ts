// Finds the conversation that a command of the shell names, in a fleet that may not run.
import { connectKernel } from '#queues/connection.ts'
import { createRedisKernel } from '#queues/kernel/redis-kernel.ts'
import { createUnits } from '#queues/units.ts'
import { findConversations, listConversations, lookAt } from '#queues/workers/look-at.ts'
import { conversationId, type ConversationId } from '#shared/chat/conversation.ts'
import { BotError } from '#shared/errors.ts'
import type { Runtime } from './runtime.ts'

const mostListed = 10
const patienceMs = 1500

/** Told at once: a process of the fleet would wait for it to come back. */
export async function expectRedis(redisUrl: string): Promise<void> {
  const redis = connectKernel(redisUrl)
  try {
    await createRedisKernel(redis, createUnits(redis, { patienceMs })).due(0, 0)
  } catch (error) {
    if (!(error instanceof BotError)) throw error
    const fix = 'Start the fleet with "npm start", or set REDIS_URL to a running Redis.'
    throw new BotError(error.code, `${error.message} ${fix}`, { cause: error })
  } finally {
    redis.disconnect()
  }
}

/** By its id, or by the part of it behind the channel where that is the only one. */
export async function findOne({ redis }: Pick<Runtime, 'redis'>, name: string): Promise<ConversationId> {
  const whole = conversationId.safeParse(name)
  if (whole.success && (await lookAt(redis, whole.data))) return whole.data
  const found = await findConversations(redis, name)
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  const said = name.slice(0, 80)
  if (only !== undefined)
    throw new BotError('bad-input', `"${said}" may be any of ${found.join(', ')}. Name one of them.`)
  const there = await listConversations(redis, mostListed)
  const which = there.length === 0 ? 'Nobody has written to it yet.' : `Those last written in: ${there.join(', ')}.`
  throw new BotError('bad-input', `There is no conversation "${said}" in this fleet. ${which}`)
}
