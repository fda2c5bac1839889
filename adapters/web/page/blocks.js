// A reply's blocks, as the server read them, as DOM elements: one for each block. Built from text nodes only, so no text becomes markup, and
// what is not as it should be is left out or shown as text.
import { read } from './api.js'
import { codeCopyButton } from './copy.js'
import { element } from './element.js'
import { showFormula } from './formula.js'
import { showImage } from './image.js'
import { say } from './words.js'

const maxDepth = 64
/** What holds text finds its direction by its own words. */
const own = { dir: 'auto' }
const firstLetter = /\p{L}/u
const toTheLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u

/** @param {unknown} blocks @returns {HTMLElement[]} */
export function renderBlocks(blocks, depth = 0) {
  return toList(blocks).flatMap((block) => {
    const made = depth < maxDepth ? renderBlock(block, depth) : undefined
    return made ? [made] : []
  })
}

/** @param {unknown} block @param {number} depth @returns {HTMLElement | undefined} */
function renderBlock(block, depth) {
  switch (read(block, 'kind')) {
    case 'paragraph':
      return element('p', own, ...renderPhrases(read(block, 'phrases'), depth))
    case 'heading': {
      const level = toNumber(read(block, 'depth'), 1, 6)
      // The page's own headings are of the first and second level.
      const tag = level < 3 ? 'h3' : level < 4 ? 'h4' : 'h5'
      return element(tag, { ...own, class: `heading level-${level}` }, ...renderPhrases(read(block, 'phrases'), depth))
    }
    case 'quote':
      return withDirection(element('blockquote', {}, ...renderBlocks(read(block, 'blocks'), depth + 1)))
    case 'list':
      return renderList(block, depth)
    case 'code':
      return renderCode(block)
    case 'table':
      return renderTable(block, depth)
    case 'rule':
      return element('hr')
    default:
      return undefined
  }
}

/**
 * What holds others looks at the first letter of them, on which side its bullets, its line or its first column stand: `dir="auto"` would leave out all that
 * find their own.
 *
 * @template {HTMLElement} T
 * @param {T} holder
 */
function withDirection(holder) {
  holder.dir = toTheLeft.test(firstLetter.exec(holder.textContent ?? '')?.[0] ?? '') ? 'rtl' : 'ltr'
  return holder
}

/** @param {unknown} list @param {number} depth */
function renderList(list, depth) {
  const start = read(list, 'start')
  const spread = read(list, 'spread') === true
  const items = toList(read(list, 'items')).map((item) => {
    const made = element('li')
    const checked = read(item, 'checked')
    if (typeof checked === 'boolean') {
      made.className = 'task'
      const box = { class: 'box', role: 'img', 'aria-label': say(checked ? 'done' : 'notDone') }
      made.append(element('span', box, checked ? '☑' : '☐'), ' ')
    }
    const mark = toText(read(item, 'mark'))
    if (/^\d{1,9}\.$/.test(mark)) made.style.listStyleType = `"${mark} "`
    for (const block of toList(read(item, 'blocks'))) {
      const isLoose = !spread && read(block, 'kind') === 'paragraph'
      made.append(...(isLoose ? renderPhrases(read(block, 'phrases'), depth) : renderBlocks([block], depth + 1)))
    }
    // Blocks find their own.
    if ([...made.childNodes].some((one) => one instanceof Text && one.data.trim() !== '')) made.dir = 'auto'
    else withDirection(made)
    return made
  })
  if (typeof start !== 'number') return withDirection(element('ul', {}, ...items))
  return withDirection(element('ol', { start: String(start) }, ...items))
}

/** @param {unknown} block */
function renderCode(block) {
  const code = element('code', { dir: 'ltr' })
  for (const token of toList(read(block, 'tokens'))) {
    const [text, kind] = toList(typeof token === 'string' ? [token] : token)
    if (typeof text !== 'string') continue
    const isKnown = typeof kind === 'string' && /^[a-z]{1,12}$/.test(kind)
    code.append(isKnown ? element('span', { class: `is-${kind}` }, text) : text)
  }
  const language = read(block, 'language')
  const bar = element('figcaption', {}, element('span', {}, toText(language)), codeCopyButton())
  const scrolled = { tabindex: '0', role: 'region', 'aria-label': say('code') }
  return element('figure', { class: 'code', dir: 'ltr' }, bar, element('pre', scrolled, code))
}

