// What people wrote that no reply has named yet, and where it stands: below a reply that is being written, as long as that answers something before it.

/** @import { ApiMessage } from './api-types.d.ts' */
/** @typedef {{ at: number, text: string }} Open */
/** @typedef {ReturnType<typeof createOpenMessages>} OpenMessages */

/** A reply that takes longer than this is no longer promised by the three dots. */
const expectedWithinMs = 10 * 60_000

/** @param {HTMLElement} messages */
export function createOpenMessages(messages) {
  /** By event. @type {Map<string, Open>} */
  const open = new Map()
  /** @type {Set<string>} */
  const answered = new Set()

  /** @param {Element} made */
  const toEvent = (made) => (made instanceof HTMLElement && made.matches('.user') ? (made.dataset['about'] ?? '') : '')

  return {
    /** @param {ApiMessage} message */
    track(message) {
      for (const event of message.answers ?? []) {
        answered.add(event)
        open.delete(event)
      }
      const { role, eventId, at, text } = message
      if (role === 'user' && eventId && !answered.has(eventId)) open.set(eventId, { at, text })
    },
    /** A deed was done of which something comes. @param {string} event */
    expect(event) {
      if (!answered.has(event)) open.set(event, { at: Date.now(), text: '' })
    },
    /** @param {string | undefined} event */
    isAnswered: (event) => answered.has(event ?? ''),
    isExpected: () => [...open.values()].some(({ at }) => Date.now() - at < expectedWithinMs),
    second: () => [...open.keys()][1],
    /**
     * What is forgotten may have been an answer, so that nothing names any more what it answered: whoever wrote before it waits no longer.
     * @param {number} until when what is forgotten was said
     */
    endWaiting(until) {
      for (const [event, { at }] of open) if (at <= until) open.delete(event)
    },
    /** The first of those at the end: an answer to something before it stands above. */
    findWaiting() {
      /** @type {Element | null} */
      let first = null
      for (const made of [...messages.querySelectorAll(':scope > article')].toReversed()) {
        if (!open.has(toEvent(made))) break
        first = made
      }
      return first
    },
    /** Those after a message, with what they say. @param {string} event */
    after(event) {
      const later = messages.querySelectorAll(`article.user[data-about="${CSS.escape(event)}"] ~ article.user`)
      return [...later].flatMap((made) => {
        const eventId = toEvent(made)
        const known = open.get(eventId)
        return known && made instanceof HTMLElement ? [{ made, message: { eventId, text: known.text } }] : []
      })
    },
  }
}
