// The menu that leads to what the bot can show, and saves the conversation. What is chosen is no message of the person.
import { find } from './element.js'

const shown = /** @type {const} */ (['help', 'config', 'model', 'reminders'])

/** @param {{ onShow(what: typeof shown[number]): void }} listener */
export function createMore({ onShow }) {
  const menu = find('more-menu', HTMLDivElement)
  const save = find('save-file', HTMLAnchorElement)
  for (const what of shown) {
    menu.querySelector(`[data-show=${what}]`)?.addEventListener('click', () => {
      menu.hidePopover()
      onShow(what)
    })
  }
  save.addEventListener('click', () => menu.hidePopover())
  menu.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !menu.contains(relatedTarget)) menu.hidePopover()
  })
  return {
    /** Saves what the page shows of the conversation. */
    save: () => save.click(),
    /** @param {string} conversation */
    select(conversation) {
      save.href = `/api/conversations/${encodeURIComponent(conversation)}/export`
    },
  }
}
