// The message box: grows with its text, Enter sends, Shift+Enter breaks the line. Too large a message is refused before sending.
import { toBody } from './api.js'
import { find } from './element.js'
import { say } from './words.js'

/** As the server counts: the whole JSON body. */
const maxBytes = 1024 * 1024

/** @param {(text: string) => void} onSend */
export function createComposer(onSend) {
  const form = find('composer', HTMLFormElement)
  const box = find('message', HTMLTextAreaElement)
  const send = find('send', HTMLButtonElement)
  const problem = find('problem', HTMLSpanElement)

  function fit() {
    send.disabled = box.value.trim() === ''
    problem.textContent = ''
    // Measuring a very long text would freeze the page; its box is at full height anyway.
    box.classList.toggle('tall', box.value.length > 5000)
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const text = box.value.trim()
    if (text === '') return
    if (new TextEncoder().encode(toBody(text)).length > maxBytes) {
      problem.textContent = say('tooLong')
      return
    }
    box.value = ''
    fit()
    onSend(text)
  })
  box.addEventListener('keydown', (event) => {
    // While a Chinese input method is composing, Enter chooses a word.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    form.requestSubmit()
  })
  box.addEventListener('input', fit)
  fit()

  return {
    focus: () => box.focus(),
    /** Puts a text into the box, before what is there. @param {string} text */
    fill(text) {
      box.value = box.value === '' ? text : `${text}\n${box.value}`
      fit()
      box.focus()
    },
  }
}
