// The page of memory: what is kept for whoever looks, found as they type, and changed in place.
import { drawKinds, graph, waits } from './kinds.js'
import { button, make } from './make.js'
import { drawRecord } from './record.js'
import { isCounts, isSeen } from './shape.js'
import { words } from './words.js'

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

/** What draws it is loaded when it is first looked at. @param {import('./graph.js').GraphTools} tools */
const findGraph = async (tools) => await (await import('./graph.js')).drawGraph(tools)

/** Owners see how much is kept of others, and none of it. @param {PageTools} tools */
async function tellOthers({ language, get }) {
  const said = await get('counts').catch(() => undefined)
  return isCounts(said) ? words[language].others(said) : ''
}

/** What the page is made of. @param {HTMLElement} element @param {import('./words.js').Words} text */
function lay(element, text) {
  const trouble = make('p', { class: 'soft', role: 'status' })
  const field = make('input', { type: 'search', placeholder: text.search, 'aria-label': text.search, maxlength: '300' })
  field.value = chosen.words
  const kinds = make('p', { class: 'kinds', role: 'group' })
  const count = make('p', { class: 'soft' })
  const list = make('ul', { class: 'records' })
  const further = make('p', { class: 'deeds' })
  const others = make('p', { class: 'soft' })
  element.append(
    make('div', { class: 'memory' }, make('p', {}, text.lead), field, kinds, trouble, count, list, further, others),
  )
  return { field, kinds, trouble, count, list, further, others }
}

/** @param {number} skip How many are there already. @returns {Record<string, string>} */
const toQuery = (skip) => ({
  ...(chosen.words.trim() === '' ? {} : { words: chosen.words }),
  ...(chosen.kind === '' ? {} : chosen.kind === waits ? { waits: 'yes' } : { kind: chosen.kind }),
  ...(skip === 0 ? {} : { skip: String(skip) }),
})

/** @param {HTMLElement} element @param {PageTools} tools */
export async function open(element, tools) {
  const { language, get, post, signal } = tools
  const text = words[language]
  const { field, kinds, trouble, count, list, further, others } = lay(element, text)
  const tell = (/** @type {string} */ said) => (trouble.textContent = said)
  let waiting = 0
  let asked = 0

  /** @param {number} [skip] How many of them are there already. */
  async function look(skip = 0) {
    const own = ++asked
    try {
      if (chosen.kind === graph) {
        const drawn = await findGraph({ language, get, post, tell })
        if (signal.aborted || own !== asked) return
        list.replaceChildren(...(drawn ? [make('li', {}, drawn)] : []))
        further.replaceChildren()
        count.textContent = drawn ? '' : text.noGraph
        return tell('')
      }
      const said = await get('find', toQuery(skip))
      // What was typed meanwhile is asked for already.
      if (signal.aborted || own !== asked) return
      if (!isSeen(said)) throw new Error('The answer has another shape.')
      const empty = chosen.words.trim() === '' && chosen.kind === '' ? text.none : text.nothing
      if (skip === 0) list.replaceChildren()
      list.append(...said.records.map((record) => drawRecord(record, { language, post, tell })))
      const shown = skip + said.records.length
      count.textContent = shown === 0 ? empty : text.count(said.total)
      further.replaceChildren(...(said.hasMore ? [button(text.more, () => look(shown))] : []))
      tell('')
    } catch (failure) {
      if (!signal.aborted) tell(failure instanceof Error ? failure.message : String(failure))
    }
  }

  field.addEventListener('input', () => {
    chosen.words = field.value
    clearTimeout(waiting)
    waiting = setTimeout(() => void look(), typingMs)
  })
  signal.addEventListener('abort', () => clearTimeout(waiting))
  const choose = (/** @type {string} */ kind) => {
    chosen.kind = kind
    kinds.replaceChildren(...drawKinds(kind, language, choose))
    return look()
  }
  await choose(chosen.kind)
  others.textContent = await tellOthers(tools)
}
