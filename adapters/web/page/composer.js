// The message box: grows with its text, Enter sends, Shift+Enter breaks the line. Too large a message is refused before sending. Above it
// stands the card that the next message replies to, if any.
import { toBody } from './api.js'
import { find } from './element.js'
import { say } from './words.js'

/** As the server counts: the whole JSON body. */
const maxBytes = 1024 * 1024

/** @param {(text: string, replyTo?: string) => void} onSend `replyTo`: the row of the card */
export function createComposer(onSend) {
  const form = find('composer', HTMLFormElement)
  const box = find('message', HTMLTextAreaElement)
  const send = find('send', HTMLButtonElement)
  const problem = find('problem', HTMLSpanElement)
  const replying = find('replying', HTMLParagraphElement)
  /** @type {string | undefined} */
  let replyTo

  function fit() {
    send.disabled = box.value.trim() === ''
    problem.textContent = ''
    // Measuring a very long text would freeze the page; its box is at full height anyway.
    box.classList.toggle('tall', box.value.length > 5000)
  }

  /** @returns {boolean} whether there was one */
  function endReply() {
    const was = replyTo !== undefined
    replyTo = undefined
    replying.hidden = true
    return was
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const text = box.value.trim()
    if (text === '') return
    if (new TextEncoder().encode(toBody(text, replyTo)).length > maxBytes) {
      problem.textContent = say('tooLong')
      return
    }
    const to = replyTo
    box.value = ''
    fit()
    endReply()
    onSend(text, to)
  })
  box.addEventListener('keydown', (event) => {
    // While a Chinese input method is composing, Enter chooses a word.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    form.requestSubmit()
  })
  box.addEventListener('input', fit)
  find('reply-cancel', HTMLButtonElement).addEventListener('click', () => {
    endReply()
    box.focus()
  })
  fit()

  return {
    focus: () => box.focus(),
    endReply,
    /** The next message replies to this card. @param {string} row @param {string} line the card's first */
    replyTo(row, line) {
      replyTo = row
      find('replying-to', HTMLSpanElement).textContent = line
      replying.hidden = false
      box.focus()
    },
    /** A card that is open no more is not replied to, unless something is written already. @param {(row: string) => boolean} isOpen */
    lookAtCard(isOpen) {
      if (replyTo !== undefined && box.value.trim() === '' && !isOpen(replyTo)) endReply()
    },
    /** Puts a text into the box, before what is there. @param {string} text */
    fill(text) {
      box.value = box.value === '' ? text : `${text}\n${box.value}`
      fit()
      box.focus()
    },
  }
}
