// Replies that nobody has read yet, in whichever conversation: the title counts them, and who looked away a while ago is notified. So reminders
// are told, and answers that take long; a question is told of as one. Who looks at the page, or has just left it, needs no notification.
import { isUnread } from './read-marks.js'

/** @import { ApiConversation } from './api-types.d.ts' */
/** @import { Notify } from './notify.js' */

const awayForMs = 15_000

/** @param {{ notify: Notify, isAsking(id: string): boolean, onCount(count: number): void }} deps */
export function createReplies({ notify, isAsking, onCount }) {
  let hiddenAtMs = document.hidden ? performance.now() : Infinity
  document.addEventListener('visibilitychange', () => (hiddenAtMs = document.hidden ? performance.now() : Infinity))
  return {
    /** @param {readonly ApiConversation[]} listed @param {string} current the one that is open */
    look(listed, current) {
      const isSeen = (/** @type {string} */ id) => (id === current && !document.hidden) || isAsking(id)
      const unread = listed.filter(({ id, saidAt }) => isUnread(id, saidAt) && !isSeen(id))
      onCount(unread.length)
      // Who looks sees the title.
      if (document.hidden && performance.now() - hiddenAtMs < awayForMs) return
      notify.tell(unread.map(({ id, saidAt }) => ({ key: `said-${id}-${saidAt}`, word: 'replyWaits', hash: `#${id}` })))
    },
  }
}
