// Shows a feature's page in the place of the conversation, which stays as it is behind it. The page's script and its style are loaded when it is opened, and
// what it does ends by its signal. One that cannot be loaded or throws is told, and can be tried again.
import { getOfPage, postOfPage, read } from './api.js'
import { element, find } from './element.js'
import { fill, language } from './words.js'

/** @import { ListedPage } from './page-list.js' */
/** @import { Language } from './words.js' */
/**
 * A page's script gets this. `path` is below the page's own routes; both reject with words to be shown.
 *
 * @typedef {{
 *   language: Language,
 *   get(path: string, query?: Record<string, string>): Promise<unknown>,
 *   post(path: string, body?: Record<string, unknown>): Promise<unknown>,
 *   signal: AbortSignal,
 * }} PageTools
 * @typedef {(element: HTMLElement, tools: PageTools) => unknown} OpenPage
 */

const mostDetailChars = 300

export function createFeaturePage() {
  const box = find('page', HTMLElement)
  const stage = createStage()
  /** @type {ListedPage | undefined} */
  let shown
  /** Browsers keep a script that failed under its address. */
  let tries = 0

  find('page-again', HTMLButtonElement).addEventListener('click', () => {
    tries += 1
    if (shown) void stage.run(shown, tries)
    box.focus()
  })
  // The script drew it in one language.
  document.addEventListener('languagechange', () => {
    if (shown) void stage.run(shown, tries)
  })
  return {
    shown: () => shown,
    focus: () => box.focus(),
    /** Instead of the one that is open, if any. @param {ListedPage} page */
    open(page) {
      shown = page
      box.hidden = false
      box.scrollTop = 0
      void stage.run(page, tries)
    },
    close() {
      if (!shown) return
      shown = undefined
      box.hidden = true
      stage.end()
    },
  }
}

/** Where scripts draw, one after the other, each into an element of its own. */
function createStage() {
  const place = find('page-place', HTMLDivElement)
  const opening = find('page-opening', HTMLParagraphElement)
  const trouble = find('page-trouble', HTMLDivElement)
  let running = new AbortController()

  function end() {
    running.abort()
    running = new AbortController()
    place.replaceChildren()
    trouble.hidden = true
    opening.hidden = true
  }

  /** @param {ListedPage} page @param {unknown} failure */
  function tell(page, failure) {
    end()
    const detail = failure instanceof Error ? failure.message : String(failure)
    find('page-problem', HTMLParagraphElement).textContent = fill('pageFailed', page.title[language()])
    find('page-detail', HTMLParagraphElement).textContent = detail.slice(0, mostDetailChars)
    trouble.hidden = false
  }

  return {
    end,
    /** @param {ListedPage} page @param {number} tries */
    async run(page, tries) {
      end()
      const { signal } = running
      const own = element('div')
      opening.hidden = false
      try {
        const open = await load(page, tries, signal)
        if (signal.aborted) return
        place.append(own)
        await open(own, toTools(page, signal))
        if (!signal.aborted) opening.hidden = true
      } catch (failure) {
        if (!signal.aborted) tell(page, failure)
      }
    },
  }
}

/**
 * The page's script, once its style is there too; that goes with the signal.
 *
 * @param {ListedPage} page @param {number} tries @param {AbortSignal} signal @returns {Promise<OpenPage>}
 */
async function load({ name, styled }, tries, signal) {
  const again = tries > 0 ? `?again=${tries}` : ''
  /** @type {Promise<unknown>} */
  const script = import(`/page/${name}/page.js${again}`)
  const style = styled ? loadStyle(`/page/${name}/page.css${again}`, signal) : undefined
  const [module] = await Promise.all([script, style])
  const open = read(module, 'open')
  if (isOpen(open)) return open
  throw new Error(`page.js of ${name} exports no open().`)
}

/** @param {unknown} value @returns {value is OpenPage} */
const isOpen = (value) => typeof value === 'function'

/** @param {string} href @param {AbortSignal} signal */
async function loadStyle(href, signal) {
  const link = element('link', { rel: 'stylesheet', href })
  const { promise, resolve, reject } = Promise.withResolvers()
  link.addEventListener('load', resolve)
  link.addEventListener('error', () => reject(new Error(`${href} cannot be loaded.`)))
  signal.addEventListener('abort', () => {
    link.remove()
    resolve(undefined)
  })
  document.head.append(link)
  await promise
}

/** @param {ListedPage} page @param {AbortSignal} signal @returns {PageTools} */
const toTools = ({ name }, signal) => ({
  language: language(),
  get: (path, query = {}) => getOfPage(`/api/${name}/${path}`, query, signal),
  post: (path, body = {}) => postOfPage(`/api/${name}/${path}`, body, signal),
  signal,
})
