// Times and days as the reader's language writes them.
import { language } from './words.js'

const locale = () => (language() === 'zh' ? 'zh-CN' : 'en-GB')

/** @param {number} at ms since 1970 */
export function toClock(at) {
  return new Intl.DateTimeFormat(locale(), { hour: '2-digit', minute: '2-digit' }).format(at)
}

/** @param {number} at ms since 1970 */
export function toDay(at) {
  return new Intl.DateTimeFormat(locale(), { weekday: 'long', month: 'long', day: 'numeric' }).format(at)
}

/** A day and a time, to the minute. @param {number} at ms since 1970 */
export function toMoment(at) {
  /** @type {Intl.DateTimeFormatOptions} */
  const how = { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }
  return new Intl.DateTimeFormat(locale(), how).format(at)
}

/** Writes the days between messages anew after the language has changed. @param {ParentNode} root */
export function renameDays(root) {
  for (const found of root.querySelectorAll('[data-day]')) {
    found.textContent = toDay(Number(found.getAttribute('data-day')))
  }
}
