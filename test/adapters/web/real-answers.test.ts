// Answers as models write them, on the real page: all their words are seen, in order, and each formula is MathML that holds its source.
import { expect, test } from 'vitest'
import { parseMarkdown } from '#adapters/markup/markdown.ts'
import { createHighlighter } from '#adapters/web/highlight.ts'
import { createPageReader } from '#adapters/web/page-blocks.ts'
import { realAnswers } from '#test/adapters/markup/answers/all.ts'
import { expectInOrder, readTexts } from '#test/adapters/markup/read-texts.ts'
import { usePage } from './page-stage.ts'

const stage = usePage('answers')

/** Gives for each answer what stands there, with the source of a formula for its MathML, and the formulas that are none. */
const show = `async (answers) => {
  const { renderBlocks } = await import('/page/blocks.js')
  const places = answers.map((blocks) => {
    const place = document.createElement('div')
    place.append(...renderBlocks(blocks))
    document.body.append(place)
    return place
  })
  await import('/page/temml.js')
  await new Promise((done) => setTimeout(done))
  return places.map((place) => {
    const undrawn = [...place.querySelectorAll('.formula:not(:has(math))')].map((one) => one.textContent)
    for (const math of place.querySelectorAll('math')) math.replaceWith(math.querySelector('annotation').textContent)
    for (const one of place.querySelectorAll('br')) one.replaceWith(' ')
    return [place.textContent, ...undrawn]
  })
}`

test('two hundred answers are seen whole, and their formulas are drawn with their sources in them', async () => {
  const reader = createPageReader(createHighlighter())
  const page = await stage.open()
  const blocks = realAnswers.map(([answer]) => reader.read(answer))
  const shown: unknown = await page.evaluate(`(${show})(${JSON.stringify(blocks)})`)
  if (!Array.isArray(shown)) throw new Error('The page shows nothing.')
  for (const [i, [answer]] of realAnswers.entries()) {
    const [text, ...undrawn] = Array.isArray(shown[i]) ? shown[i].map(String) : []
    const texts = readTexts(parseMarkdown(answer), ({ tex }) => tex)
    expectInOrder(texts, text ?? '', answer)
    expect(undrawn, answer).toEqual([])
  }
})
