// Tasks of Meilisearch: what is accepted is done later, and only the end of its task says whether it was done.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Meilisearch } from 'meilisearch'
import { z } from 'zod'
import { BotError } from '#shared/errors.ts'
import { codeOf } from './meilisearch-client.ts'

export type Patience = {
  /** A task that is open for longer waits for something that nobody sees: a full disk, or a queue that is canceled by hand. */
  readonly mostMs: number
  /** How soon it is asked about first; then less and less often, up to ten times that. */
  readonly firstPollMs: number
}

export const accepted = z.object({ taskUid: z.number() })

const task = z.object({
  status: z.enum(['enqueued', 'processing', 'succeeded', 'failed', 'canceled']),
  error: z.object({ code: z.string() }).nullish(),
})

export type Ended = { readonly kind: 'done' } | { readonly kind: 'failed'; readonly code: string }
export type TaskState = Ended | { readonly kind: 'open' }

export async function readTask(client: Meilisearch, uid: number): Promise<TaskState> {
  const found = await client.tasks.getTask(uid).catch((error: unknown) => {
    // The server lost its data, or somebody tidied up.
    if (codeOf(error) === 'task_not_found') return { status: 'failed', error: { code: 'task_not_found' } }
    throw error
  })
  const { status, error } = task.parse(found)
  if (status === 'enqueued' || status === 'processing') return { kind: 'open' }
  if (status === 'succeeded') return { kind: 'done' }
  return { kind: 'failed', code: status === 'canceled' ? 'canceled' : (error?.code ?? 'unknown') }
}

/** Throws BotError `store-unavailable` where it is still open in the end; it goes on then. */
export async function awaitTask(client: Meilisearch, uid: number, { mostMs, firstPollMs }: Patience): Promise<Ended> {
  const untilMs = performance.now() + mostMs
  for (let pauseMs = firstPollMs; ; pauseMs = Math.min(pauseMs * 1.5, firstPollMs * 10)) {
    await sleep(pauseMs)
    const state = await readTask(client, uid)
    if (state.kind !== 'open') return state
    if (performance.now() < untilMs) continue
    const told = `Meilisearch has not done its task ${uid} in ${Math.round(mostMs / 1000)} s. Look whether its disk is full.`
    throw new BotError('store-unavailable', told, { retry: { afterMs: 10_000 } })
  }
}
