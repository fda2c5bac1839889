// The outbox rows of a channel's conversations, as Redis has them now.
import { z } from 'zod'
import type { Platform } from '#infra/processes/channels.ts'
import type { PrivateRedis } from '#test/rig/redis.ts'
import { readStoredRows } from '#test/rig/stored-rows.ts'

export type OutboxRow = {
  readonly conversation: string
  readonly id: string
  readonly state: string
  /** Of a row that ended `sent` the kernel keeps no body: then kind and answers are empty. */
  readonly kind: string
  readonly answers: readonly string[]
}

const body = z.object({ kind: z.string(), answers: z.array(z.string()) })

export async function readRows({ admin }: PrivateRedis, channel: Platform['name']): Promise<readonly OutboxRow[]> {
  return (await readStoredRows(admin, `${channel}:`)).map(({ conversation, id, fields }): OutboxRow => {
    const { s: state = '', b: json } = fields
    const known = json ? body.parse(JSON.parse(json)) : { kind: '', answers: [] }
    return { conversation, id, state, ...known }
  })
}
