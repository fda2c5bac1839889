// What this tab has written and the server has not confirmed: shown at once, sent in order, tried again under the same key until
// it is accepted or refused for good. It survives a reload.
import { Failure, read, sendMessage, toEventId } from './api.js'

/**
 * @typedef {{
 *   conversation: string,
 *   key: string,
 *   eventId: string,
 *   text: string,
 *   state: 'sending' | 'waiting' | 'refused',
 *   reason?: string,
 *   replyTo?: string | undefined,
 * }} Unsent
 */

const storageKey = 'flotilla.outbox'
const retryMs = [500, 1000, 2000, 4000, 8000]

/** @param {() => void} onChange */
export function createOutbox(onChange) {
  /** @type {Unsent[]} */
  let unsent = restore()
  let busy = false
  /** Accepted, and not yet seen in the stream. @type {Map<string, Unsent>} */
  const confirmed = new Map()
  /** Messages keep the order in which they were written, whichever id is ready first. @type {Promise<void>} */
  let lastAdded = Promise.resolve()

  function changed() {
    sessionStorage.setItem(storageKey, JSON.stringify(unsent))
    onChange()
  }

  async function work() {
    if (busy) return
    busy = true
    let tries = 0
    for (;;) {
      const next = unsent.find((item) => item.state !== 'refused')
      if (!next) break
      try {
        await sendMessage(next.conversation, next.key, next)
        tries = 0
        // It stays visible until it comes back in the stream, unless it already has.
        if (unsent.includes(next)) confirmed.set(next.eventId, next)
        unsent = unsent.filter((item) => item !== next)
      } catch (failure) {
        const temporary = !(failure instanceof Failure) || failure.temporary
        next.state = temporary ? 'waiting' : 'refused'
        if (!temporary && failure instanceof Error) next.reason = failure.message
        changed()
        if (temporary) await pause(retryMs[Math.min(tries, retryMs.length - 1)])
        tries += 1
      }
      changed()
    }
    busy = false
  }

  void work()
  return {
    /** @param {string} conversation @param {string} text @param {string} [replyTo] the event it replies to */
    send(conversation, text, replyTo) {
      const key = crypto.randomUUID()
      const eventId = toEventId(conversation, key)
      const add = async () => {
        unsent.push({ conversation, key, eventId: await eventId, text, replyTo, state: 'sending' })
        changed()
        void work()
      }
      lastAdded = lastAdded.then(add)
    },
    /** The message is in the stream. @param {string} eventId */
    seen(eventId) {
      if (!confirmed.delete(eventId) && !unsent.some((item) => item.eventId === eventId)) return
      unsent = unsent.filter((item) => item.eventId !== eventId)
      changed()
    },
    /** @param {Unsent} item */
    discard(item) {
      unsent = unsent.filter((other) => other !== item)
      changed()
    },
    /** What is unsent in a conversation that is gone. @param {string} conversation */
    forget(conversation) {
      unsent = unsent.filter((item) => item.conversation !== conversation)
      for (const [eventId, item] of confirmed) if (item.conversation === conversation) confirmed.delete(eventId)
      changed()
    },
    /** In the order they were written. @param {string} conversation @returns {Unsent[]} */
    list(conversation) {
      return [...confirmed.values(), ...unsent].filter((item) => item.conversation === conversation)
    },
  }
}

/** @returns {Unsent[]} */
function restore() {
  try {
    /** @type {unknown} */
    const stored = JSON.parse(sessionStorage.getItem(storageKey) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isUnsent) : []
  } catch {
    return []
  }
}

/** @param {unknown} value @returns {value is Unsent} */
const isUnsent = (value) =>
  ['conversation', 'key', 'eventId', 'text', 'state'].every((name) => typeof read(value, name) === 'string')

/** Until the time is over, or the network is back. @param {number | undefined} ms */
function pause(ms) {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
    window.addEventListener('online', resolve, { once: true })
  })
}
