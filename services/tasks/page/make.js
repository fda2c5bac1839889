// Makes what the page is drawn with. Text goes in as text nodes only.

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string>} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}

/**
 * A part that opens and closes. `key` names it, so that it stays open when the page is drawn anew; what it holds is made when it is opened first.
 *
 * @param {{ key: string, className: string, kept: Kept }} how
 * @param {readonly (Node | string)[]} summary
 * @param {() => Node | Promise<Node>} fill
 */
export function fold({ key, className, kept }, summary, fill) {
  const box = make(
    'details',
    { class: className, 'data-key': key },
    make('summary', { 'data-key': `${key} head` }, ...summary),
  )
  let isFilled = false
  async function show() {
    if (isFilled) return
    isFilled = true
    const place = make('div', { class: 'inside' })
    box.append(place)
    try {
      place.replaceChildren(await fill())
    } catch (failure) {
      isFilled = false
      place.replaceChildren(make('p', { class: 'soft' }, failure instanceof Error ? failure.message : String(failure)))
    }
  }
  box.addEventListener('toggle', () => {
    if (box.open) kept.open.add(key)
    else kept.open.delete(key)
    if (box.open) void show()
  })
  if (kept.open.has(key)) {
    box.open = true
    void show()
  }
  return box
}

/**
 * What outlives a drawing: which parts are open, and what was loaded for them.
 *
 * @typedef {{ open: Set<string>, loaded: Map<string, Promise<unknown>> }} Kept
 */

/**
 * Loads something once. What failed is loaded again.
 *
 * @param {Kept} kept @param {string} key @param {() => Promise<unknown>} load
 */
export async function once({ loaded }, key, load) {
  const known = loaded.get(key) ?? load()
  loaded.set(key, known)
  try {
    return await known
  } catch (failure) {
    loaded.delete(key)
    throw failure
  }
}

/** @param {unknown} value @param {string} name @returns {unknown} */
export const read = (value, name) =>
  value instanceof Object && name in value ? Object.entries(value).find(([one]) => one === name)?.[1] : undefined

/** What stands in a text as it is kept. @param {unknown} kept */
export const textOf = (kept) => {
  const value = read(kept, 'value')
  return typeof value === 'string' ? value : ''
}

/** Others wrote it, or something in it. @param {unknown} kept */
export const isOthers = (kept) => {
  const taint = read(kept, 'taint')
  return read(kept, 'source') === 'others' || (Array.isArray(taint) && taint.length > 0)
}

/** A field that is a text; '' for any other. @param {unknown} value @param {string} name */
export const readText = (value, name) => {
  const found = read(value, name)
  return typeof found === 'string' ? found : ''
}
