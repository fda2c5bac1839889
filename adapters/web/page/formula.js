// Formulas as MathML. The library that reads TeX is loaded with the first formula; until then, and where it cannot read one, the formula stands as it
// was written. It makes elements, never HTML, and neither addresses, images nor styles of the text's own (`trust`).

/** @typedef {typeof import('./temml.js')} Temml */

/** @type {Temml | undefined} */
let library
/** @type {Promise<void> | undefined} */
let loading

/** No part of a formula is larger, so that none is drawn over other texts. */
const [maxSizeEm, maxSizePt] = [20, 200]
/** Of a macro that calls itself. */
const maxExpand = 200

/** @param {HTMLElement} place holds the formula as it was written @param {string} tex @param {boolean} isBlock */
export function showFormula(place, tex, isBlock) {
  if (library) return draw(library, place, { tex, isBlock })
  loading ??= load()
  void loading.then(() => library && draw(library, place, { tex, isBlock }))
}

/** A later formula tries again. */
async function load() {
  try {
    library = (await import('./temml.js')).default
  } catch {
    loading = undefined
  }
}

/** @param {Temml} temml @param {HTMLElement} place @param {{ tex: string, isBlock: boolean }} formula */
function draw(temml, place, { tex, isBlock }) {
  const drawn = document.createElement('span')
  try {
    const how = { displayMode: isBlock, annotate: true, throwOnError: true, trust: false, strict: false }
    temml.render(tex, drawn, { ...how, maxSize: [maxSizeEm, maxSizePt], maxExpand })
  } catch {
    return
  }
  const source = drawn.querySelector('annotation')
  if (source) source.textContent = tex
  if (source) place.replaceChildren(...drawn.childNodes)
}
