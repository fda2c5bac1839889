// A card that steps through several questions looks like a deck: the next ones are hinted behind it. How far it is its own first line says ("2 / 3"), so that
// the page keeps nothing of it.
import { element } from './element.js'

/** @import { ApiMessage } from './api-types.d.ts' */

const stepLine = /^(\d{1,2}) \/ (\d{1,2})$/
const mostBehind = 2

/** @param {HTMLElement} made @param {ApiMessage} message */
export function markDeck(made, { asks }) {
  const body = made.querySelector('.body')
  const line = body?.firstElementChild
  const [, at, of] = stepLine.exec(line?.textContent?.trim() ?? '') ?? []
  const left = Number(of) - Number(at)
  if (!asks || !line || Number(at) < 1 || !(left >= 0)) return
  made.classList.add('deck')
  made.dataset['behind'] = String(Math.min(left, mostBehind))
  line.classList.add('step')
  const shown = element('span', { 'aria-hidden': 'true' }, `${at} / ${of}`)
  line.replaceChildren(shown, element('span', { class: 'unseen', 'data-t': 'step', 'data-t-with': `${at}|${of}` }))
}
