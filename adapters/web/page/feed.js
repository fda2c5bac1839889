// One conversation as it happens: first the newest of what there is, then the stream, and what was before on request. After a cut it goes on from the last message it has,
// so nothing is missed and nothing comes twice. A tab that stays hidden gives its connection back until it is looked at.
import { isDraft, isMessage, loadEarlier, loadMessages } from './api.js'

/** @import { ApiDraft, ApiMessage } from './api-types.d.ts' */
/**
 * @typedef {{
 *   onMessage(message: ApiMessage): void,
 *   onEarlier(messages: readonly ApiMessage[], isAll: boolean): void,
 *   onDraft(draft: ApiDraft): void,
 *   onReady(): void,
 *   onState(state: 'connected' | 'connecting' | 'offline'): void,
 * }} FeedListener
 */

const retryMs = [500, 1000, 2000, 4000, 8000]
const hiddenForMs = 60_000

/** Follows a conversation until `close`. @param {string} id @param {FeedListener} listener */
export function followConversation(id, listener) {
  /** The newest message that is known; undefined before the first answer. @type {string | undefined} */
  let last
  /** Where to go on reading towards the beginning; undefined at the beginning. @type {string | undefined} */
  let earliest
  /** @type {Promise<boolean> | undefined} */
  let reading
  let tries = 0
  let closed = false
  /** @type {EventSource | undefined} */
  let source
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer

  /** @param {ApiMessage} message */
  const take = (message) => {
    if (last !== undefined && !isAfter(message.id, last)) return
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
      await (last === undefined ? begin() : catchUp(last))
      if (closed) return
      listener.onReady()
      connect()
    } catch {
      later()
    }
  }

  async function begin() {
    const { messages, earlier } = await loadEarlier(id, '0')
    if (closed) return
    messages.forEach(take)
    last ??= '0'
    earliest = earlier
    listener.onEarlier([], earlier === undefined)
  }

  /** @param {string} from */
  async function catchUp(from) {
    for (let after = from; ; after = last ?? after) {
      const { messages } = await loadMessages(id, after)
      if (closed || messages.length === 0) return
      messages.forEach(take)
    }
  }

  async function readEarlier() {
    if (earliest === undefined || closed) return false
    const { messages, earlier } = await loadEarlier(id, earliest)
    if (closed) return false
    earliest = earlier
    listener.onEarlier(messages, earlier === undefined)
    return earlier !== undefined
  }

  function connect() {
    source = new EventSource(`/api/conversations/${id}/stream?after=${last ?? '0'}`)
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
    /** Reads what was said before; one reading at a time. Resolves to whether there is more; rejects when the server cannot be reached. */
    earlier() {
      reading ??= readEarlier().finally(() => (reading = undefined))
      return reading
    },
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
