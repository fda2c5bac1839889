// Shows a conversation: messages as they are, what is still unsent, and the reply that is being written. The newest come first; what was
// before them is put above when it is read.
import { unsentBubble } from './bubble.js'
import { addEarlier, addMessage, hide, isWorking, openShown, showWorking } from './shown.js'

/** @import { ApiDraft, ApiMessage } from './api-types.d.ts' */
/** @import { Deeds } from './bubble.js' */
/** @import { Unsent } from './outbox.js' */

/** @param {Deeds} deeds */
export function createThread(deeds) {
  const shown = openShown(deeds)
  const { messages, unsentBox, open, growing } = shown
  return {
    working: () => isWorking(shown),
    /** @param {ApiMessage} message */
    add: (message) => addMessage(shown, message),
    /** What was said before everything that is shown. @param {readonly ApiMessage[]} earlier @param {{ isAll: boolean, isCut: boolean }} how */
    addEarlier: (earlier, how) => addEarlier(shown, earlier, how),
    /** @param {ApiDraft} draft @returns {boolean} whether it could be shown, or need not be: false where what came before it is missing */
    draft(draft) {
      const isShown = growing.show(draft)
      showWorking(shown)
      return isShown
    },
    /** A deed was done of which something comes. @param {string} eventId */
    expect(eventId) {
      open.expect(eventId)
      showWorking(shown)
    },
    /** The first message that waits until what is worked on now is answered. @returns {string | undefined} its event */
    nextInTurn() {
      if (!growing.hasText()) return open.second()
      const after = [...messages.querySelectorAll('.draft ~ .user')]
      return after.flatMap((made) => (made instanceof HTMLElement ? [made.dataset['about'] ?? ''] : []))[0]
    },
    /** Hides what is being forgotten, and shows the rest. @param {readonly { of: string, told?: boolean }[]} items */
    hide: (items) => hide(shown, items),
    /** Forgets a draft that nobody continues. While nobody looks none is shown. */
    tick() {
      growing.tick()
      showWorking(shown)
    },
    /** @param {Unsent[]} list @param {(item: Unsent) => void} discard */
    unsent(list, discard) {
      unsentBox.replaceChildren(...list.map((item) => unsentBubble(item, discard, deeds)))
    },
    isEmpty: () => messages.childElementCount === 0 && unsentBox.childElementCount === 0,
    /** @param {string} id @returns {Element | null} */
    find: (id) => messages.querySelector(`article[data-id="${CSS.escape(id)}"]`),
    /** Whether a card still asks. @param {string} row */
    isAsking: (row) => messages.querySelector(`article[data-row="${CSS.escape(row)}"] .reply`) !== null,
    /** From now on screen readers hear what comes. */
    announce() {
      shown.announcing = true
      messages.setAttribute('aria-live', 'polite')
    },
  }
}
