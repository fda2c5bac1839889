// The days between messages: told above the first message of each.
import { toDay } from './clock.js'
import { element } from './element.js'

/** Tells the day above a message where it is another one than that of the message before. @param {HTMLElement} made @param {number} at */
export function addDay(made, at) {
  const day = new Date(at).toDateString()
  made.dataset['its'] = day
  const before = made.previousElementSibling
  if (before instanceof HTMLElement && before.dataset['its'] === day) return
  made.before(element('p', { class: 'day', 'data-day': String(at), 'data-its': day }, toDay(at)))
}

/** After messages were put above this one, its day may be told there already. @param {Element} first */
export function dropDoubleDay(first) {
  const day = first.previousElementSibling
  const before = day?.previousElementSibling
  if (!(first instanceof HTMLElement && before instanceof HTMLElement && day?.matches('.day'))) return
  if (before.dataset['its'] === first.dataset['its']) day.remove()
}

/** A message goes, and its day where it was the only one of it. @param {Element} made */
export function removeWithDay(made) {
  const day = made.previousElementSibling
  const isLastOfDay = day?.matches('.day') && !made.nextElementSibling?.matches('article')
  made.remove()
  if (isLastOfDay) day?.remove()
}
