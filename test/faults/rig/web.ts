// A person at the web page's HTTP interface who does not give up: a message that was not accepted goes again with the same key.
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Asked } from './transcripts.ts'

const accepted = z.object({ eventId: z.string(), seq: z.number() })
const patienceMs = 90_000
const retryMs = 200

export type WebAsker = {
  /** Sends until it is accepted. */
  ask(chat: string | number, text: string): Promise<Asked>
  /** Reads a conversation over HTTP, again until it is shown; resolves with what was answered. */
  read(chat: string | number): Promise<unknown>
  /** Sends once; resolves with the status, and the event's id when it was accepted. */
  post(chat: string | number, text: string): Promise<{ readonly status: number; readonly id?: string }>
  /** Sends once, tells how that went, and resolves with what sends it again until it is accepted. */
  once(chat: string | number, text: string, tell: (status: number, ms: number) => void): Promise<() => Promise<Asked>>
}

export function createWebAsker(deps: {
  readonly port: number
  readonly folder: string
  readonly talk: { note(asked: Asked): void }
}): WebAsker {
  const token = path.join(deps.folder, '.flotilla', 'web-token')
  const send = async (chat: string | number, text: string, key: string): Promise<Response | undefined> =>
    await post(`http://127.0.0.1:${deps.port}/api/conversations/${chat}/messages`, {
      key,
      text,
      token: await readFile(token, 'utf8').catch(() => ''),
    }).catch(() => undefined)
  const persist = async (chat: string | number, text: string, key: string): Promise<Asked> => {
    const until = Date.now() + patienceMs
    const atMs = Date.now()
    for (;;) {
      const reply = await send(chat, text, key)
      if (reply?.status === 202) {
        const { eventId, seq } = accepted.parse(await reply.json())
        const asked = { id: eventId, conversation: `web:${chat}`, text, seq, atMs }
        deps.talk.note(asked)
        return asked
      }
      if (Date.now() > until) throw new Error(`The web role did not accept a message: ${reply?.status ?? 'no answer'}`)
      await sleep(retryMs)
    }
  }
  return {
    ask: (chat, text) => persist(chat, text, randomUUID()),
    async read(chat) {
      for (const until = Date.now() + patienceMs; Date.now() < until; await sleep(retryMs)) {
        const bearer = (await readFile(token, 'utf8').catch(() => '')).trim()
        const reply = await fetch(`http://127.0.0.1:${deps.port}/api/conversations/${chat}/messages`, {
          headers: { authorization: `Bearer ${bearer}` },
          signal: AbortSignal.timeout(5000),
        }).catch(() => undefined)
        if (reply?.status === 200) return await reply.json()
      }
      throw new Error('The web role did not show a conversation.')
    },
    async post(chat, text) {
      const reply = await send(chat, text, randomUUID())
      if (reply?.status !== 202) return { status: reply?.status ?? 0 }
      return { status: 202, id: accepted.parse(await reply.json()).eventId }
    },
    async once(chat, text, tell) {
      const key = randomUUID()
      const atMs = Date.now()
      const reply = await send(chat, text, key)
      tell(reply?.status ?? 0, Date.now() - atMs)
      return () => persist(chat, text, key)
    },
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
