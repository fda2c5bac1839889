// The list of conversations; on narrow screens a drawer that Esc closes.
import { loadConversations } from './api.js'
import { element, find } from './element.js'
import { say } from './words.js'

/** @import { ApiConversation } from './api-types.d.ts' */

const refreshEveryMs = 20_000

/** @param {{ onNew(): void, onList(current: ApiConversation | undefined): void }} listener */
export function createSide(listener) {
  const list = find('list', HTMLUListElement)
  const menu = find('menu', HTMLButtonElement)
  /** @type {readonly ApiConversation[]} */
  let known = []
  let current = ''

  function show() {
    const own = known.some((item) => item.id === current) ? [] : [{ id: current, at: Date.now(), title: '' }]
    const focused = document.activeElement?.getAttribute('href')
    list.replaceChildren(
      ...[...own, ...known].map(({ id, title }) => {
        const link = element('a', { href: `#${id}`, title: title || say('newChat') }, title || say('newChat'))
        if (id === current) link.setAttribute('aria-current', 'page')
        return element('li', {}, link)
      }),
    )
    for (const link of list.querySelectorAll('a')) if (link.getAttribute('href') === focused) link.focus()
    listener.onList(known.find((item) => item.id === current))
  }

  async function refresh() {
    try {
      known = (await loadConversations()).conversations
      show()
    } catch {
      // The connection's state is shown beside the title; the old list stays.
    }
  }

  /** @param {boolean} open */
  function toggle(open) {
    document.body.classList.toggle('side-open', open)
    menu.setAttribute('aria-expanded', String(open))
    if (open) find('new', HTMLButtonElement).focus()
  }

  menu.addEventListener('click', () => toggle(!document.body.classList.contains('side-open')))
  for (const closer of [find('veil', HTMLDivElement), find('shut', HTMLButtonElement)]) {
    closer.addEventListener('click', () => toggle(false))
  }
  find('new', HTMLButtonElement).addEventListener('click', () => {
    toggle(false)
    listener.onNew()
  })
  document.addEventListener('languagechange', show)
  window.addEventListener('focus', () => void refresh())
  setInterval(() => void refresh(), refreshEveryMs)
  void refresh()

  return {
    refresh,
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
