// The buttons of a question. One press wins, here or in another tab; the row then tells what was chosen.
import { press } from './api.js'
import { element } from './element.js'
import { applyWords } from './words.js'

/** @import { ApiButton } from './api-types.d.ts' */
/** @import { Word } from './words.js' */

/** @param {string} conversation @param {readonly (readonly ApiButton[])[]} rows @param {() => void} onAnswered somebody has answered */
export function showButtons(conversation, rows, onAnswered) {
  const note = element('span', { class: 'note', role: 'status' })
  const box = element('div', { class: 'choices' })

  /** @param {string | undefined} id */
  const show = (id) => {
    for (const button of box.querySelectorAll('button')) {
      button.disabled = true
      button.setAttribute('aria-pressed', String(button.dataset['id'] === id))
    }
    // Nothing is asked any more, whatever the server makes of the card.
    box.querySelector('.asks, .takes-words')?.remove()
    onAnswered()
  }
  /** @param {Word} word */
  const tell = (word) => {
    note.setAttribute('data-t', word)
    applyWords(box)
  }

  /** @param {ApiButton} button */
  async function choose({ id }) {
    for (const button of box.querySelectorAll('button')) button.disabled = true
    try {
      const result = await press(conversation, id)
      const question = id.slice(0, id.lastIndexOf('.') + 1)
      if (result.outcome === 'won') show(id)
      else if (result.outcome === 'already') {
        show(question + (result.choice ?? ''))
        tell('answered')
      } else if (result.outcome === 'stale') {
        show(undefined)
        tell('stale')
      } else {
        show(undefined)
        tell('gone')
      }
    } catch {
      for (const button of box.querySelectorAll('button')) button.disabled = false
      tell('pressFailed')
    }
  }

  for (const row of rows) {
    const made = row.map((button) => {
      const shown = element(
        'button',
        { type: 'button', class: 'choice', dir: 'auto', 'data-id': button.id },
        button.label,
      )
      shown.addEventListener('click', () => void choose(button))
      return shown
    })
    box.append(element('div', { class: 'row' }, ...made))
  }
  box.append(note)
  return box
}
