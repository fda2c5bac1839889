// The search box above the list: what it found, until it is empty again.
import { search } from './api.js'
import { find } from './element.js'
import { isOfInputMethod } from './keys.js'
import { say } from './words.js'

/** @import { ApiFound } from './api-types.d.ts' */
/** @import { Word } from './words.js' */

const searchAfterMs = 250

/** @param {() => void} onFound called when something else is found, or nothing is looked for any more */
export function createFinder(onFound) {
  const box = find('search', HTMLInputElement)
  const note = find('search-note', HTMLParagraphElement)
  /** @type {readonly ApiFound[] | undefined} */
  let found
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let searching

  async function look() {
    const query = box.value.trim()
    if (query === '') {
      found = undefined
      tell(undefined)
      return onFound()
    }
    try {
      const result = await search(query)
      // Another letter was written meanwhile.
      if (box.value.trim() !== query) return
      found = result.found
      tell(result.partial ? 'foundPart' : found.length === 0 ? 'nothing' : 'foundSome')
      onFound()
    } catch {
      tell('searchFailed')
    }
  }

  /** @param {Word | undefined} word */
  function tell(word) {
    note.textContent = word ? say(word) : ''
    note.classList.toggle('unseen', word === undefined || word === 'foundSome')
  }

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
  return {
    /** Undefined while nothing is looked for. */
    found: () => found,
    lookAgain: () => (found ? look() : undefined),
  }
}
