// Whether an answer says what the person has confirmed, or something else in its place. Pure; texts of any length cost a bounded time.
import { fold } from './read-text.ts'

/** `same`: the answer repeats a confirmed fact. `other`: it speaks of the same and names other figures. */
export type Confirmation = 'same' | 'other' | 'none'

const mostFacts = 50
const mostChars = 400
const mostAnswerChars = 2000
/** Of a fact's words, how many must come again for the answer to repeat it; fewer tell that it speaks of the same. */
const repeats = 0.5
const touches = 0.3

export function findConfirmation(question: string, answer: string, facts: readonly string[]): Confirmation {
  const said = toWords(answer.slice(0, mostAnswerChars))
  const asked = toWords(question.slice(0, mostAnswerChars))
  const found = facts.slice(-mostFacts).map((fact) => compare(toWords(fact.slice(0, mostChars)), said, asked))
  if (found.includes('same')) return 'same'
  return found.includes('other') ? 'other' : 'none'
}

type Words = { readonly words: ReadonlySet<string>; readonly figures: ReadonlySet<string> }

function compare(fact: Words, said: Words, asked: Words): Confirmation {
  const share = (words: ReadonlySet<string>): number =>
    fact.words.size === 0 ? 0 : [...fact.words].filter((word) => words.has(word)).length / fact.words.size
  const own = share(said.words)
  const isSameMatter = own >= touches || share(asked.words) >= touches
  const figures = [...fact.figures].filter((figure) => said.figures.has(figure))
  if (fact.figures.size > 0 && said.figures.size > 0) {
    if (figures.length === 0) return isSameMatter ? 'other' : 'none'
    return own > 0 || share(asked.words) > 0 ? 'same' : 'none'
  }
  return own >= repeats ? 'same' : 'none'
}

const common = new Set(
  'the and for you your are was were that this with his her she they has have had not but can will what when which who how from about into than then its our his'.split(
    ' ',
  ),
)

/** Latin words by their first five letters, Chinese ones by pairs of characters, and all figures, an afternoon's hours counted on from noon. */
function toWords(text: string): Words {
  const folded = fold(text).replaceAll(/[一二两三四五六七八九十]{1,3}(?=[点月号日岁楼层])/gu, toNumber)
  const figures = new Set<string>()
  for (const [figure] of folded.matchAll(/\d[\d,.:]{0,20}\d|\d/gu)) figures.add(toFigure(figure))
  for (const [, hour = ''] of folded.matchAll(/(?<!\d)(\d{1,2})(?::\d\d)? ?pm/gu)) figures.add(toAfternoon(hour))
  for (const [, hour = ''] of folded.matchAll(/(?:下午|晚上|傍晚) ?(\d{1,2})/gu)) figures.add(toAfternoon(hour))
  const words = new Set<string>()
  for (const [word] of folded.matchAll(/[a-z]{3,30}/gu)) if (!common.has(word)) words.add(word.slice(0, 5))
  for (const [run] of folded.matchAll(/[\u3400-\u9fff]{2,}/gu))
    for (let at = 0; at + 2 <= run.length; at += 1) words.add(run.slice(at, at + 2))
  return { words, figures }
}

const numerals = '一二三四五六七八九'
/** Up to 99; 两 is two. */
function toNumber(written: string): string {
  const [tens = '', ones = ''] = written.includes('十') ? written.split('十') : ['none', written]
  const value = (sign: string): number => (sign === '两' ? 2 : numerals.indexOf(sign) + 1)
  const ten = tens === 'none' ? 0 : tens === '' ? 10 : value(tens) * 10
  return String(ten + (ones === '' ? 0 : value(ones)))
}
const toFigure = (figure: string): string =>
  figure
    .replaceAll(',', '')
    .replace(/:00$/u, '')
    .replace(/^0(?=\d)/u, '')
const toAfternoon = (hour: string): string => (Number(hour) < 12 ? String(Number(hour) + 12) : hour)
