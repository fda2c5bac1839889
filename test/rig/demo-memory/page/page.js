// The demo memory's page: shows the time zone that is known of the person, and has another one kept.

const words = {
  zh: { label: '你的时区', keep: '记住', kept: '已记住：' },
  en: { label: 'Your time zone', keep: 'Keep', kept: 'Kept: ' },
}

/**
 * @typedef {{
 *   language: 'zh' | 'en',
 *   get(path: string, query?: Record<string, string>): Promise<unknown>,
 *   post(path: string, body?: Record<string, unknown>): Promise<unknown>,
 *   signal: AbortSignal,
 * }} PageTools
 */

/** @param {HTMLElement} element @param {PageTools} tools */
export async function open(element, { language, get, post, signal }) {
  const said = words[language]
  const form = document.createElement('form')
  form.className = 'memo'
  const label = document.createElement('label')
  const box = document.createElement('input')
  const keep = document.createElement('button')
  const told = document.createElement('p')
  told.role = 'status'
  keep.textContent = said.keep
  label.append(said.label, box)
  form.append(label, keep, told)
  element.append(form)
  box.value = toZone(await get('zone'))

  /** @param {SubmitEvent} event */
  async function send(event) {
    event.preventDefault()
    try {
      told.textContent = said.kept + toZone(await post('zone', { zone: box.value }))
    } catch (failure) {
      if (!signal.aborted) told.textContent = failure instanceof Error ? failure.message : String(failure)
    }
  }
  form.addEventListener('submit', (event) => void send(event), { signal })
}

/** @param {unknown} value */
const toZone = (value) => (value instanceof Object && 'zone' in value ? String(value.zone) : '')
