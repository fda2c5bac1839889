// Buttons that put a text on the clipboard: of a whole answer as it was written, and of a code block.
import { element } from './element.js'
import { applyWords, say } from './words.js'

const shownForMs = 1500

/** @param {string} text */
export function answerCopyButton(text) {
  const button = element('button', { type: 'button', class: 'quiet act', 'data-t': 'copy' }, say('copy'))
  button.addEventListener('click', () => void copy(button, text, button.closest('article')?.querySelector('.body')))
  return button
}

/** Of the code block it stands in, as it is when it is pressed. */
export function codeCopyButton() {
  const label = { type: 'button', class: 'copy', 'data-t': 'copy', 'data-t-label': 'copyCode' }
  const button = element('button', { ...label, 'aria-label': say('copyCode'), title: say('copyCode') }, say('copy'))
  button.addEventListener('click', () => {
    const code = button.closest('figure')?.querySelector('code')
    void copy(button, code?.textContent ?? '', code)
  })
  return button
}

/** @param {HTMLButtonElement} button @param {string} text @param {Element | null | undefined} shown */
async function copy(button, text, shown) {
  try {
    await navigator.clipboard.writeText(text)
    button.textContent = say('copied')
    setTimeout(() => applyWords(button.parentElement ?? button), shownForMs)
  } catch {
    // Without the right to the clipboard the text can still be selected.
    if (shown) getSelection()?.selectAllChildren(shown)
  }
}
