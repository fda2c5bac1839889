// Long code in a card that asks, such as the arguments of a call to be approved, is folded: the summary tells how long it is and how it begins, and
// the question and its buttons stay in sight. So is each of several pieces that are long together. What would be folded although its beginning is
// all of it is shown whole instead, without its line breaks.
import { element } from './element.js'

const mostLines = 8
const mostChars = 500
const peekChars = 200

/** @param {Element} body */
export function foldCode(body) {
  const pieces = [...body.querySelectorAll('figure.code')].map((figure) => {
    const code = figure.querySelector('code')?.textContent ?? ''
    return { figure, code, lines: code.split('\n').length }
  })
  const isMuch = pieces.reduce((sum, { lines }) => sum + lines, 0) > mostLines * 2
  for (const { figure, code, lines } of pieces) {
    if (lines <= (isMuch ? 1 : mostLines) && code.length <= mostChars) continue
    if (toLine(code).length <= peekChars && isJson(code)) {
      joinLines(figure)
      continue
    }
    const length = `${lines}|${[...code].length.toLocaleString('en')}`
    const told = element('span', { 'data-t': lines === 1 ? 'foldedLine' : 'folded', 'data-t-with': length })
    const begin = toLine(code).slice(0, peekChars).toWellFormed()
    const peek = element('span', { class: 'peek' }, code.length > peekChars ? `${begin}…` : begin)
    const summary = element('summary', {}, told, peek)
    const folded = element('details', { class: 'folded' }, summary)
    figure.replaceWith(folded)
    folded.append(figure)
  }
}

const typedLines = 30
const typedChars = 3000
const typedPeekLines = 6
const typedPeekChars = 600

/** What was pasted and is long shows how it begins. @param {HTMLElement} body @param {string} text */
export function foldTyped(body, text) {
  const lines = text.split('\n')
  if (lines.length <= typedLines && text.length <= typedChars) return body
  const begin = lines.slice(0, typedPeekLines).join('\n').slice(0, typedPeekChars).toWellFormed()
  const length = `${lines.length.toLocaleString('en')}|${[...text].length.toLocaleString('en')}`
  const told = element('span', { 'data-t': lines.length === 1 ? 'foldedLine' : 'folded', 'data-t-with': length })
  const summary = element('summary', {}, told, element('span', { class: 'peek typed' }, `${begin}…`))
  const whole = element('div', {}, text)
  body.replaceChildren(element('details', { class: 'folded' }, summary, whole))
  return body
}

/** @param {string} code */
const toLine = (code) => code.replaceAll(/\n\s*/g, ' ')

/** In JSON a line break stands between two signs, never within a text. @param {string} code */
function isJson(code) {
  try {
    JSON.parse(code)
    return true
  } catch {
    return false
  }
}

/** @param {Element} figure */
function joinLines(figure) {
  figure.classList.add('joined')
  const texts = document.createTreeWalker(figure.querySelector('code') ?? figure, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode()) text.nodeValue = toLine(text.nodeValue ?? '')
}
