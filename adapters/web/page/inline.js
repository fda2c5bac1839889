// Markdown within a line: code, emphasis, links. What it cannot read stays as it is written. A link always shows where it goes.
import { element } from './element.js'

const maxDepth = 5
/** Closing marks farther away are taken as text, which also bounds the work. */
const maxSpan = 4000
const escapable = '\\`*_{}[]()#+-.!~|>'

/** @param {Element} parent @param {string} text @param {number} [depth] */
export function appendInline(parent, text, depth = 0) {
  let plain = ''
  let at = 0
  while (at < text.length) {
    const span = depth < maxDepth ? readSpan(text, at, depth) : undefined
    if (span) {
      parent.append(plain, ...span.nodes)
      plain = ''
      at = span.end
    } else {
      plain += text[at]
      at += 1
    }
  }
  parent.append(plain)
}

/** @typedef {{ nodes: (Node | string)[], end: number }} Span */

/** @param {string} text @param {number} at @param {number} depth @returns {Span | undefined} */
function readSpan(text, at, depth) {
  switch (text[at]) {
    case '\\': {
      const next = text[at + 1] ?? ''
      return next !== '' && escapable.includes(next) ? { nodes: [next], end: at + 2 } : undefined
    }
    case '`':
      return readCode(text, at)
    case '*':
    case '_':
    case '~':
      return readEmphasis(text, at, depth)
    case '[':
      return readLink(text, at, depth)
    case 'h':
      return readBareLink(text, at)
    case '\n':
      return { nodes: [element('br')], end: at + 1 }
    case undefined:
    default:
      return undefined
  }
}

/** @param {string} text @param {number} at @returns {Span | undefined} */
function readCode(text, at) {
  const [ticks = ''] = /^`{1,8}/.exec(text.slice(at, at + 8)) ?? []
  const close = findClose(text, ticks, at + ticks.length)
  if (close < 0) return undefined
  const code = text.slice(at + ticks.length, close)
  return { nodes: [element('code', {}, code.trim() || code)], end: close + ticks.length }
}

/** @param {string} text @param {number} at @param {number} depth @returns {Span | undefined} */
function readEmphasis(text, at, depth) {
  const mark = text[at] ?? ''
  const double = text[at + 1] === mark
  if (mark === '~' && !double) return undefined
  const marks = double ? mark + mark : mark
  const start = at + marks.length
  if (/^\s|^$/.test(text.slice(start, start + 1))) return undefined
  // Within a word an underscore is part of a name.
  if (mark === '_' && /\w/.test(text[at - 1] ?? '')) return undefined
  let close = findClose(text, marks, start)
  if (!double && close >= 0 && text[close + 1] === mark) close = findClose(text, marks, close + 2)
  if (close <= start || /\s/.test(text[close - 1] ?? '')) return undefined
  if (mark === '_' && /\w/.test(text[close + marks.length] ?? '')) return undefined
  const made = element(mark === '~' ? 'del' : double ? 'strong' : 'em')
  appendInline(made, text.slice(start, close), depth + 1)
  return { nodes: [made], end: close + marks.length }
}

/** @param {string} text @param {number} at @param {number} depth @returns {Span | undefined} */
function readLink(text, at, depth) {
  const middle = findClose(text, '](', at + 1)
  if (middle < 0 || text.slice(at + 1, middle).includes('[')) return undefined
  const close = findClose(text, ')', middle + 2)
  if (close < 0) return undefined
  const [address = ''] = text
    .slice(middle + 2, close)
    .trim()
    .split(/\s/, 1)
  const url = findUrl(address.replace(/^<|>$/g, ''))
  if (!url) return undefined
  const made = toLink(url)
  const label = text.slice(at + 1, middle)
  // Links do not nest; at the last depth everything is text.
  appendInline(made, label, Math.max(depth + 1, maxDepth))
  const target = element('span', { class: 'target' }, ` (${url.protocol === 'mailto:' ? url.pathname : url.host})`)
  return { nodes: label === url.href || label === address ? [made] : [made, target], end: close + 1 }
}

/** @param {string} text @param {number} at @returns {Span | undefined} */
function readBareLink(text, at) {
  if (/[\w@]/.test(text[at - 1] ?? '')) return undefined
  const [found = ''] = /^https?:\/\/[^\s<>"'`，。；：！？、（）【】《》]+/.exec(text.slice(at, at + maxSpan)) ?? []
  const address = found.replace(/[.,;:!?)\]}*_~]+$/, '')
  const url = address && findUrl(address)
  if (!url) return undefined
  const made = toLink(url)
  made.append(address)
  return { nodes: [made], end: at + address.length }
}

/** @param {string} text @param {string} mark @param {number} from */
function findClose(text, mark, from) {
  const found = text.slice(from, from + maxSpan).indexOf(mark)
  return found < 0 ? -1 : from + found
}

/** Only addresses that open a page or a letter. @param {string} address */
function findUrl(address) {
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url : undefined
}

/** @param {URL} url */
function toLink(url) {
  return element('a', { href: url.href, target: '_blank', rel: 'noopener noreferrer nofollow', title: url.href })
}
