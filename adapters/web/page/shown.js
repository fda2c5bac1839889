// What is shown of a conversation: the messages and what waits below them, and what changes among them.
import { bubble, cutLine, forgottenLine, offerWithdrawal, waitingDots } from './bubble.js'
import { addDay, dropDoubleDay, removeWithDay } from './days.js'
import { find } from './element.js'
import { createGrowing } from './growing.js'
import { createOpenMessages } from './open-messages.js'
import { createReplacements } from './replacements.js'

/** @import { ApiMessage } from './api-types.d.ts' */
/** @import { Deeds } from './bubble.js' */
/** @typedef {ReturnType<typeof openShown>} Shown */

/** Nothing yet. @param {Deeds} deeds */
export function openShown(deeds) {
  const messages = find('messages', HTMLDivElement)
  const unsentBox = find('unsent', HTMLDivElement)
  const waiting = find('waiting', HTMLDivElement)
  const said = find('said', HTMLDivElement)
  messages.setAttribute('aria-live', 'off')
  for (const box of [messages, unsentBox, waiting, said]) box.replaceChildren()
  const open = createOpenMessages(messages)
  return {
    deeds,
    messages,
    unsentBox,
    waiting,
    said,
    open,
    replacements: createReplacements(),
    growing: createGrowing({ messages, open, deeds }),
    /** Screen readers hear what comes. */
    announcing: false,
    /** Nothing was said before what is shown. */
    complete: false,
  }
}

/** @param {Shown} shown */
export const isWorking = ({ growing, open }) => growing.box() !== undefined || open.isExpected()

/** @param {Shown} shown */
export function showWorking(shown) {
  const dots = shown.waiting.querySelector('.dots')
  const wanted = isWorking(shown) && !shown.growing.hasText()
  if (dots && !wanted) dots.remove()
  if (!dots && wanted) shown.waiting.append(waitingDots())
}

/** What comes now, at the end or in the place of what it stands for. @param {Shown} shown @param {ApiMessage} message */
export function addMessage(shown, message) {
  const { messages, open, growing, deeds } = shown
  if (message.forgets !== undefined) return forget(shown, message.forgets, message.at)
  open.track(message)
  if (message.turn !== undefined) growing.finish(message.turn)
  if (replace(shown, message)) {
    if (message.endsTurn) growing.end()
    return showWorking(shown)
  }
  const made = message.endsTurn ? toReply(shown, message) : bubble(message, deeds)
  const waits = message.role === 'user' && growing.box() !== undefined && !open.isAnswered(message.eventId)
  if (waits) offerWithdrawal(made, message, deeds)
  const before = waits ? null : message.endsTurn ? open.findWaiting() : (growing.box() ?? null)
  if (made.parentElement !== messages) messages.insertBefore(made, before)
  addDay(made, message.at)
  if (message.endsTurn) for (const note of messages.querySelectorAll('.waits')) note.remove()
  keepOneAgain(shown)
  showWorking(shown)
}

/** @param {Shown} shown @param {ApiMessage} message */
function toReply({ growing, deeds, announcing, said }, message) {
  const grown = growing.become(message)
  if (!grown) return bubble(message, deeds)
  if (announcing) said.textContent = grown.querySelector('.body')?.textContent ?? ''
  return grown
}

/** @param {Shown} shown @param {ApiMessage} message @returns {boolean} whether it stands for one that is shown */
function replace({ messages, replacements, complete, deeds }, message) {
  const row = message.replaces
  const old = row === undefined ? null : findShown(messages, row)
  if (!old) {
    if (row === undefined) return false
    // What it stood for may be further up, or kept no more.
    if (!complete) replacements.keep(row, message)
    return !complete || message.role === 'change'
  }
  const wasPressed = old.querySelector('[aria-pressed=true]') !== null
  let card = old
  if (message.role === 'change') old.querySelector('.choices')?.remove()
  else {
    const made = bubble(message, deeds)
    // On which day it stands.
    if (old.dataset['its']) made.dataset['its'] = old.dataset['its']
    made.dataset['first'] = old.dataset['first'] ?? old.dataset['row']
    old.replaceWith(made)
    card = made
  }
  // Whoever pressed by keyboard goes on from here, unless they went elsewhere.
  if (wasPressed && document.activeElement === document.body) focusCard(card)
  return true
}

