// What this tab has written, and what was pressed in it, that the server has not confirmed: sent in order, tried again under the same key until
// it is accepted or refused for good. What was written is shown at once; of a deed only that it was refused. It survives a reload.
import { read, toEventId } from './api.js'
import { createSender } from './sender.js'
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

/** @param {{ onChange(): void, onDone(item: Unsent): void }} listener `onDone`: a deed was accepted, so that something comes of it */
export function createOutbox({ onChange, onDone }) {
  const kept = createKept(onChange)
  const sender = createSender({
    next: kept.next,
    onSent(item) {
      kept.confirm(item)
      if (item.deed) onDone(item)
    },
    changed: kept.changed,
  })
  /** Messages keep the order in which they were written, whichever id is ready first. @type {Promise<void>} */
  let lastAdded = Promise.resolve()

  /** @param {Omit<Unsent, 'eventId' | 'state'>} item */
  function push(item) {
    const eventId = toEventId(item.conversation, item.key)
    const add = async () => {
      kept.add({ ...item, eventId: await eventId, state: 'sending' })
      void sender.work()
    }
    lastAdded = lastAdded.then(add)
  }

  void sender.work()
  return {
    /** @param {string} conversation @param {string} text @param {string} [replyTo] the event it replies to */
    send: (conversation, text, replyTo) => push({ conversation, key: crypto.randomUUID(), text, replyTo }),
    /** @param {string} conversation @param {Deed} deed @param {string} [key] */
    act(conversation, deed, key = crypto.randomUUID()) {
      push({ conversation, key, text: say(deed.deed), deed })
    },
    /** The server can be heard again. */
    wake: sender.wake,
    seen: kept.seen,
    discard: kept.discard,
    forget: kept.forget,
    list: kept.list,
  }
}

/** What is unsent, in the order it was written, also after a reload. @param {() => void} onChange */
function createKept(onChange) {
  /** @type {Unsent[]} */
  let unsent = restore()
  /** Accepted, and not yet seen in the stream. @type {Map<string, Unsent>} */
  const confirmed = new Map()

  function changed() {
    sessionStorage.setItem(storageKey, JSON.stringify(unsent))
    onChange()
  }
  /** @param {(item: Unsent) => boolean} isKept */
  function keep(isKept) {
    unsent = unsent.filter(isKept)
  }

  return {
    changed,
    next: () => unsent.find((item) => item.state !== 'refused'),
    /** @param {Unsent} item */
    add(item) {
      unsent.push(item)
      changed()
    },
    /** It stays visible until it comes back in the stream, unless it already has. @param {Unsent} item */
    confirm(item) {
      if (unsent.includes(item) && !item.deed) confirmed.set(item.eventId, item)
      keep((other) => other !== item)
    },
    /** The message is in the stream. @param {string} eventId */
    seen(eventId) {
      if (!confirmed.delete(eventId) && !unsent.some((item) => item.eventId === eventId)) return
      keep((item) => item.eventId !== eventId)
      changed()
    },
    /** @param {Unsent} item */
    discard(item) {
      keep((other) => other !== item)
      changed()
    },
    /** What is unsent in a conversation that is gone. @param {string} conversation */
    forget(conversation) {
      keep((item) => item.conversation !== conversation)
      for (const [eventId, item] of confirmed) if (item.conversation === conversation) confirmed.delete(eventId)
      changed()
    },
    /** @param {string} conversation @returns {Unsent[]} */
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
