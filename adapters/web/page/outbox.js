// What this tab has written, and what was pressed in it, that the server has not confirmed: sent in order, tried again under the same key until
// it is accepted or refused for good. What was written is shown at once; of a deed only that it was refused. It survives a reload.
import { Failure, read, sendDeed, sendMessage, toEventId } from './api.js'
import { say } from './words.js'

/** @import { Deed } from './api.js' */

/**
 * @typedef {{
 *   conversation: string,
 *   key: string,
 *   eventId: string,
 *   text: string,
 *   state: 'sending' | 'waiting' | 'refused',
 *   reason?: string,
 *   replyTo?: string | undefined,
 *   deed?: Deed | undefined,
 * }} Unsent
 */

const storageKey = 'flotilla.outbox'
const retryMs = [500, 1000, 2000, 4000, 8000]

/** @param {{ onChange(): void, onDone(item: Unsent): void }} listener `onDone`: a deed was accepted, so that something comes of it */
export function createOutbox({ onChange, onDone }) {
  /** @type {Unsent[]} */
  let unsent = restore()
  let busy = false
  let wake = () => {}
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
        const { conversation, key, deed } = next
        await (deed ? sendDeed(conversation, key, deed) : sendMessage(conversation, key, next))
        tries = 0
        // It stays visible until it comes back in the stream, unless it already has.
        if (unsent.includes(next) && !deed) confirmed.set(next.eventId, next)
        unsent = unsent.filter((item) => item !== next)
        if (deed) onDone(next)
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

  /** @param {Omit<Unsent, 'eventId' | 'state'>} item */
  function push(item) {
    const eventId = toEventId(item.conversation, item.key)
    const add = async () => {
      unsent.push({ ...item, eventId: await eventId, state: 'sending' })
      changed()
      void work()
    }
    lastAdded = lastAdded.then(add)
  }

  /** Until the time is over, or the server can be heard again. @param {number | undefined} ms */
  function pause(ms) {
    return new Promise((resolve) => {
      setTimeout(resolve, ms)
      wake = () => resolve(undefined)
    })
  }

  void work()
  return {
    /** @param {string} conversation @param {string} text @param {string} [replyTo] the event it replies to */
    send: (conversation, text, replyTo) => push({ conversation, key: crypto.randomUUID(), text, replyTo }),
    /** @param {string} conversation @param {Deed} deed @param {string} [key] */
    act(conversation, deed, key = crypto.randomUUID()) {
      push({ conversation, key, text: say(deed.deed), deed })
    },
    /** The server can be heard again. */
    wake: () => wake(),
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
      const all = [...confirmed.values(), ...unsent].filter((item) => item.conversation === conversation)
      return all.filter((item) => !item.deed || item.state === 'refused')
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
