// The message box: grows with its text, Enter sends, Shift+Enter breaks the line. Too large a message is refused before sending. Above it
// stands the card that the next message replies to, if any.
import { toBody } from './api.js'
import { find } from './element.js'
import { isOfInputMethod } from './keys.js'
import { applyWords, say } from './words.js'

/**
 * A card that a message replies to: its row, its first line, and whether words in reply refuse what it asks for.
 *
 * @typedef {{ readonly row: string, readonly line: string, readonly denies: boolean }} Card
 */
/** @import { Word } from './words.js' */

/** As the server counts: the whole JSON body. */
const maxBytes = 1024 * 1024

/** @param {(text: string, replyTo?: string) => void} onSend `replyTo`: the row of the card */
export function createComposer(onSend) {
  const form = find('composer', HTMLFormElement)
  const box = find('message', HTMLTextAreaElement)
  const send = find('send', HTMLButtonElement)
  const problem = find('problem', HTMLSpanElement)
  const replying = createReplying({ form, box, send })

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
    const to = replying.row()
    if (new TextEncoder().encode(toBody(text, to)).length > maxBytes) {
      problem.textContent = say('tooLong')
      return
    }
    box.value = ''
    fit()
    replying.end()
    onSend(text, to)
  })
  box.addEventListener('keydown', (event) => {
    // While a Chinese input method is composing, Enter chooses a word.
    if (event.key !== 'Enter' || event.shiftKey || isOfInputMethod(event)) return
    event.preventDefault()
    form.requestSubmit()
  })
  box.addEventListener('input', fit)
  fit()

  return {
    focus: () => box.focus(),
    endReply: replying.end,
    replyTo: replying.begin,
    lookAtCard: replying.lookAtCard,
    /** Puts a text into the box, before what is there. @param {string} text */
    fill(text) {
      box.value = box.value === '' ? text : `${text}\n${box.value}`
      fit()
      box.focus()
    },
  }
}

/** The card that the next message replies to. @param {{ form: HTMLFormElement, box: HTMLTextAreaElement, send: HTMLButtonElement }} composer */
function createReplying({ form, box, send }) {
  const line = find('replying', HTMLParagraphElement)
  const told = find('replying-told', HTMLSpanElement)
  /** @type {Card | undefined} */
  let card

  /** What sending does, said above the box and, where it is more than sending, at its button. @param {Word} [what] */
  function tell(what = 'replyingTo') {
    const denies = what === 'replyingDenies'
    told.setAttribute('data-t', what)
    told.classList.toggle('unseen', what === 'replyingTo')
    box.setAttribute('data-t-placeholder', denies ? 'whyNot' : 'placeholder')
    send.setAttribute('data-t-label', denies ? 'sendDenies' : 'send')
    applyWords(form.parentElement ?? form)
  }

  /** @returns {boolean} whether there was one */
  function end() {
    const was = card !== undefined
    card = undefined
    line.hidden = true
    if (was) tell()
    return was
  }

  find('reply-cancel', HTMLButtonElement).addEventListener('click', () => {
    end()
    box.focus()
  })
  return {
    end,
    row: () => card?.row,
    /** The next message replies to this card. @param {Card} to */
    begin(to) {
      card = to
      find('replying-to', HTMLSpanElement).textContent = to.line
      line.hidden = false
      tell(to.denies ? 'replyingDenies' : 'replyingTo')
      box.focus()
    },
    /** A card that is open no more is not replied to, unless something is written already: then that is said. @param {(row: string) => boolean} isOpen */
    lookAtCard(isOpen) {
      if (card === undefined || isOpen(card.row)) return
      if (box.value.trim() === '') end()
      else tell('replyingLate')
    },
  }
}
