// Keeps the newest message in sight while the reader is at the end, leaves them alone when they have scrolled up, and asks for what was
// said before when they come near the beginning.
import { find } from './element.js'

const nearEndPx = 80

/** So far ahead of the reader what was said before is read. */
const nearStartPx = 1200

/** @param {() => void} onStart called while the beginning of what is shown is near */
export function createScroll(onStart) {
  const box = find('scroll', HTMLDivElement)
  const newest = find('newest', HTMLButtonElement)
  const isAtEnd = () => box.scrollHeight - box.scrollTop - box.clientHeight < nearEndPx
  const toEnd = () => {
    box.scrollTop = box.scrollHeight
    newest.hidden = true
  }
  const look = () => {
    newest.hidden = isAtEnd()
    if (box.scrollTop < nearStartPx) onStart()
  }
  box.addEventListener('scroll', look, { passive: true })
  newest.addEventListener('click', toEnd)
  const follow = new ResizeObserver(() => {
    if (newest.hidden) toEnd()
  })
  // The keyboard of a phone changes the height without a scroll; a message that comes into sight is as high as the browser had guessed
  // until then.
  follow.observe(box)
  follow.observe(find('messages', HTMLElement))
  return {
    toEnd,
    look,
    /** Puts content above what is seen, which stays where it is. @param {() => void} change */
    above(change) {
      const fromEnd = box.scrollHeight - box.scrollTop
      change()
      box.scrollTop = box.scrollHeight - fromEnd
    },
    /** Changes the content and stays at the end if the reader was there. @param {() => void} change */
    keep(change) {
      const stay = isAtEnd()
      change()
      if (stay) toEnd()
      else newest.hidden = false
    },
  }
}
