// The pages of features above the list of conversations, as the server tells them in the document's head. Without one nothing is shown.
import { read } from './api.js'
import { element, find } from './element.js'
import { language } from './words.js'

/** @import { Language } from './words.js' */
/** `styled`: it has a `page.css`. @typedef {{ name: string, title: Record<Language, string>, styled: boolean }} ListedPage */

export function createPageList() {
  const list = find('pages', HTMLUListElement)
  const pages = readPages()
  const links = pages.map(({ name }) => ({ name, link: element('a', { href: `#/${name}` }) }))
  list.append(...links.map(({ link }) => element('li', {}, link)))
  list.hidden = pages.length === 0

  function show() {
    for (const [index, { link }] of links.entries()) link.textContent = pages[index]?.title[language()] ?? ''
  }

  document.addEventListener('languagechange', show)
  show()
  return {
    /** @param {string} name */
    find: (name) => pages.find((page) => page.name === name),
    /** @param {string | undefined} name of the page that is open */
    select(name) {
      for (const one of links) {
        if (one.name === name) one.link.setAttribute('aria-current', 'page')
        else one.link.removeAttribute('aria-current')
      }
    },
  }
}

/** @returns {readonly ListedPage[]} */
function readPages() {
  const told = document.querySelector('meta[name=pages]')?.getAttribute('content')
  /** @type {unknown} */
  const value = JSON.parse(told ?? '[]')
  return Array.isArray(value) ? value.filter(isListed) : []
}

/** @param {unknown} value @returns {value is ListedPage} */
const isListed = (value) =>
  typeof read(value, 'name') === 'string' &&
  ['zh', 'en'].every((one) => typeof read(read(value, 'title'), one) === 'string')
