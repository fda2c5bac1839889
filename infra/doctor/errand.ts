// What doctor does before it looks, where it is asked to: it puts a parked conversation or a task of one back, or what was set aside there.
import { expectTask, readAddress } from '#infra/processes/named-conversation.ts'
import type { RedisClient } from '#queues/connection.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import type { CallUnit } from '#queues/units.ts'
import { repairConversation } from '#queues/workers/inspect.ts'
import { isTask, type Address } from '#shared/chat/address.ts'
import { BotError } from '#shared/errors.ts'

export type Errand = { readonly word: '--repair' | '--replay'; readonly target: Address }

/** Undefined for another word. Throws BotError `bad-input` for what is no conversation and no task. */
export function readErrand(word: string | undefined, target: string | undefined): Errand | undefined {
  if (word !== '--repair' && word !== '--replay') return undefined
  if (target === undefined)
    throw new BotError('bad-input', `Write doctor ${word} <conversation>, such as doctor ${word} web:main.`)
  return { word, target: readAddress(target) }
}

type Store = { readonly redis: RedisClient; readonly call: CallUnit; readonly kernel: Kernel }

/** Throws BotError `bad-input` for a task that is not there, and what the kernel throws. */
export async function runErrand({ redis, call, kernel }: Store, { word, target }: Errand): Promise<void> {
  if (isTask(target)) await expectTask(redis, target)
  if (word === '--repair') await repairConversation(call, kernel, target)
  else await kernel.replay(target)
}
