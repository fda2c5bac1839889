// The page of tasks: the list of them, or one of them. It asks again while somebody looks, and draws only what has changed; what is open stays open.
import { drawList } from './list.js'
import { make } from './make.js'
import { isList, isTask } from './shape.js'
import { drawTask } from './task.js'
import { toSpan, words } from './words.js'

/** @import { Kept } from './make.js' */
/** @import { Language } from './words.js' */
/**
 * @typedef {{
 *   language: Language,
 *   get(path: string, query?: Record<string, string>): Promise<unknown>,
 *   post(path: string, body?: Record<string, unknown>): Promise<unknown>,
 *   signal: AbortSignal,
 * }} PageTools
 * @typedef {{ conversation: string, number: string }} Chosen
 * @typedef {PageTools & { kept: Kept, choose(task: Chosen | undefined): void, place: Chosen }} Tools
 */

const quickMs = 2000
const slowMs = 4000
/** Stays when the language changes, which opens the page anew. @type {Chosen | undefined} */
let chosen

/** @param {HTMLElement} element @param {PageTools} tools */
export async function open(element, tools) {
  const { language, get, signal } = tools
  const place = make('div', { class: 'tasks' })
  const trouble = make('p', { class: 'soft trouble', role: 'status' })
  element.append(trouble, place)
  /** @type {Kept} */
  let kept = { open: new Set(), loaded: new Map() }
  const drawing = createDrawing(place, language)
  let waiting = 0

  /** @param {Chosen | undefined} task */
  function choose(task) {
    chosen = task
    kept = { open: new Set(), loaded: new Map() }
    drawing.clear()
    element.closest('.page')?.scrollTo(0, 0)
    void look()
  }

  async function show() {
    const wanted = chosen
    const said = await get(wanted ? 'task' : 'list', { ...wanted })
    if (signal.aborted || wanted !== chosen) return slowMs
    const own = { ...tools, kept, choose, place: wanted ?? { conversation: '', number: '' } }
    if (isTask(said)) {
      drawing.draw({ now: said.now, what: { ...said, now: 0 } }, () => drawTask(said, own))
      return said.isAtWork ? quickMs : slowMs
    }
    if (!isList(said)) throw new Error('The answer has another shape.')
    drawing.draw({ now: said.now, what: said.tasks }, () => drawList(said, own))
    return quickMs * 2
  }

  async function look() {
    clearTimeout(waiting)
    let nextMs = slowMs
    try {
      nextMs = await show()
      trouble.textContent = ''
    } catch (failure) {
      if (signal.aborted) return
      // One that went in the meantime leads back to the list.
      if (chosen && drawing.isEmpty()) chosen = undefined
      trouble.textContent = failure instanceof Error ? failure.message : String(failure)
    }
    if (signal.aborted) return
    clearTimeout(waiting)
    waiting = setTimeout(() => void look(), document.visibilityState === 'visible' ? nextMs : 8 * slowMs)
  }

  const ticking = setInterval(drawing.tick, 1000)
  signal.addEventListener('abort', () => {
    clearInterval(ticking)
    clearTimeout(waiting)
  })
  document.addEventListener('visibilitychange', () => void look(), { signal })
  place.setAttribute('aria-label', words[language].all)
  await look()
}

/** What is shown is drawn anew only where it is another; times go on. @param {HTMLElement} place @param {PageTools['language']} language */
function createDrawing(place, language) {
  let drawn = ''
  let clockOffsetMs = 0

  /** Spans that grow or shrink with time. */
  function tick() {
    const now = Date.now() + clockOffsetMs
    for (const one of place.querySelectorAll('[data-since], [data-until]')) {
      const [since, until] = [one.getAttribute('data-since'), one.getAttribute('data-until')]
      const ms = since === null ? Number(until) - now : now - Number(since)
      const said = fill(one.getAttribute('data-said') ?? '', toSpan(ms, language))
      if (one.textContent !== said) one.textContent = said
    }
  }

  return {
    tick,
    isEmpty: () => drawn === '',
    clear() {
      drawn = ''
    },
    /** @param {{ now: number, what: unknown }} said @param {() => Node} toNode */
    draw({ now, what }, toNode) {
      clockOffsetMs = now - Date.now()
      const text = JSON.stringify(what)
      if (text !== drawn) {
        const focused = document.activeElement?.closest('[data-key]')?.getAttribute('data-key')
        place.replaceChildren(toNode())
        drawn = text
        if (focused) findKey(place, focused)?.focus({ preventScroll: true })
      }
      tick()
    },
  }
}

/** @param {string} said with one `{}` @param {string} span */
const fill = (said, span) => said.replace('{}', () => span)

/** @param {HTMLElement} within @param {string} key */
function findKey(within, key) {
  for (const one of within.querySelectorAll('[data-key]'))
    if (one instanceof HTMLElement && one.getAttribute('data-key') === key) return one
  return undefined
}
