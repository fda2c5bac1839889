// How long a question may still be answered, in words: to the minute, in the last minute to the second. Screen readers hear it when they come
// to it, not each time it changes.
import { toMoment } from './clock.js'
import { element } from './element.js'
import { serverNow } from './server-clock.js'
import { fill, say } from './words.js'

const everyMs = 1000
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** @param {number} endsAt ms since 1970 by the server @param {boolean} [withMoment] tells also when that is, by the reader's clock */
export function countdown(endsAt, withMoment = false) {
  const made = element('span', { class: 'left', role: 'timer', 'data-ends': String(endsAt) })
  if (withMoment) made.dataset['moment'] = ''
  show(made)
  return made
}

/** Keeps all countdowns of the page. */
export function startCountdowns() {
  setInterval(showCountdowns, everyMs)
  document.addEventListener('languagechange', showCountdowns)
}

/** At once, since the server's time has become known. */
export function showCountdowns() {
  for (const shown of document.querySelectorAll('[data-ends]')) show(shown)
}

/** @param {Element} shown */
function show(shown) {
  const now = serverNow()
  const endsAt = Number(shown.getAttribute('data-ends'))
  const leftMs = endsAt - (now ?? 0)
  const isMoment = shown.hasAttribute('data-moment') && leftMs > 0
  const left = toWords(leftMs)
  const text = now === undefined ? '' : isMoment ? fill('leftUntil', left, toMoment(endsAt)) : left
  if (shown.textContent !== text) shown.textContent = text
  shown.classList.toggle('soon', now !== undefined && leftMs < 10 * minuteMs)
}

/** Rounded up: what was just asked for a day says a day. @param {number} leftMs */
function toWords(leftMs) {
  if (leftMs <= 0) return say('timeUp')
  if (leftMs <= minuteMs) return fill('leftSeconds', Math.ceil(leftMs / 1000))
  const minutes = Math.ceil(leftMs / minuteMs)
  if (minutes < 60) return fill('leftMinutes', minutes)
  if (leftMs <= 2 * dayMs) {
    const hours = Math.floor(minutes / 60)
    return minutes % 60 === 0 ? fill('leftHours', hours) : fill('leftHoursMinutes', hours, minutes % 60)
  }
  const hours = Math.ceil(leftMs / hourMs)
  return hours % 24 === 0 ? fill('leftDays', hours / 24) : fill('leftDaysHours', Math.floor(hours / 24), hours % 24)
}
