// Tells of new questions and replies by the browser's notifications: only once the reader has pressed our button, only from a tab that is hidden,
// and of each once in a browser. They say that something waits and how urgent it is, never what: they lie on locked screens and shared ones.
import { find } from './element.js'
import { say } from './words.js'

/** @import { Word } from './words.js' */
/**
 * Something that waits for the reader: named by its key in this browser, and where it stands.
 *
 * @typedef {{ readonly key: string, readonly word: Word, readonly hash: string }} Waiting
 * @typedef {ReturnType<typeof createNotify>} Notify
 */

const wantedKey = 'flotilla.notify'
const toldKey = 'flotilla.told'
const mostTold = 200

const isPossible = () => typeof Notification === 'function'
const isWanted = () => localStorage.getItem(wantedKey) === 'on'

/** Keys of what was shown or told of in this browser, in whichever tab. @returns {string[]} */
function loadTold() {
  try {
    /** @type {unknown} */
    const stored = JSON.parse(localStorage.getItem(toldKey) ?? '[]')
    return Array.isArray(stored) ? stored.filter((key) => typeof key === 'string') : []
  } catch {
    return []
  }
}

/** Its button and, below it, why it does not notify. `hasFailed`: the browser makes none. @param {() => boolean} hasFailed */
function createSwitch(hasFailed) {
  const button = find('notify', HTMLButtonElement)
  const note = find('notify-note', HTMLParagraphElement)
  /** The reader pressed our button, and the browser was neither allowed nor forbidden to. */
  let leftOpen = false

  function show() {
    const can = isPossible() && !hasFailed()
    const denied = can && Notification.permission === 'denied'
    const on = can && Notification.permission === 'granted' && isWanted()
    button.hidden = !can || denied
    button.setAttribute('data-t', on ? 'notifyOff' : 'notify')
    button.textContent = say(on ? 'notifyOff' : 'notify')
    tell(denied ? 'notifyDenied' : can ? (leftOpen ? 'notifyOpen' : undefined) : 'notifyNone')
  }

  /** Why it does not notify. @param {Word | undefined} word */
  function tell(word) {
    note.hidden = word === undefined
    if (word === undefined) note.removeAttribute('data-t')
    else note.setAttribute('data-t', word)
    const text = word ? say(word) : ''
    if (note.textContent !== text) note.textContent = text
  }

  async function toggle() {
    const on = isWanted() && Notification.permission === 'granted'
    leftOpen = false
    if (on) localStorage.removeItem(wantedKey)
    else {
      localStorage.setItem(wantedKey, 'on')
      if (Notification.permission === 'default') leftOpen = (await Notification.requestPermission()) === 'default'
    }
    show()
  }
  button.addEventListener('click', () => void toggle())
  show()
  return { show }
}

export function createNotify() {
  /** Some browsers have notifications and make none from a page, which shows only when one is made. */
  let failed = false
  const { show } = createSwitch(() => failed)
  return {
    show,
    /** What waits now. @param {readonly Waiting[]} all what matters most first */
    tell(all) {
      const told = loadTold()
      const fresh = all.filter(({ key }) => !told.includes(key))
      const [first] = fresh
      if (!first) return
      const kept = [...told, ...fresh.map(({ key }) => key)].slice(-mostTold)
      localStorage.setItem(toldKey, JSON.stringify(kept))
      if (!document.hidden || !isPossible() || Notification.permission !== 'granted' || !isWanted()) return
      // Two tabs that tell of the same show it once.
      const options = { tag: `flotilla-${first.key}`, icon: '/page/mark.svg' }
      const shown = make(say(first.word), options)
      failed = shown === undefined
      if (!shown) return show()
      shown.addEventListener('click', () => {
        window.focus()
        shown.close()
        location.hash = first.hash
      })
    },
  }
}

/** @param {string} title @param {NotificationOptions} options */
function make(title, options) {
  try {
    return new Notification(title, options)
  } catch {
    return undefined
  }
}
