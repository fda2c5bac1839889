// Keeps the newest message in sight while the reader is at the end, and leaves them alone when they have scrolled up.
import { find } from './element.js'

const nearEndPx = 80

export function createScroll() {
  const box = find('scroll', HTMLDivElement)
  const newest = find('newest', HTMLButtonElement)
  const isAtEnd = () => box.scrollHeight - box.scrollTop - box.clientHeight < nearEndPx
  const toEnd = () => {
    box.scrollTop = box.scrollHeight
    newest.hidden = true
  }
  box.addEventListener('scroll', () => (newest.hidden = isAtEnd()), { passive: true })
  newest.addEventListener('click', toEnd)
  // The keyboard of a phone changes the height without a scroll.
  new ResizeObserver(() => {
    if (newest.hidden) toEnd()
  }).observe(box)
  return {
    toEnd,
    /** Changes the content and stays at the end if the reader was there. @param {() => void} change */
    keep(change) {
      const stay = isAtEnd()
      change()
      if (stay) toEnd()
      else newest.hidden = false
    },
  }
}
