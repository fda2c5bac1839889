// The sign that an answer is being written: Feishu shows nobody typing, so its bots put the reaction of that name below the question, and take it
// away when the answer is there. It is a courtesy of two calls, and what fails of it is nobody's concern. Should the process be killed meanwhile,
// the sign stays.
import { setTimeout as sleep } from 'node:timers/promises'
import { done } from './answers.ts'
import { reactionId } from './payloads.ts'
import type { RestApi } from './rest-api.ts'
import { isOfPermission } from './trouble.ts'

export type Typing = {
  /** Below this message, until the answer is there, or nobody has said so again for a while. */
  show(message: string): void
  /** The answer to these messages is there. */
  end(messages: readonly string[]): void
}

const emoji = 'Typing'
const timeoutMs = 5000
/** Writers say so every four seconds. */
const lastsMs = 15_000
/** A sooner answer needs no sign. */
const afterMs = 1500
const most = 200

export function createTyping(api: RestApi): Typing {
  const shown = new Map<string, { readonly put: Promise<string | undefined>; timer: NodeJS.Timeout }>()
  let isAllowed = true
  const limit = () => ({ timeoutMs, signal: new AbortController().signal })
  async function put(message: string): Promise<string | undefined> {
    await sleep(afterMs, undefined, { ref: false })
    if (!shown.has(message)) return undefined
    const body = { reaction_type: { emoji_type: emoji } }
    const path = `/im/v1/messages/${message}/reactions` as const
    const made = await api.call({ method: 'POST', path, body, shape: reactionId }, limit())
    if (made.kind === 'refused' && isOfPermission(made)) isAllowed = false
    return made.kind === 'ok' ? made.value.reaction_id : undefined
  }
  async function end(message: string): Promise<void> {
    const known = shown.get(message)
    if (!known) return
    shown.delete(message)
    clearTimeout(known.timer)
    const id = await known.put
    const path = `/im/v1/messages/${message}/reactions/${id}` as const
    if (id !== undefined) await api.call({ method: 'DELETE', path, shape: done }, limit())
  }
  /** The sign is a courtesy: nobody waits for its end. */
  const endLater = (message: string): void => {
    end(message).catch(() => {})
  }
  return {
    show(message) {
      if (!isAllowed) return
      const known = shown.get(message)
      const timer = setTimeout(() => endLater(message), lastsMs).unref()
      if (known) {
        clearTimeout(known.timer)
        known.timer = timer
        return
      }
      if (shown.size >= most) return clearTimeout(timer)
      shown.set(message, { put: put(message), timer })
    },
    end(messages) {
      for (const message of messages) endLater(message)
    },
  }
}
