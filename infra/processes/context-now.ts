// Reads of a conversation what its prompt is made of; the executor makes the prompt. Nothing is asked of a model and nothing is changed.
import type { Kernel } from '#queues/kernel/kernel.ts'
import { findTurnFacts, lookAt } from '#queues/workers/look-at.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { lookAtPrompt, type Look } from '#services/executor/serve/look.ts'
import { homeOf, nameAddress, type Address } from '#shared/chat/address.ts'
import { BotError } from '#shared/errors.ts'
import type { Runtime } from './runtime.ts'

export type ContextNow = Look & {
  readonly conversation: Address
  /** Names of the newest turns on record, the newest first. */
  readonly turns: readonly string[]
}

type LookDeps = Pick<Runtime, 'redis'> & { readonly kernel: Kernel; readonly executor: ExecutorDeps }

/** `at`: the name of an earlier turn. Throws BotError `bad-input` for what is not known, or not kept any more. */
export async function findContext(
  { redis, kernel, executor }: LookDeps,
  { address, at }: { readonly address: Address; readonly at?: string | undefined },
  signal: AbortSignal,
): Promise<ContextNow> {
  const conversation = homeOf(address)
  const looked = await lookAt(redis, address)
  if (!looked) throw new BotError('bad-input', `Nothing is stored of ${nameAddress(address)}.`)
  const { messages: about, newest: turns } = await findTurnFacts(redis, conversation, at)
  const findRecord = async (turn: string) => (await kernel.findTurn(conversation, { turn }))?.record
  const stored = {
    ...looked,
    conversation,
    kept: {
      listArtifacts: () => kernel.listArtifacts(address),
      findArtifact: (name: string) => kernel.findArtifact(address, name),
    },
    findLastTurn: async () => (await kernel.findTurn(conversation, 'last'))?.record,
  }
  const then = at === undefined ? undefined : { turn: at, record: await findRecord(at), about, turns }
  return { conversation: address, ...(await lookAtPrompt(executor, stored, then, signal)), turns }
}
