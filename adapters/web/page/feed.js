// One conversation as it happens: first what there is, then the stream. After a cut it goes on from the last message it has,
// so nothing is missed and nothing comes twice. A tab that stays hidden gives its connection back until it is looked at.
import { isDraft, isMessage, loadMessages } from './api.js'

/** @import { ApiDraft, ApiMessage } from './api-types.d.ts' */
/**
 * @typedef {{
 *   onMessage(message: ApiMessage): void,
 *   onDraft(draft: ApiDraft): void,
 *   onReady(): void,
 *   onState(state: 'connected' | 'connecting' | 'offline'): void,
 * }} FeedListener
 */

const retryMs = [500, 1000, 2000, 4000, 8000]
const hiddenForMs = 60_000

/** Follows a conversation until `close`. @param {string} id @param {FeedListener} listener */
export function followConversation(id, listener) {
  let last = '0'
  let tries = 0
  let closed = false
  /** @type {EventSource | undefined} */
  let source
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer

  /** @param {ApiMessage} message */
  const take = (message) => {
    if (!isAfter(message.id, last)) return
    last = message.id
    try {
      listener.onMessage(message)
    } catch (failure) {
      // One message that cannot be shown must not stop the others, nor look like a lost connection.
      reportError(failure)
    }
  }

  async function open() {
    if (closed) return
    listener.onState(tries === 0 ? 'connecting' : 'offline')
    try {
      for (;;) {
        const { messages } = await loadMessages(id, last)
        if (closed) return
        messages.forEach(take)
        if (messages.length === 0) break
      }
      listener.onReady()
      connect()
    } catch {
      later()
    }
  }

  function connect() {
    source = new EventSource(`/api/conversations/${id}/stream?after=${last}`)
    source.addEventListener('open', () => {
      tries = 0
      listener.onState('connected')
    })
    source.addEventListener('message', (event) => {
      const message = parse(event)
      if (isMessage(message)) take(message)
    })
    source.addEventListener('draft', (event) => {
      const draft = parse(event)
      if (isDraft(draft)) listener.onDraft(draft)
    })
    source.addEventListener('error', () => {
      listener.onState('offline')
      // The browser comes back by itself after a cut, but gives up on an error answer.
      if (source?.readyState === EventSource.CLOSED) later()
    })
  }

  function later() {
    source?.close()
    listener.onState('offline')
    clearTimeout(timer)
    timer = setTimeout(() => void open(), retryMs[Math.min(tries, retryMs.length - 1)])
    tries += 1
  }

  function rest() {
    clearTimeout(timer)
    if (document.hidden) {
      timer = setTimeout(() => {
        source?.close()
        source = undefined
      }, hiddenForMs)
    } else if (!source || source.readyState === EventSource.CLOSED) {
      void open()
    }
  }
  const retryNow = () => {
    if (source?.readyState === EventSource.OPEN) return
    source?.close()
    clearTimeout(timer)
    void open()
  }

  document.addEventListener('visibilitychange', rest)
  window.addEventListener('online', retryNow)
  void open()
  return {
    close() {
      closed = true
      clearTimeout(timer)
      source?.close()
      document.removeEventListener('visibilitychange', rest)
      window.removeEventListener('online', retryNow)
    },
  }
}

/** @param {Event} event @returns {unknown} */
function parse(event) {
  return event instanceof MessageEvent ? JSON.parse(String(event.data)) : undefined
}

/** Stream ids are `<ms>-<count>`. @param {string} id @param {string} other */
function isAfter(id, other) {
  const [ms = 0, count = 0] = id.split('-').map(Number)
  const [otherMs = 0, otherCount = 0] = other.split('-').map(Number)
  return ms > otherMs || (ms === otherMs && count > otherCount)
}
