// Tells of new questions by the browser's notifications: only once the reader has pressed our button, only from a tab that is hidden, and of
// each question once in a browser. They say that something waits and how urgent it is, never what: they lie on locked screens and shared ones.
import { find } from './element.js'
import { say } from './words.js'

/** @import { ApiQuestion } from './api-types.d.ts' */

const wantedKey = 'flotilla.notify'
const toldKey = 'flotilla.told'
const mostTold = 200

const isPossible = () => typeof Notification === 'function'
const isWanted = () => localStorage.getItem(wantedKey) === 'on'

/** Rows that were shown or told of in this browser, in whichever tab. @returns {string[]} */
function loadTold() {
  try {
    /** @type {unknown} */
    const stored = JSON.parse(localStorage.getItem(toldKey) ?? '[]')
    return Array.isArray(stored) ? stored.filter((row) => typeof row === 'string') : []
  } catch {
    return []
  }
}

/** @param {(question: ApiQuestion) => void} onChosen called when the reader comes by a notification */
export function createNotify(onChosen) {
  const button = find('notify', HTMLButtonElement)
  const note = find('notify-note', HTMLParagraphElement)

  function show() {
    const denied = isPossible() && Notification.permission === 'denied'
    const on = isPossible() && Notification.permission === 'granted' && isWanted()
    button.hidden = !isPossible() || denied
    button.setAttribute('data-t', on ? 'notifyOff' : 'notify')
    button.textContent = say(on ? 'notifyOff' : 'notify')
    note.hidden = !denied
  }

  async function toggle() {
    const on = isWanted() && Notification.permission === 'granted'
    if (on) localStorage.removeItem(wantedKey)
    else {
      localStorage.setItem(wantedKey, 'on')
      if (Notification.permission === 'default') await Notification.requestPermission()
    }
    show()
  }
  button.addEventListener('click', () => void toggle())
  show()

  return {
    show,
    /** What waits now. @param {readonly ApiQuestion[]} questions the most urgent first */
    tell(questions) {
      const told = loadTold()
      const fresh = questions.filter(({ row }) => !told.includes(row))
      const [first] = fresh
      if (!first) return
      const kept = [...told, ...fresh.map(({ row }) => row)].slice(-mostTold)
      localStorage.setItem(toldKey, JSON.stringify(kept))
      if (!document.hidden || !isPossible() || Notification.permission !== 'granted' || !isWanted()) return
      // Two tabs that tell of the same show it once.
      const options = { tag: `flotilla-${first.row}`, icon: '/page/mark.svg' }
      const shown = new Notification(say(first.urgency === 'high' ? 'urgentWaits' : 'questionWaits'), options)
      shown.addEventListener('click', () => {
        window.focus()
        shown.close()
        onChosen(first)
      })
    },
  }
}
