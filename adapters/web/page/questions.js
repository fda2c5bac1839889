// The questions that wait for the reader, in whichever conversation: their number beside the title, and a list that leads to their cards. The
// server is asked anew each time, so that all tabs and a page just opened show the same.
import { isQuestions } from './api.js'
import { urgencyMark } from './asking.js'
import { countdown, showCountdowns } from './countdown.js'
import { element, find } from './element.js'
import { serverNow, setServerTime } from './server-clock.js'
import { applyWords, fill, say } from './words.js'

/** @import { ApiQuestion, ApiWaiting } from './api-types.d.ts' */
/** @import { Line } from './line.js' */
/** @import { Notify, Waiting } from './notify.js' */

/** @typedef {{ desk: number, isStopped: boolean }} Desk */

const mostListed = 100

/** @param {{ line: Line, notify: Notify, titleOf(id: string): string, onCount(count: number): void, onAsk(): void }} deps */
export function createQuestions({ line, notify, titleOf, onCount, onAsk }) {
  const list = find('asked-list', HTMLUListElement)
  const showCount = createCount()
  const showDesk = createDesk(onAsk)
  /** @type {readonly ApiQuestion[]} */
  let known = []
  /** @type {readonly ApiWaiting[]} */
  let later = []
  let desk = 0
  let isStopped = false

  /** What has not ended meanwhile. */
  const open = () => known.filter(({ endsAt }) => endsAt > (serverNow() ?? 0))

  function show() {
    const now = open()
    const focused = document.activeElement?.getAttribute('href')
    showCount(now, later, { desk, isStopped })
    showDesk({ desk, isStopped })
    list.replaceChildren(...now.map((one) => toEntry(one, titleOf)), ...later.map((one) => toLater(one, titleOf)))
    for (const link of list.querySelectorAll('a')) if (link.getAttribute('href') === focused) link.focus()
    notify.show()
    onCount(now.length)
  }

  const { refresh } = line
  line.hear('questions', (value) => {
    if (!isQuestions(value)) return
    setServerTime(value.now)
    known = value.questions.slice(0, mostListed)
    later = value.waiting.slice(0, mostListed)
    desk = value.desk
    isStopped = value.isStopped
    show()
    showCountdowns()
    notify.tell(known.map(toWaiting))
  })

  closeByLeaving(list)
  document.addEventListener('languagechange', show)
  window.addEventListener('focus', refresh)
  document.addEventListener('visibilitychange', () => (document.hidden ? undefined : refresh()))
  setInterval(() => {
    if (open().length + later.length !== list.childElementCount) show()
  }, 1000)

  return {
    refresh,
    /** Whether something is asked in this conversation. @param {string} id */
    isAsking: (id) => open().some((question) => question.id === id),
    /** The names of conversations may have changed. */
    show,
  }
}

/** The number beside the title, and what screen readers hear of it. */
function createCount() {
  const button = find('questions', HTMLButtonElement)
  const badge = find('questions-count', HTMLSpanElement)
  const none = find('asked-none', HTMLParagraphElement)
  const told = find('asked-told', HTMLParagraphElement)
  /** The number tells of the desk only where no question is open, and more quietly. @param {readonly ApiQuestion[]} now @param {readonly ApiWaiting[]} later @param {Desk} of */
  return function showCount(now, later, { desk, isStopped }) {
    const count = toCount(now.length || desk)
    badge.hidden = now.length + desk === 0
    badge.textContent = count
    const isUrgent = now.some(({ urgency }) => urgency === 'high')
    button.classList.toggle('urgent', isUrgent)
    button.classList.toggle('unhurried', now.length === 0)
    const heard = now.length + desk === 0 ? '' : fill(now.length > 0 ? 'questionsNow' : 'deskNow', count)
    if (told.textContent !== heard) told.textContent = heard
    none.hidden = now.length + later.length + desk > 0 || isStopped
  }
}

/** @param {number} number */
const toCount = (number) => (number > 99 ? '99+' : String(number))

/** Tells how many things wait on the reader's desk, or that an owner has them stopped. Its button brings their card now. @param {() => void} onAsk */
function createDesk(onAsk) {
  const box = find('desk', HTMLDivElement)
  const line = find('desk-line', HTMLParagraphElement)
  const ask = find('desk-ask', HTMLButtonElement)
  ask.addEventListener('click', () => {
    find('asked', HTMLElement).hidePopover()
    onAsk()
  })
  /** @param {Desk} of */
  return function showDesk({ desk, isStopped }) {
    box.hidden = desk === 0 && !isStopped
    ask.hidden = isStopped
    const waits = desk === 1 ? say('deskLineOne') : fill('deskLine', toCount(desk))
    line.textContent = isStopped ? say('deskStopped') : waits
  }
}

/** The panel closes when a question is followed, or the reader goes on elsewhere. @param {HTMLElement} list */
function closeByLeaving(list) {
  const panel = find('asked', HTMLElement)
  list.addEventListener('click', () => panel.hidePopover())
  // Whoever goes on by keyboard would be below it.
  panel.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !panel.contains(relatedTarget)) panel.hidePopover()
  })
}

/** @typedef {(id: string) => string} TitleOf */

/** @param {ApiQuestion} question @param {TitleOf} titleOf */
const toEntry = (question, titleOf) =>
  toLink({ ...question, title: titleOf(question.id) }, toHash(question), countdown(question.endsAt))

/** What waits its turn has no card to lead to. @param {ApiWaiting} question @param {TitleOf} titleOf */
const toLater = (question, titleOf) =>
  toLink(
    { ...question, title: titleOf(question.id) },
    `#${question.id}`,
    element('span', { 'data-t': 'questionLater' }),
  )

/** @param {ApiWaiting & { title: string }} question of a conversation of this name @param {string} href @param {HTMLElement} when */
function toLink({ title: name, line: asked, urgency }, href, when) {
  const where = element('span', { class: 'where', dir: 'auto' }, name || say('newChat'))
  const more = element('span', { class: 'more' }, ...urgencyMark(urgency), when, where)
  const title = element('span', { class: 'line', dir: 'auto' }, asked || say('questions'))
  const made = element('li', {}, element('a', { href }, title, more))
  applyWords(made)
  return made
}

/** @param {ApiQuestion} question @returns {Waiting} */
function toWaiting(question) {
  const word = question.urgency === 'high' ? 'urgentWaits' : 'questionWaits'
  return { key: question.row, word, hash: toHash(question) }
}

/** @param {ApiQuestion} question */
const toHash = ({ id, message }) => `#${id}:${message}`