/** The message that stands for a row now: later edits of a message may name its first row, or the one before them. @param {Element} messages @param {string} row @returns {HTMLElement | null} */
function findShown(messages, row) {
  const name = CSS.escape(row)
  return messages.querySelector(`article[data-row="${name}"], article[data-first="${name}"]`)
}

/** Its first choice, or itself where nothing is asked any more. @param {Element} card */
function focusCard(card) {
  const choice = card.querySelector('.choices button')
  if (choice instanceof HTMLElement) choice.focus()
  else if (card instanceof HTMLElement) {
    card.tabIndex = -1
    card.focus({ preventScroll: true })
  }
}

/** Only the last question can be answered again, and not while it waits for a person. @param {Shown} shown */
function keepOneAgain({ messages }) {
  const last = [...messages.querySelectorAll('[data-turn-end]')].at(-1)
  for (const button of messages.querySelectorAll('.again')) if (!last?.contains(button)) button.remove()
}

/**
 * What was said before everything that is shown.
 *
 * @param {Shown} shown @param {readonly ApiMessage[]} earlier @param {{ isAll: boolean, isCut: boolean }} how
 */
export function addEarlier(shown, earlier, { isAll, isCut }) {
  const { messages, open, replacements, deeds } = shown
  shown.complete = isAll
  const first = messages.querySelector('article[data-id]')
  const own = earlier.filter((message) => message.role !== 'change' && message.replaces === undefined)
  for (const message of earlier.toReversed()) if (message.replaces !== undefined) replacements.keepOlder(message)
  const orphans = isAll ? replacements.takeOrphans(own) : []
  /** @type {{ at: number, made: HTMLElement }[]} */
  const mades = [...own, ...orphans].map((message) => {
    open.track(message)
    const made = bubble(replacements.resolve(message), deeds)
    if (message.row) made.dataset['first'] ??= message.row
    return { at: message.at, made }
  })
  for (const message of earlier) if (message.forgets !== undefined) open.endWaiting(message.at)
  for (const { at, made } of mades.toSorted((one, other) => one.at - other.at)) {
    messages.insertBefore(made, first?.previousElementSibling?.matches('.day') ? first.previousElementSibling : first)
    addDay(made, at)
  }
  if (first) dropDoubleDay(first)
  if (isCut) messages.prepend(cutLine())
  keepOneAgain(shown)
  showWorking(shown)
}

/** @param {Shown} shown @param {string} id of a user's message @param {number} at */
function forget(shown, id, at) {
  shown.open.endWaiting(at)
  shown.replacements.forget(id)
  // It may be the answer to it.
  shown.said.textContent = ''
  for (const made of shown.messages.querySelectorAll(`article[data-about~="${CSS.escape(id)}"]`)) removeWithDay(made)
  showWorking(shown)
}

/** Hides what is being forgotten, and shows the rest. @param {Shown} shown @param {readonly { of: string, told?: boolean }[]} items */
export function hide({ messages, growing, deeds }, items) {
  const events = items.map(({ of }) => of)
  for (const line of messages.querySelectorAll('.forgotten')) line.remove()
  for (const made of messages.querySelectorAll('article')) {
    const about = (made.dataset['about'] ?? '').split(' ')
    made.hidden = events.some((event) => about.includes(event)) || (made.matches('.draft') && !growing.hasText())
  }
  for (const { of, told } of items) {
    const made = messages.querySelector(`article.user[data-about="${CSS.escape(of)}"]`)
    if (!told) made?.before(forgottenLine(of, deeds))
  }
}
