// Long code in a card that asks, such as the arguments of a call to be approved, is folded: the summary tells how long it is, and the question
// and its buttons stay in sight.
import { element } from './element.js'

const mostLines = 8
const mostChars = 500

/** @param {Element} body */
export function foldCode(body) {
  for (const figure of body.querySelectorAll('figure.code')) {
    const code = figure.querySelector('code')?.textContent ?? ''
    const lines = code.split('\n').length
    if (lines <= mostLines && code.length <= mostChars) continue
    const length = `${lines}|${[...code].length.toLocaleString('en')}`
    const summary = element('summary', { 'data-t': lines === 1 ? 'foldedLine' : 'folded', 'data-t-with': length })
    const folded = element('details', { class: 'folded' }, summary)
    figure.replaceWith(folded)
    folded.append(figure)
  }
}
