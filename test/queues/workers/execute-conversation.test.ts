// How the executor's worker gives a conversation back: after a second claim, and when what is stored cannot be read.
import { expect, test } from 'vitest'
import { executeConversation, type ExecuteDeps } from '#queues/workers/execute-conversation.ts'
import { BotError } from '#shared/errors.ts'
import { freshConversation, messageEvent, turnDecision } from '#test/contracts/kernel-fixtures.ts'
import { createMemoryKernel } from '#test/twins/memory-kernel.ts'

const leaseMs = 60_000

function bench(): {
  conversation: string
  kernel: ReturnType<typeof createMemoryKernel>
  say: (id: string) => Promise<void>
} {
  const kernel = createMemoryKernel(Date.now)
  const conversation = freshConversation('web')
  const say = async (id: string): Promise<void> => {
    await kernel.ingest({ event: messageEvent(conversation, id), dedupeKey: id, stop: 'none', echo: false })
    await kernel.route(conversation, (await kernel.inbox(conversation, 10)).routedSeq, [turnDecision])
  }
  return { conversation, kernel, say }
}

const around = {
  hints: { outbound: async () => {}, execute: async () => {} },
  signals: { listen: () => () => {}, close: () => {} },
  leaseMs,
}

test('gives the lease back after it claimed twice', async () => {
  const { conversation, kernel, say } = bench()
  await say('first')
  let rounds = 0
  const serve: ExecuteDeps['serve'] = async ({ claimed, store }) => {
    rounds += 1
    await store.append({ key: `step-${rounds}`, entries: [], consume: claimed.pending.map(({ seq }) => seq) })
    if (rounds === 1) await say('second')
    return 'EMPTY'
  }
  await executeConversation({ ...around, kernel, serve, onParked: () => {} }, conversation, AbortSignal.timeout(5000))
  expect(rounds).toBe(2)
  expect((await kernel.claim(conversation, 'someone else', leaseMs)).kind).toBe('CLAIMED')
})

test('parks a conversation whose snapshot nobody can read, and lets go of it', async () => {
  const { conversation, kernel, say } = bench()
  await say('first')
  const parked: string[] = []
  const serve = async (): Promise<never> => {
    throw new BotError('store-corrupt', 'CORRUPT The snapshot has an unknown shape or version.')
  }
  const onParked = (_: string, reason: string): void => void parked.push(reason)
  await executeConversation({ ...around, kernel, serve, onParked }, conversation, AbortSignal.timeout(5000))
  expect(parked).toEqual([expect.stringContaining('snapshot')])
  expect((await kernel.claim(conversation, 'someone else', leaseMs)).kind).toBe('PARKED')
  await kernel.unpark(conversation)
  expect((await kernel.claim(conversation, 'someone else', leaseMs)).kind).toBe('CLAIMED')
})

test('throws what is no corruption', async () => {
  const { conversation, kernel, say } = bench()
  await say('first')
  const serve = async (): Promise<never> => {
    throw new BotError('store-unavailable', 'gone', { retry: { afterMs: 1 } })
  }
  const working = executeConversation(
    { ...around, kernel, serve, onParked: () => {} },
    conversation,
    AbortSignal.timeout(5000),
  )
  await expect(working).rejects.toThrow('gone')
})
