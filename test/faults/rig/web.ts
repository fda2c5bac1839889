// A person at the web page's HTTP interface who does not give up: a message that was not accepted goes again with the same key.
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Asked, Transcripts } from './transcripts.ts'

const accepted = z.object({ eventId: z.string(), seq: z.number() })
const patienceMs = 90_000
const retryMs = 200

export type WebAsker = (chat: string | number, text: string) => Promise<Asked>

export function createWebAsker(deps: {
  readonly port: number
  readonly folder: string
  readonly talk: Transcripts
}): WebAsker {
  const token = path.join(deps.folder, '.flotilla', 'web-token')
  return async (chat, text) => {
    const key = randomUUID()
    const conversation = `web:${chat}`
    const until = Date.now() + patienceMs
    const atMs = Date.now()
    for (;;) {
      const reply = await post(`http://127.0.0.1:${deps.port}/api/conversations/${chat}/messages`, {
        key,
        text,
        token: await readFile(token, 'utf8').catch(() => ''),
      }).catch(() => undefined)
      if (reply?.status === 202) {
        const { eventId, seq } = accepted.parse(await reply.json())
        const asked = { id: eventId, conversation, text, seq, atMs }
        deps.talk.note(asked)
        return asked
      }
      if (Date.now() > until) throw new Error(`The web role did not accept a message: ${reply?.status ?? 'no answer'}`)
      await sleep(retryMs)
    }
  }
}

function post(url: string, { key, text, token }: { key: string; text: string; token: string }): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token.trim()}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({ text }),
    signal: AbortSignal.timeout(5000),
  })
}
