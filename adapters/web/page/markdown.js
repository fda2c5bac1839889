// Markdown as DOM nodes: paragraphs, headings, lists, quotes, code blocks, tables. Built from text nodes only, so no text becomes markup.
import { copyButton } from './copy.js'
import { element } from './element.js'
import { appendInline } from './inline.js'

const maxDepth = 6
/** Directions and invisible marks that could make a line read differently from what it says. */
const deceptive = /[\u202a-\u202e\u2066-\u2069\ufeff]/g

const fence = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)/
const heading = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/
const rule = /^ {0,3}([-*_])(\s*\1){2,}\s*$/
const item = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/
const divider = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/

/** @param {string} text @returns {DocumentFragment} */
export function renderMarkdown(text) {
  const result = document.createDocumentFragment()
  result.append(...readBlocks(text.replaceAll(deceptive, '').split('\n'), 0))
  return result
}

/** @param {readonly string[]} lines @param {number} depth @returns {HTMLElement[]} */
function readBlocks(lines, depth) {
  /** @type {HTMLElement[]} */
  const blocks = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at] ?? ''
    if (line.trim() === '') {
      at += 1
      continue
    }
    const [block, end] = readBlock(lines, at, depth)
    blocks.push(block)
    at = end
  }
  return blocks
}

/** Returns the block and the line after it. @param {readonly string[]} lines @param {number} at @param {number} depth @returns {[HTMLElement, number]} */
function readBlock(lines, at, depth) {
  const line = lines[at] ?? ''
  const [, marks = '', name = ''] = fence.exec(line) ?? []
  if (marks) return readCode(lines, at, { marks, name })
  const [, hashes = '', title = ''] = heading.exec(line) ?? []
  if (hashes) return [inline(element('p', { class: `heading level-${hashes.length}` }), title), at + 1]
  if (rule.test(line)) return [element('hr'), at + 1]
  if (depth < maxDepth && /^ {0,3}>/.test(line)) {
    const end = findEnd(lines, at, (next) => /^ {0,3}>/.test(next))
    const inner = lines.slice(at, end).map((quoted) => quoted.replace(/^ {0,3}> ?/, ''))
    return [element('blockquote', {}, ...readBlocks(inner, depth + 1)), end]
  }
  if (depth < maxDepth && item.test(line)) return readList(lines, at, depth)
  if (line.includes('|') && divider.test(lines[at + 1] ?? '')) return readTable(lines, at)
  const end = findEnd(
    lines,
    at,
    (next) => next.trim() !== '' && !fence.test(next) && !heading.test(next) && !item.test(next),
  )
  const text = lines.slice(at, Math.max(end, at + 1)).join('\n')
  return [inline(element('p'), text), Math.max(end, at + 1)]
}

/** @param {readonly string[]} lines @param {number} at @param {{ marks: string, name: string }} opening @returns {[HTMLElement, number]} */
function readCode(lines, at, { marks, name }) {
  const close = lines.findIndex(
    (line, index) => index > at && line.trim().startsWith(marks) && !line.trim().slice(marks.length).trim(),
  )
  const end = close < 0 ? lines.length : close
  const code = lines.slice(at + 1, end).join('\n')
  const bar = element('figcaption', {}, element('span', {}, name), copyButton(code))
  return [
    element('figure', { class: 'code' }, bar, element('pre', { tabindex: '0' }, element('code', {}, code))),
    end + 1,
  ]
}

/** @param {readonly string[]} lines @param {number} at @param {number} depth @returns {[HTMLElement, number]} */
function readList(lines, at, depth) {
  const [, indent = '', mark = ''] = item.exec(lines[at] ?? '') ?? []
  const ordered = /\d/.test(mark)
  const list = element(ordered ? 'ol' : 'ul', ordered ? { start: String(Number.parseInt(mark, 10)) } : {})
  let next = at
  while (next < lines.length) {
    const [, own = '', bullet = '', text = ''] = item.exec(lines[next] ?? '') ?? []
    if (!bullet || own.length !== indent.length || /\d/.test(bullet) !== ordered) break
    const body = own.length + 1
    const end = findEnd(lines, next, (line) => line.trim() === '' || line.length - line.trimStart().length >= body)
    const inner = lines.slice(next + 1, end)
    const made = inline(element('li'), text)
    const nested = readBlocks(outdent(inner), depth + 1)
    made.append(...nested)
    list.append(made)
    next = end
  }
  return [list, Math.max(next, at + 1)]
}

/** @param {readonly string[]} lines @param {number} at @returns {[HTMLElement, number]} */
function readTable(lines, at) {
  const end = findEnd(lines, at + 1, (line) => line.includes('|'))
  /** @param {string} line @param {'th' | 'td'} tag */
  const toRow = (line, tag) => {
    const cells = line
      .trim()
      .replace(/^\||\|$/g, '')
      .split('|')
      .slice(0, 40)
    return element('tr', {}, ...cells.map((cell) => inline(element(tag), cell.trim())))
  }
  const head = element('thead', {}, toRow(lines[at] ?? '', 'th'))
  const body = element('tbody', {}, ...lines.slice(at + 2, end).map((line) => toRow(line, 'td')))
  return [element('div', { class: 'table', tabindex: '0' }, element('table', {}, head, body)), end]
}

/** The first line after `at` that does not belong. @param {readonly string[]} lines @param {number} at @param {(line: string) => boolean} belongs */
function findEnd(lines, at, belongs) {
  let end = at + 1
  while (end < lines.length && belongs(lines[end] ?? '')) end += 1
  return end
}

/** @param {readonly string[]} lines */
function outdent(lines) {
  const filled = lines.filter((line) => line.trim() !== '')
  const shortest = Math.min(...filled.map((line) => line.length - line.trimStart().length))
  return Number.isFinite(shortest) ? lines.map((line) => line.slice(shortest)) : []
}

/** @template {HTMLElement} T @param {T} block @param {string} text @returns {T} */
function inline(block, text) {
  appendInline(block, text)
  return block
}
