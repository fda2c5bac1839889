// Features' pages and what stands around the one that is open: its entry in the side list, its title, and the way back to the conversation behind it.
import { createFeaturePage } from './feature-page.js'
import { find } from './element.js'
import { createPageList } from './page-list.js'
import { applyWords } from './words.js'

/** @import { createTitle } from './title.js' */

/** @param {{ title: ReturnType<typeof createTitle> }} deps */
export function createPages({ title }) {
  const list = createPageList()
  const page = createFeaturePage()
  const leave = find('leave-page', HTMLAnchorElement)
  const skip = find('skip', HTMLAnchorElement)

  /** @param {ReturnType<typeof list.find>} shown */
  function surround(shown) {
    title.setPage(shown?.title)
    list.select(shown?.name)
    leave.hidden = shown === undefined
    skip.setAttribute('data-t', shown ? 'skipPage' : 'skip')
    applyWords(document.body)
  }

  return {
    isOpen: () => page.shown() !== undefined,
    focus: page.focus,
    /** Whether there is such a page. @param {string} name */
    has: (name) => list.find(name) !== undefined,
    /** @param {string} name @param {string} behind the conversation that it is left for */
    open(name, behind) {
      const wanted = list.find(name)
      if (!wanted) return
      leave.href = `#${behind}`
      page.open(wanted)
      surround(wanted)
    },
    close() {
      page.close()
      surround(undefined)
    },
  }
}
