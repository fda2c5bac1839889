// The page of memory: what is kept for whoever looks, found as they type, and changed in place.
import { button, make } from './make.js'
import { drawRecord } from './record.js'
import { isSeen } from './shape.js'
import { say, words } from './words.js'

/** @import { Language } from './words.js' */
/**
 * @typedef {{
 *   language: Language,
 *   get(path: string, query?: Record<string, string>): Promise<unknown>,
 *   post(path: string, body?: Record<string, unknown>): Promise<unknown>,
 *   signal: AbortSignal,
 * }} PageTools
 */

const typingMs = 200
/** Stay when the language changes, which opens the page anew. */
const chosen = { words: '', kind: '' }

/** @param {HTMLElement} element @param {PageTools} tools */
export async function open(element, { language, get, post, signal }) {
  const text = words[language]
  const trouble = make('p', { class: 'soft', role: 'status' })
  const field = make('input', { type: 'search', placeholder: text.search, 'aria-label': text.search, maxlength: '300' })
  field.value = chosen.words
  const kinds = make('p', { class: 'kinds', role: 'group' })
  const count = make('p', { class: 'soft' })
  const list = make('ul', { class: 'records' })
  element.append(make('div', { class: 'memory' }, make('p', {}, text.lead), field, kinds, trouble, count, list))
  const tell = (/** @type {string} */ said) => (trouble.textContent = said)
  let waiting = 0
  let asked = 0

  async function look() {
    const own = ++asked
    const query = {
      ...(chosen.words.trim() === '' ? {} : { words: chosen.words }),
      ...(chosen.kind === '' ? {} : { kind: chosen.kind }),
    }
    try {
      const said = await get('find', query)
      // What was typed meanwhile is asked for already.
      if (signal.aborted || own !== asked) return
      if (!isSeen(said)) throw new Error('The answer has another shape.')
      const empty = chosen.words.trim() === '' && chosen.kind === '' ? text.none : text.nothing
      list.replaceChildren(...said.records.map((record) => drawRecord(record, { language, post, tell })))
      count.textContent = [
        said.records.length === 0 ? empty : text.count(said.total),
        ...(said.isPart ? [text.part] : []),
      ].join(' · ')
      tell('')
    } catch (failure) {
      if (!signal.aborted) tell(failure instanceof Error ? failure.message : String(failure))
    }
  }

  function drawKinds() {
    const all = ['', ...Object.keys(text.kinds)]
    kinds.replaceChildren(
      ...all.map((kind) => {
        const one = button(kind === '' ? text.all : say(text.kinds, kind), () => {
          chosen.kind = kind
          drawKinds()
          return look()
        })
        one.setAttribute('aria-pressed', String(kind === chosen.kind))
        return one
      }),
    )
  }

  field.addEventListener('input', () => {
    chosen.words = field.value
    clearTimeout(waiting)
    waiting = setTimeout(() => void look(), typingMs)
  })
  signal.addEventListener('abort', () => clearTimeout(waiting))
  drawKinds()
  await look()
}
