// Beside the title: whether the server can be heard.
import { find } from './element.js'
import { say } from './words.js'

/** @param {'connected' | 'connecting' | 'offline'} now */
export function showState(now) {
  find('state', HTMLParagraphElement).dataset['state'] = now
  const text = find('state-text', HTMLSpanElement)
  text.setAttribute('data-t', now)
  text.textContent = say(now)
}
