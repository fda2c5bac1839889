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

/** @param {string} text @param {() => unknown} press @param {string} [kind] */
export function button(text, press, kind = '') {
  const made = make('button', { type: 'button', ...(kind ? { class: kind } : {}) }, text)
  made.addEventListener('click', () => void press())
  return made
}
