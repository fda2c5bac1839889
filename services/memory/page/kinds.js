// The views of the page: all records, those of a kind, those that wait for a yes, and the graph.
import { button } from './make.js'
import { say, words } from './words.js'

/** @import { Language } from './words.js' */

/** Views that are no kind of record. */
export const waits = 'waits'
export const graph = 'graph'

/** @param {string} chosen @param {Language} language @param {(kind: string) => unknown} choose */
export function drawKinds(chosen, language, choose) {
  const text = words[language]
  const views = { '': text.all, ...text.kinds, [waits]: text.waits, [graph]: text.graph }
  return Object.keys(views).map((kind) => {
    const one = button(say(views, kind), () => choose(kind))
    one.setAttribute('aria-pressed', String(kind === chosen))
    return one
  })
}
