// Keeps the newest message in sight while the reader is at the end, leaves them alone when they have scrolled up, and asks for what was
// said before when they come near the beginning. A card that waits for an answer at the end is shown from its first line, also where it is
// too high for the screen.
import { find } from './element.js'

const nearEndPx = 80
/** Between the upper edge and a card that is shown from its first line, and how exact that is. */
const abovePx = 12
const exactPx = 8

/** So far ahead of the reader what was said before is read. */
const nearStartPx = 1200

/** Where the reader is, and which card waits at the end. */
function createSight() {
  const box = find('scroll', HTMLDivElement)
  const unsent = find('unsent', HTMLElement)
  const open = find('messages', HTMLElement).getElementsByClassName('asks')
  /** The card that the reader has read beyond. @type {Element | undefined} */
  let passed
  const isAtEnd = () => box.scrollHeight - box.scrollTop - box.clientHeight < nearEndPx
  /** How far a message is below where it would be shown from its first line. @param {Element} message */
  const toGap = (message) => message.getBoundingClientRect().top - box.getBoundingClientRect().top - abovePx

  /** The card at the end that waits for an answer. */
  function findCard() {
    if (unsent.childElementCount > 0) return undefined
    const card = open.item(open.length - 1)?.closest('article')
    return card && card !== passed && card.matches(':not(:has(~ .user))') ? card : undefined
  }
  return {
    box,
    isAtEnd,
    toGap,
    isAtRest() {
      const card = findCard()
      return isAtEnd() || (card !== undefined && Math.abs(toGap(card)) < exactPx)
    },
    /** To the end, or as near to it as the card there is shown from its first line. */
    goToEnd() {
      box.scrollTop = box.scrollHeight
      const card = findCard()
      const gap = card ? toGap(card) : 0
      if (gap < 0) box.scrollTop += gap
    },
    /** The reader may have read beyond the card. */
    notePassed() {
      const card = findCard()
      if (card && isAtEnd() && toGap(card) < -exactPx) passed = card
    },
  }
}

/** @param {() => void} onStart called while the beginning of what is shown is near */
export function createScroll(onStart) {
  const sight = createSight()
  const { box } = sight
  const newest = find('newest', HTMLButtonElement)
  /** Whether what comes is followed, and where the reader was when that was last known. */
  let following = true
  let knownTop = 0

  function toEnd() {
    sight.goToEnd()
    note(true)
  }
  /** @param {boolean} follows */
  function note(follows) {
    newest.hidden = sight.isAtEnd()
    following = follows
    knownTop = box.scrollTop
  }
  function look() {
    sight.notePassed()
    note(sight.isAtRest())
    if (box.scrollTop < nearStartPx) onStart()
  }
  box.addEventListener('scroll', look, { passive: true })
  newest.addEventListener('click', () => {
    box.scrollTop = box.scrollHeight
    look()
  })
  const follow = new ResizeObserver(() => {
    if (following) toEnd()
  })
  // The keyboard of a phone changes the height without a scroll; a message that comes into sight is as high as the browser had guessed
  // until then.
  follow.observe(box)
  follow.observe(find('messages', HTMLElement))
  return {
    toEnd,
    look,
    /** Into the middle, or from its first line where it is too high. @param {Element} message */
    toMessage(message) {
      const isHigh = message.getBoundingClientRect().height > box.clientHeight - 2 * abovePx
      if (isHigh) box.scrollTop += sight.toGap(message)
      else message.scrollIntoView({ block: 'center' })
    },
    /** Puts content above what is seen, which stays where it is. @param {() => void} change */
    above(change) {
      const fromEnd = box.scrollHeight - box.scrollTop
      change()
      box.scrollTop = box.scrollHeight - fromEnd
    },
    /** Changes the content and goes on following it if the reader was at the end. @param {() => void} change */
    keep(change) {
      // A card that was just answered is at rest no more, though nobody has moved.
      const stay = sight.isAtRest() || (following && box.scrollTop === knownTop)
      change()
      if (stay) toEnd()
      else newest.hidden = sight.isAtEnd()
    },
  }
}
