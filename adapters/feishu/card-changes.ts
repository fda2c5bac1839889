// What a press undoes: Feishu shows a card after its answer as it was when it was pressed, so a change that came in between is gone, and is made
// again. Only changes that this process made are known here.
// https://open.feishu.cn/document/feishu-cards/card-callback-communication
import { setTimeout as sleep } from 'node:timers/promises'
import { done } from './answers.ts'
import type { RestApi } from './rest-api.ts'

export type CardChanges = {
  /** As the one given, and changes of cards by it are known. */
  readonly api: RestApi
  /** Somebody presses a button of this message. What it returns is called when that was answered; it resolves when nothing is left to be done. */
  press(message: string): () => Promise<void>
}

type Change = {
  readonly body: Readonly<Record<string, unknown>>
  readonly begunMs: number
  /** Infinity while it is on its way. */
  endedMs: number
  /** How often it may still be made again: who presses all the time must not cost a call each second. */
  readonly left: number
}

/** An answer is on its way a little longer. */
const slackMs = 50
const mostAgain = 2
const againAfterMs = 1000
const timeoutMs = 5000
const mostKnown = 1000
/** A press waits three seconds for its answer; then it takes a moment until the change is made again. */
const newForMs = 5000
const path = /^\/im\/v1\/messages\/([^/]+)$/

export function watchCardChanges(inner: RestApi): CardChanges {
  const last = new Map<string, Change>()
  const api: RestApi = {
    ...inner,
    async call(call, limit) {
      const message = call.method === 'PATCH' ? path.exec(call.path)?.[1] : undefined
      if (message === undefined || !call.body || call.body instanceof FormData) return await inner.call(call, limit)
      const before = last.get(message)
      const left = before?.body === call.body ? before.left - 1 : mostAgain
      const change: Change = { body: call.body, begunMs: performance.now(), endedMs: Infinity, left }
      last.delete(message)
      last.set(message, change)
      const [oldest] = last.keys()
      if (last.size > mostKnown && oldest !== undefined) last.delete(oldest)
      const result = await inner.call(call, limit)
      change.endedMs = performance.now()
      // What was refused is not to be made again.
      if (result.kind === 'refused' && last.get(message) === change) last.delete(message)
      return result
    },
    newCard(message) {
      const change = last.get(message)
      const content = change?.body['content']
      const isNew = change !== undefined && performance.now() < change.begunMs + newForMs
      return isNew && typeof content === 'string' ? content : undefined
    },
  }
  return {
    api,
    press(message) {
      const fromMs = performance.now()
      return async () => {
        const toMs = performance.now() + slackMs
        await sleep(againAfterMs)
        const change = last.get(message)
        // One that came before it was pressed, or after it was answered, stands.
        if (!change || change.endedMs < fromMs || change.begunMs > toMs || change.left === 0) return
        const limit = { timeoutMs, signal: new AbortController().signal }
        await api.call({ method: 'PATCH', path: `/im/v1/messages/${message}`, body: change.body, shape: done }, limit)
      }
    },
  }
}
