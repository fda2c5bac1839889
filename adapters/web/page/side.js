// The list of conversations, or what a search found in them.
import { isConversations } from './api.js'
import { createDrawer } from './drawer.js'
import { element, find } from './element.js'
import { createFinder } from './finder.js'
import { isUnread, startMarks } from './read-marks.js'
import { applyWords, say } from './words.js'

/** @import { ApiConversation, ApiFound } from './api-types.d.ts' */
/** @import { Line } from './line.js' */
/** @import { Word } from './words.js' */

/** @param {{ line: Line, onNew(): void, onList(current: ApiConversation | undefined, listed: readonly ApiConversation[]): void }} listener */
export function createSide(listener) {
  const list = find('list', HTMLUListElement)
  /** @type {readonly ApiConversation[]} */
  let known = []
  let current = ''
  /** A page is open instead. */
  let behind = false
  const finder = createFinder(() => show())
  const drawer = createDrawer(listener.onNew)

  function show() {
    const focused = document.activeElement?.getAttribute('href')
    const own = () => withOpen(known, current).map((item) => toEntry(item, item.id === current && !behind))
    list.replaceChildren(...(finder.found()?.map(toResult) ?? own()))
    for (const link of list.querySelectorAll('a')) if (link.getAttribute('href') === focused) link.focus()
    listener.onList(
      known.find((item) => item.id === current),
      known,
    )
  }

  const { refresh } = listener.line
  listener.line.hear('conversations', (value) => {
    if (!isConversations(value)) return
    known = value.conversations
    startMarks(known)
    show()
  })
  document.addEventListener('languagechange', show)
  window.addEventListener('focus', refresh)
  refresh()

  return {
    refresh,
    /** @param {string} id */
    titleOf: (id) => known.find((item) => item.id === id)?.title ?? '',
    /** What was found may be gone. */
    lookAgain: finder.lookAgain,
    /** Whether it was open, on a narrow screen. */
    close: drawer.close,
    /** @param {string} id @param {boolean} isBehind a page is open instead of it */
    select(id, isBehind) {
      current = id
      behind = isBehind
      drawer.close()
      show()
    },
  }
}

/**
 * With the open one, though nothing was written in it yet.
 *
 * @param {readonly ApiConversation[]} known @param {string} id @returns {readonly ApiConversation[]}
 */
function withOpen(known, id) {
  return known.some((item) => item.id === id) ? known : [{ id, at: Date.now(), title: '' }, ...known]
}

/** @param {ApiConversation} item @param {boolean} isOpen */
function toEntry({ id, title, saidAt, working }, isOpen) {
  const name = element('span', { class: 'name', dir: 'auto' }, title || say('newChat'))
  const link = element('a', { href: `#${id}`, title: title || say('newChat') }, name)
  if (isOpen) link.setAttribute('aria-current', 'page')
  if (working) link.append(mark('isWorking', 'working'))
  else if (!isOpen && isUnread(id, saidAt)) link.append(mark('unread', 'unread'))
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

/** @param {Word} word @param {string} name */
function mark(word, name) {
  const made = element('span', { class: `mark ${name}` }, element('span', { class: 'unseen', 'data-t': word }))
  applyWords(made)
  return made
}