/** @param {unknown} table @param {number} depth */
function renderTable(table, depth) {
  const aligns = toList(read(table, 'aligns'))
  /** @param {unknown} row @param {'th' | 'td'} tag */
  const renderRow = (row, tag) => {
    const cells = toList(row).map((cell, i) => {
      const align = aligns[i]
      const known = align === 'left' || align === 'center' || align === 'right'
      return element(tag, known ? { ...own, class: `align-${align}` } : own, ...renderPhrases(cell, depth))
    })
    return element('tr', {}, ...cells)
  }
  const [head, ...rows] = toList(read(table, 'rows'))
  const body = rows.map((row) => renderRow(row, 'td'))
  const made = element('table', {}, element('thead', {}, renderRow(head, 'th')), element('tbody', {}, ...body))
  return withDirection(
    element('div', { class: 'table', tabindex: '0', role: 'region', 'aria-label': say('table') }, made),
  )
}

/** @param {unknown} phrases @param {number} depth @returns {(Node | string)[]} */
function renderPhrases(phrases, depth) {
  if (depth >= maxDepth) return []
  return toList(phrases).flatMap((phrase) =>
    typeof phrase === 'string' ? renderWords(phrase) : renderPhrase(phrase, depth + 1),
  )
}

/** Bars of blocks, and numbers in three groups or more, such as those of telephones. */
const apart = /([█░]{5,40}|\+?\(?\d{1,20}\)?(?:[ -]\(?\d{1,20}\)?){2,15})/

/**
 * A bar of blocks is drawn smaller than words, and not read out: words beside it say the same. The groups of a number stay in their order, which Arabic words
 * around them would turn.
 *
 * @param {string} words @returns {(Node | string)[]}
 */
function renderWords(words) {
  return words
    .split(apart)
    .map((part, i) => {
      if (i % 2 === 0) return part
      if (/^[█░]/.test(part)) return element('span', { class: 'cells', 'aria-hidden': 'true' }, part)
      return element('bdi', { dir: 'ltr' }, part)
    })
    .filter((part) => part !== '')
}

/** @param {unknown} phrase @param {number} depth @returns {(Node | string)[]} */
function renderPhrase(phrase, depth) {
  const inner = () => renderPhrases(read(phrase, 'phrases'), depth)
  switch (read(phrase, 'kind')) {
    case 'code':
      return [element('code', { dir: 'ltr' }, toText(read(phrase, 'text')))]
    case 'break':
      return [element('br')]
    case 'formula':
      return [renderFormula(read(phrase, 'text'), read(phrase, 'tex'), read(phrase, 'isBlock') === true)]
    case 'strong':
      return [element('strong', {}, ...inner())]
    case 'emphasis':
      return [element('em', {}, ...inner())]
    case 'delete':
      return [element('del', {}, ...inner())]
    case 'link':
      return renderLink(phrase, inner())
    case 'image':
      return [renderImage(phrase, depth)]
    default:
      return []
  }
}

/** @param {unknown} text @param {unknown} tex @param {boolean} isBlock */
function renderFormula(text, tex, isBlock) {
  const made = element('span', { class: 'formula', dir: 'ltr' }, toText(text))
  showFormula(made, toText(tex), isBlock)
  return made
}

/** @param {unknown} image @param {number} depth */
function renderImage(image, depth) {
  const made = element('span', { class: 'pictured' }, ...renderPhrases(read(image, 'otherwise'), depth))
  void showImage(made, toText(read(image, 'url')), toText(read(image, 'alt')))
  return made
}

/** Only addresses that open a page or a letter. @param {unknown} link @param {(Node | string)[]} words @returns {(Node | string)[]} */
function renderLink(link, words) {
  const url = URL.parse(toText(read(link, 'url')))
  if (!url || !['http:', 'https:', 'mailto:'].includes(url.protocol)) return words
  // The true address comes first, whatever the title says.
  const title = [url.href, toText(read(link, 'title'))].filter(Boolean).join('\n')
  const safe = { href: url.href, target: '_blank', rel: 'noopener noreferrer nofollow', title }
  const target = toText(read(link, 'target'))
  const made = element('a', safe, ...words)
  return target === '' ? [made] : [made, element('span', { class: 'target' }, ` (${target})`)]
}

/** @param {unknown} value @returns {unknown[]} */
const toList = (value) => (Array.isArray(value) ? value : [])
/** @param {unknown} value */
const toText = (value) => (typeof value === 'string' ? value : '')
/** @param {unknown} value @param {number} low @param {number} high */
const toNumber = (value, low, high) =>
  typeof value === 'number' ? Math.min(Math.max(Math.trunc(value), low), high) : low
