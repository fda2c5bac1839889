// The page of curiosity, for owners: what people were asked, by kind, and what came of it. Counts only; it asks once, when it is opened.
import { say, words } from './words.js'

/** @import { Language, Words } from './words.js' */
/** @typedef {{ name: string, label: string, counts: Record<string, number>, note: string }} Row */

const countNames = ['asked', 'answered', 'undone', 'skipped', 'never', 'ignored', 'later', 'open', 'used']

/** @param {HTMLElement} element @param {{ language: Language, get(path: string): Promise<unknown>, signal: AbortSignal }} tools */
export async function open(element, { language, get, signal }) {
  const said = await get('counts')
  if (signal.aborted) return
  element.append(draw(said, words[language]))
}

/** @param {unknown} said @param {Words} text */
function draw(said, text) {
  const place = make('div', { class: 'curiosity' }, make('p', {}, text.lead))
  if (read(said, 'isOn') === false) place.append(make('p', { class: 'soft' }, text.off))
  else if (read(said, 'isStopped') === true) place.append(make('p', { class: 'stopped' }, text.stopped))
  const [total, people] = [toCounts(read(said, 'total')), toNumber(read(said, 'people'))]
  const [asked, answered] = [count(total, 'asked'), count(total, 'answered')]
  place.append(
    make(
      'ul',
      { class: 'figures' },
      figure(text.of(answered, asked), text.answered),
      figure(text.of(count(total, 'used'), answered), text.used, text.usedNote),
      figure(String(toNumber(read(said, 'waiting'))), text.waiting),
    ),
  )
  if (asked === 0) place.append(make('p', { class: 'soft' }, text.none))
  else place.append(table(said, total, text))
  if (people > 0) place.append(make('p', { class: 'soft' }, text.people(people, read(said, 'isPart') === true)))
  place.append(make('p', { class: 'soft' }, text.retiredNote))
  return place
}

/** @param {string} number @param {string} name @param {string} [note] */
const figure = (number, name, note = '') =>
  make(
    'li',
    {},
    make('strong', {}, number),
    make('span', {}, name),
    ...(note ? [make('span', { class: 'soft' }, note)] : []),
  )

/** @param {unknown} said @param {Record<string, number>} total @param {Words} text */
function table(said, total, text) {
  const kinds = read(said, 'kinds')
  const rows = (Array.isArray(kinds) ? kinds : []).map((one) => toRow(one, text))
  const heads = countNames.map((name) => make('th', { scope: 'col', role: 'columnheader' }, say(text.counts, name)))
  const all = { name: 'all', label: text.all, counts: total, note: '' }
  return make(
    'table',
    { role: 'table', 'aria-label': text.tableName },
    make(
      'thead',
      { role: 'rowgroup' },
      make('tr', { role: 'row' }, make('th', { scope: 'col', role: 'columnheader' }, text.kind), ...heads),
    ),
    make('tbody', { role: 'rowgroup' }, ...[...rows, all].map((row) => toLine(row, text))),
  )
}

/** @param {unknown} one @param {Words} text @returns {Row} */
function toRow(one, text) {
  const name = String(read(one, 'kind'))
  const retiredFor = toNumber(read(one, 'retiredFor'))
  return {
    name,
    label: say(text.kinds, name),
    counts: toCounts(one),
    note: retiredFor > 0 ? text.retired(retiredFor) : '',
  }
}

/** The roles stay where a narrow window shows each line as a box of its own. @param {Row} row @param {Words} text */
function toLine({ name, label, counts, note }, text) {
  const head = make('th', { scope: 'row', role: 'rowheader' }, label)
  if (note) head.append(make('span', { class: 'note' }, note))
  const cells = countNames.map((one) =>
    make('td', { role: 'cell', 'data-name': say(text.counts, one) }, String(count(counts, one))),
  )
  return make('tr', { role: 'row', 'data-kind': name }, head, ...cells)
}

/** @param {unknown} value @returns {Record<string, number>} */
const toCounts = (value) => Object.fromEntries(countNames.map((name) => [name, toNumber(read(value, name))]))

/** @param {Record<string, number>} counts @param {string} name */
const count = (counts, name) => counts[name] ?? 0

/** @param {unknown} value */
const toNumber = (value) => (typeof value === 'number' ? value : 0)

/** @param {unknown} value @param {string} name @returns {unknown} */
const read = (value, name) =>
  value instanceof Object && name in value ? Object.entries(value).find(([one]) => one === name)?.[1] : undefined

/**
 * Text goes in as text nodes only.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string>} attributes
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
function make(tag, attributes, ...children) {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}
