// Finds the texts that share most with a query: words of Latin and other letters, pairs of Chinese characters; what is rare counts more (BM25).
// Linear in the texts, and lets others have their turn between them: a session has megabytes.
import { toNormalForm } from '#shared/chat/normal-form.ts'

export type Best = {
  /** Which text. */
  readonly at: number
  /** Where in it the line begins that fits best. */
  readonly line: number
}

const [k1, b] = [1.2, 0.6]
/** Said in every other sentence. */
const common = new Set(
  'a an and are as at be but by did do does for from had has have how i in is it me my of on or our say said tell that the their they this to was we were what when where which who why will with you your'.split(
    ' ',
  ),
)
const mostTerms = 40
/** So many characters at a time. */
const charsAtOnce = 50_000

/** Terms of a text, each as often as it stands there. */
export function toTerms(text: string): string[] {
  const folded = toNormalForm(text.toLowerCase(), 'NFKC')
  const terms: string[] = []
  for (const [run] of folded.matchAll(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+|[\p{L}\p{N}_]+/gu)) {
    if (!/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(run)) {
      if (!common.has(run)) terms.push(stem(run))
      continue
    }
    const signs = [...run]
    if (signs.length === 1) terms.push(run)
    for (let i = 0; i + 1 < signs.length; i++) terms.push(`${signs[i]}${signs[i + 1]}`)
  }
  return terms
}

/** An English plural finds its singular. */
const stem = (word: string): string => (word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word)

export async function findBest(query: string, texts: readonly string[], most: number): Promise<Best[]> {
  const wanted = [...new Set(toTerms(query))].slice(0, mostTerms)
  const counted: ReturnType<typeof count>[] = []
  let looked = 0
  for (const text of texts) {
    counted.push(count(toTerms(text), wanted))
    looked += text.length
    if (looked < charsAtOnce) continue
    looked = 0
    await new Promise((goOn) => setImmediate(goOn))
  }
  const mean = Math.max(1, counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length))
  const weights = new Map(
    wanted.map((term) => {
      const holding = counted.filter(({ of }) => of.has(term)).length
      return [term, Math.log(1 + (texts.length - holding + 0.5) / (holding + 0.5))] as const
    }),
  )
  const scored = counted.map(({ of, length }, at) => {
    const scores = [...of].map(
      ([term, n]) => ((weights.get(term) ?? 0) * n * (k1 + 1)) / (n + k1 * (1 - b + (b * length) / mean)),
    )
    return { at, score: scores.reduce((sum, one) => sum + one, 0) }
  })
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((a, c) => c.score - a.score || c.at - a.at)
    .slice(0, most)
    .map(({ at }) => ({ at, line: findLine(texts[at] ?? '', weights) }))
}

function count(terms: readonly string[], wanted: readonly string[]) {
  const of = new Map<string, number>()
  for (const term of terms) if (wanted.includes(term)) of.set(term, (of.get(term) ?? 0) + 1)
  return { of, length: terms.length }
}

function findLine(text: string, weights: ReadonlyMap<string, number>): number {
  let best = { at: 0, score: 0 }
  let at = 0
  for (const line of text.split('\n')) {
    const score = [...new Set(toTerms(line))].reduce((sum, term) => sum + (weights.get(term) ?? 0), 0)
    if (score > best.score) best = { at, score }
    at += line.length + 1
  }
  return best.at
}
