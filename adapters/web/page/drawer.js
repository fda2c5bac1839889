// On narrow screens the list is a drawer that lies over the conversation.
import { find } from './element.js'

/** @param {() => void} onNew called when a new conversation is begun from it */
export function createDrawer(onNew) {
  const menu = find('menu', HTMLButtonElement)
  const chat = find('chat', HTMLElement)
  const isOpen = () => document.body.classList.contains('side-open')

  /** @param {boolean} open */
  function toggle(open) {
    document.body.classList.toggle('side-open', open)
    menu.setAttribute('aria-expanded', String(open))
    // What is under the veil is out of reach by keyboard too.
    chat.inert = open
    if (open) find('new', HTMLButtonElement).focus()
  }

  menu.addEventListener('click', () => toggle(!isOpen()))
  for (const closer of [find('veil', HTMLDivElement), find('shut', HTMLButtonElement)]) {
    closer.addEventListener('click', () => {
      toggle(false)
      menu.focus()
    })
  }
  matchMedia('(width <= 46rem)').addEventListener('change', ({ matches: narrow }) => {
    if (!narrow) toggle(false)
  })
  find('new', HTMLButtonElement).addEventListener('click', () => {
    toggle(false)
    onNew()
  })
  return {
    /** @returns {boolean} whether it was open */
    close() {
      const wasOpen = isOpen()
      toggle(false)
      return wasOpen
    },
  }
}
