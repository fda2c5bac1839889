// The button of a code block that puts its text on the clipboard.
import { element } from './element.js'
import { say } from './words.js'

const shownForMs = 1500

/** @param {string} text */
export function copyButton(text) {
  const button = element('button', { type: 'button', class: 'copy', 'data-t': 'copy' }, say('copy'))
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      button.textContent = say('copied')
      setTimeout(() => (button.textContent = say('copy')), shownForMs)
    } catch {
      // Without the right to the clipboard the text can still be selected.
      selectAll(button.closest('figure')?.querySelector('code'))
    }
  }
  button.addEventListener('click', () => void copy())
  return button
}

/** @param {Element | null | undefined} code */
function selectAll(code) {
  if (code) getSelection()?.selectAllChildren(code)
}
