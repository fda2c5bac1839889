// Texts as tokens, the same for entries and questions: engines see nothing else of a text. A token is `[a-z0-9]+`, at most 100 characters, so that
// no engine cuts or folds it again: a Latin word is itself, "中" is `u4e2d`, "中文" is `b4e2d6587`, a word of another script `w` and its hex, and what
// has to be found exactly (a path, an error code, an id) stands besides as `x` and its hex.
import { hash } from 'node:crypto'
import { toNormalForm } from '#shared/chat/normal-form.ts'
import { toSimplified } from '#shared/chat/simplified.ts'
import { toLemma } from './lemma.ts'
import { toPorterStem } from './porter.ts'
import { stopSigns, stopWords } from './stop-words.ts'

/** What comes later in a text is not found. */
const mostChars = 20_000
const mostTokenChars = 100

/** Tokens in order, each as often as it stands there; those of exact words come last. At most a few for each of the first 20,000 characters. */
export function toTokens(text: string): string[] {
  const folded = fold(text)
  const tokens: string[] = []
  for (const [run] of folded.matchAll(runs)) {
    if (unspaced.test(run)) pushGrams(tokens, run)
    else pushWord(tokens, run)
  }
  for (const [run] of folded.matchAll(exactRuns)) pushExact(tokens, run)
  return tokens
}

/** Scripts without blanks between words. */
const unspaced =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Hangul}]/u
const runs =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Hangul}]+|[[\p{L}\p{N}\p{M}']--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Hangul}]]+/gv
const exactRuns = /[\w./\\:@#+~$%&=?-]{3,200}/g

function fold(text: string): string {
  const composed = toNormalForm(text.slice(0, mostChars).toWellFormed(), 'NFKC').toLowerCase().replaceAll('’', "'")
  const plain = composed.replaceAll(/[\u00c0-\u024f\u1e00-\u1eff]+/g, (letters) =>
    toNormalForm(letters, 'NFKD').replaceAll(/\p{M}/gu, ''),
  )
  return toSimplified(plain)
}

function pushGrams(tokens: string[], run: string): void {
  let before = ''
  for (const sign of run) {
    const isStop = stopSigns.has(sign)
    if (!isStop) tokens.push(`u${toCode(sign)}`)
    if (before !== '' && !(isStop && stopSigns.has(before))) tokens.push(`b${toCode(before)}${toCode(sign)}`)
    before = sign
  }
}

/** Four digits, or more between `z` and the next: two pairs never make the same token. */
function toCode(sign: string): string {
  const hex = (sign.codePointAt(0) ?? 0).toString(16)
  return hex.length > 4 ? `z${hex}` : hex.padStart(4, '0')
}

function pushWord(tokens: string[], run: string): void {
  for (const word of withoutContraction(run).split("'")) {
    if (word === '' || stopWords.has(word)) continue
    if (!/^[a-z0-9]+$/.test(word)) tokens.push(toHex('w', word))
    else if (word.length > mostTokenChars) tokens.push(toHex('w', word))
    else tokens.push(toPorterStem(toLemma(word)))
  }
}

/** "didn't" says as little as "did"; of "Ann's" and "we're" the part before the apostrophe says it. */
function withoutContraction(run: string): string {
  if (run.endsWith("n't")) return ''
  return /'(?:s|m|re|ve|ll|d)$/.test(run) ? run.slice(0, run.lastIndexOf("'")) : run
}

function toHex(kind: 'w' | 'x', text: string): string {
  const hex = Buffer.from(text).toString('hex')
  return hex.length < mostTokenChars ? `${kind}${hex}` : `${kind}${hash('sha256', text).slice(0, 40)}`
}

const isLetter = (sign: string): boolean => /[a-z0-9]/.test(sign)

/** What has a sign inside that words do not have, or digits beside a hyphen. */
function pushExact(tokens: string[], run: string): void {
  let [from, to] = [0, run.length]
  while (from < to && !isLetter(run.charAt(from)) && !'/_'.includes(run.charAt(from))) from += 1
  while (to > from && !isLetter(run.charAt(to - 1)) && !'+#_'.includes(run.charAt(to - 1))) to -= 1
  const word = run.slice(from, to)
  const isExact = /[^a-z0-9-]/.test(word) || (word.includes('-') && /[0-9]/.test(word))
  if (isExact && /[a-z0-9]/.test(word)) tokens.push(toHex('x', word))
}
