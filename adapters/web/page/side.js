// The list of conversations, or what a search found in them; on narrow screens a drawer that Esc closes.
import { isConversations, search } from './api.js'
import { element, find } from './element.js'
import { isOfInputMethod } from './keys.js'
import { isUnread, startMarks } from './read-marks.js'
import { applyWords, say } from './words.js'

/** @import { ApiConversation, ApiFound } from './api-types.d.ts' */
/** @import { Line } from './line.js' */
/** @import { Word } from './words.js' */

const searchAfterMs = 250

/** @param {{ line: Line, onNew(): void, onList(current: ApiConversation | undefined, listed: readonly ApiConversation[]): void }} listener */
export function createSide(listener) {
  const list = find('list', HTMLUListElement)
  const menu = find('menu', HTMLButtonElement)
  const box = find('search', HTMLInputElement)
  const chat = find('chat', HTMLElement)
  const note = find('search-note', HTMLParagraphElement)
  /** @type {readonly ApiConversation[]} */
  let known = []
  /** @type {readonly ApiFound[] | undefined} */
  let found
  let current = ''
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let searching

  function show() {
    const focused = document.activeElement?.getAttribute('href')
    list.replaceChildren(...(found ? found.map(toResult) : toOwn().map(toEntry)))
    for (const link of list.querySelectorAll('a')) if (link.getAttribute('href') === focused) link.focus()
    listener.onList(
      known.find((item) => item.id === current),
      known,
    )
  }

  /** @returns {readonly ApiConversation[]} with the open one, though nothing was written in it yet */
  function toOwn() {
    if (known.some((item) => item.id === current)) return known
    return [{ id: current, at: Date.now(), title: '' }, ...known]
  }

  /** @param {ApiConversation} item */
  function toEntry({ id, title, saidAt, working }) {
    const name = element('span', { class: 'name', dir: 'auto' }, title || say('newChat'))
    const link = element('a', { href: `#${id}`, title: title || say('newChat') }, name)
    if (id === current) link.setAttribute('aria-current', 'page')
    if (working) link.append(mark('isWorking', 'working'))
    else if (id !== current && isUnread(id, saidAt)) link.append(mark('unread', 'unread'))
    return element('li', {}, link)
  }

  /** @param {ApiFound} item */
  function toResult({ id, title, message, excerpt }) {
    const name = element('span', { class: 'name', dir: 'auto' }, title || say('newChat'))
    const link = element('a', { href: message ? `#${id}:${message}` : `#${id}`, class: 'result' }, name)
    // A short conversation is named by what was said in it.
    if (excerpt && excerpt !== title) link.append(element('span', { class: 'excerpt', dir: 'auto' }, excerpt))
    return element('li', {}, link)
  }

  const { refresh } = listener.line
  listener.line.hear('conversations', (value) => {
    if (!isConversations(value)) return
    known = value.conversations
    startMarks(known)
    show()
  })

  async function look() {
    const query = box.value.trim()
    if (query === '') {
      found = undefined
      tell(undefined)
      return show()
    }
    try {
      const result = await search(query)
      // Another letter was written meanwhile.
      if (box.value.trim() !== query) return
      found = result.found
      tell(result.partial ? 'foundPart' : found.length === 0 ? 'nothing' : 'foundSome')
      show()
    } catch {
      tell('searchFailed')
    }
  }

  /** @param {Word | undefined} word */
  function tell(word) {
    note.textContent = word ? say(word) : ''
    note.classList.toggle('unseen', word === undefined || word === 'foundSome')
  }

  /** @param {boolean} open */
  function toggle(open) {
    document.body.classList.toggle('side-open', open)
    menu.setAttribute('aria-expanded', String(open))
    // What is under the veil is out of reach by keyboard too.
    chat.inert = open
    if (open) find('new', HTMLButtonElement).focus()
  }

  menu.addEventListener('click', () => toggle(!document.body.classList.contains('side-open')))
  for (const closer of [find('veil', HTMLDivElement), find('shut', HTMLButtonElement)]) {
    closer.addEventListener('click', () => {
      toggle(false)
      menu.focus()
    })
  }
  matchMedia('(width <= 46rem)').addEventListener('change', () => toggle(false))
  find('new', HTMLButtonElement).addEventListener('click', () => {
    toggle(false)
    listener.onNew()
  })
  box.addEventListener('input', () => {
    clearTimeout(searching)
    searching = setTimeout(() => void look(), box.value.trim() === '' ? 0 : searchAfterMs)
  })
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || box.value === '' || isOfInputMethod(event)) return
    // Esc in the box ends the search and nothing else.
    event.stopPropagation()
    box.value = ''
    void look()
  })
  document.addEventListener('languagechange', show)
  window.addEventListener('focus', refresh)
  refresh()

  return {
    refresh,
    /** @param {string} id */
    titleOf: (id) => known.find((item) => item.id === id)?.title ?? '',
    /** What was found may be gone. */
    lookAgain: () => (found ? look() : undefined),
    /** Whether it was open, on a narrow screen. */
    close() {
      const wasOpen = document.body.classList.contains('side-open')
      toggle(false)
      return wasOpen
    },
    /** @param {string} id */
    select(id) {
      current = id
      toggle(false)
      show()
    },
  }
}

/** @param {Word} word @param {string} name */
function mark(word, name) {
  const made = element('span', { class: `mark ${name}` }, element('span', { class: 'unseen', 'data-t': word }))
  applyWords(made)
  return made
}
