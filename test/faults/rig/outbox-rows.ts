// The outbox rows of a channel's conversations, as Redis has them now.
import { z } from 'zod'
import type { PrivateRedis } from '#test/rig/redis.ts'

export type OutboxRow = {
  readonly conversation: string
  readonly id: string
  readonly state: string
  /** Of a row that ended `sent` the kernel keeps no body: then kind and answers are empty. */
  readonly kind: string
  readonly answers: readonly string[]
}

const body = z.object({ kind: z.string(), answers: z.array(z.string()) })

/** Conversations without threads only. */
export async function readRows(
  { admin }: PrivateRedis,
  channel: 'telegram' | 'discord',
): Promise<readonly OutboxRow[]> {
  const keys = await admin.keys(`fl:{p*}:o:${channel}:*`)
  const fields = await Promise.all(keys.map((key) => admin.hmget(key, 's', 'b')))
  return keys.map((key, i): OutboxRow => {
    const [, conversation = '', id = ''] = /:o:(\w+:[^:]+):(.+)$/.exec(key) ?? []
    const [state, json] = fields[i] ?? []
    const known = json ? body.parse(JSON.parse(json)) : { kind: '', answers: [] }
    return { conversation, id, state: state ?? '', ...known }
  })
}
