// Finds the conversation that a command of the shell names, in a fleet that may not run.
import { connectKernel, type RedisClient } from '#queues/connection.ts'
import { createRedisKernel } from '#queues/kernel/redis-kernel.ts'
import { createUnits } from '#queues/units.ts'
import { findConversations, listConversations, listTasks, lookAt } from '#queues/workers/look-at.ts'
import { address, homeOf, taskNumber, toTask, type Address, isTask } from '#shared/chat/address.ts'
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

/** By its id, or by the part of it behind the channel where that is the only one; a task of it by `#` and its number behind that. */
export async function findAddress(runtime: Pick<Runtime, 'redis'>, name: string): Promise<Address> {
  const at = name.indexOf('#')
  if (at < 0) return await findOne(runtime, name)
  // Whatever stands before it is looked for as any conversation.
  const number = taskNumber(readAddress(`${anyConversation}${name.slice(at)}`, name)) ?? 0
  const task = toTask(await findOne(runtime, name.slice(0, at)), number)
  await expectTask(runtime.redis, task)
  return task
}
const anyConversation = 'web:any'

/** Throws BotError `bad-input` for what is written otherwise, such as with another sign for `#`. */
export function readAddress(name: string, said: string = name): Address {
  const read = address.safeParse(name)
  if (read.success) return read.data
  const how = 'Write a conversation as channel:chat or channel:chat:thread, and a task of it as web:main#3.'
  throw new BotError('bad-input', `"${said.slice(0, 80)}" is no conversation and no task. ${how}`)
}

/** Throws BotError `bad-input` for a task that its conversation does not have. */
export async function expectTask(redis: RedisClient, task: Address): Promise<void> {
  if (!isTask(task)) return
  const numbers = await listTasks(redis, homeOf(task))
  if (numbers.includes(taskNumber(task) ?? 0)) return
  const which = numbers.length === 0 ? 'It has none.' : `It has ${numbers.join(', ')}.`
  throw new BotError('bad-input', `${homeOf(task)} has no task ${taskNumber(task)}. ${which}`)
}

/** As above. Throws BotError `bad-input` also for a task. */
export async function findOne({ redis }: Pick<Runtime, 'redis'>, name: string): Promise<ConversationId> {
  if (name.includes('#')) {
    const what = `"${name.slice(0, 80)}" is a task; this is kept of its conversation.`
    throw new BotError('bad-input', `${what} Write "${name.slice(0, name.indexOf('#')).slice(0, 80)}".`)
  }
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
