// The line at the top has the name of the conversation or of the page; the browser's title also has how much waits for the reader.
import { find } from './element.js'
import { language, say } from './words.js'

/** @import { Language } from './words.js' */

export function createTitle() {
  const heading = find('title', HTMLHeadingElement)
  /** Of the conversation, empty without one; how many questions wait, and in how many others there are replies that nobody has read. */
  const known = { name: '', asked: 0, unread: 0 }
  /** Of the page that is open instead of the conversation. @type {Record<Language, string> | undefined} */
  let page

  function show() {
    const opened = page?.[language()]
    heading.textContent = opened ?? (known.name || say('newChat'))
    const waits = known.asked + known.unread
    const count = waits > 0 ? `(${waits > 99 ? '99+' : waits}) ` : ''
    const name = opened ?? known.name
    document.title = count + (name ? `${name} · Flotilla` : 'Flotilla')
  }

  document.addEventListener('languagechange', show)
  return {
    /** @param {Partial<typeof known>} news */
    note(news) {
      Object.assign(known, news)
      show()
    },
    name: () => known.name,
    /** @param {Record<Language, string> | undefined} title in each language; without one the conversation is shown */
    setPage(title) {
      page = title
      show()
    },
  }
}
