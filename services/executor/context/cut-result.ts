// A long result of a tool, cut by what the question asks: headings and the passages that share words with it stand, in their order, with marks of
// what was left out. No model is asked. Work is linear in the text.

export const mostResultChars = 4000
const mostHeadingsChars = 1000
const passageChars = 600
const headingChars = 120
/** A mark of what was left out, at its longest. */
const markChars = 35

export type Cutting = {
  /** What the person asked, in any language, with what the call was given. */
  readonly asked: string
  /** The name under which the whole can be read. */
  readonly artifact: string
  /** What is kept of it is itself not the whole. */
  readonly isCut: boolean
}

/** At most some four thousand characters. */
export function cutResult(text: string, { asked, artifact, isCut }: Cutting): string {
  const passages = toPassages(text)
  // What addresses are made of stands in each link of a site.
  const wanted = choose(passages, toWords(asked.replaceAll(/https?:\/\/[^\s"]+/g, ' ')))
  const lines: string[] = []
  let left = 0
  const tellLeft = (): void => {
    if (left > 0) lines.push(`[… ${left} characters left out …]`)
    left = 0
  }
  passages.forEach((passage, i) => {
    if (!wanted.has(i)) left += passage.length + 1
    else {
      tellLeft()
      lines.push(passage)
    }
  })
  tellLeft()
  const end = isCut ? ', of what was longer still' : ''
  lines.push(`[Only a part. All ${text.length} characters${end}: artifact_read {"name":"${artifact}"}]`)
  return lines.join('\n').toWellFormed()
}

const isHeading = (passage: string): boolean => passage.length <= headingChars && /^#{1,6} /.test(passage)

/** Its lines, short ones together up to their next heading or empty line, long ones in pieces. */
function toPassages(text: string): readonly string[] {
  const passages: string[] = []
  let open = ''
  const close = (): void => {
    if (open !== '') passages.push(open)
    open = ''
  }
  for (const line of text.split('\n')) {
    if (line.trim() === '' || isHeading(line) || open.length + line.length > passageChars) close()
    if (line.trim() === '') continue
    if (isHeading(line)) passages.push(line)
    else if (line.length <= passageChars) open = open === '' ? line : `${open}\n${line}`
    else for (let at = 0; at < line.length; at += passageChars) passages.push(line.slice(at, at + passageChars))
  }
  close()
  return passages
}

/** Which passages stand: the first, the headings, and those that say most of what was asked; the earlier ones where that is the same. */
function choose(passages: readonly string[], asked: ReadonlySet<string>): ReadonlySet<number> {
  const found = passages.map((passage) => [...toWords(passage)].filter((word) => asked.has(word)))
  const spread = new Map<string, number>()
  for (const words of found) for (const word of words) spread.set(word, (spread.get(word) ?? 0) + 1)
  // A word that stands everywhere says little.
  const weights = found.map((words) => words.reduce((sum, word) => sum + 1 / (spread.get(word) ?? 1) ** 0.5, 0))
  const chosen = new Set<number>()
  let room = mostResultChars
  const besideGap = (i: number): number => (i >= 0 && i < passages.length && !chosen.has(i) ? 1 : 0)
  const take = (i: number): void => {
    // Within a gap there is one more behind it: a page of words far from each other would be marks above all.
    const marks = besideGap(i - 1) + besideGap(i + 1) - 1
    const length = (passages[i]?.length ?? 0) + 1 + marks * markChars
    if (chosen.has(i) || length > room) return
    chosen.add(i)
    room -= length
  }
  take(0)
  let headings = mostHeadingsChars
  passages.forEach((passage, i) => {
    if (!isHeading(passage) || headings < passage.length) return
    headings -= passage.length
    take(i)
  })
  const order = passages.map((_, i) => i).toSorted((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0) || a - b)
  for (const i of order) {
    if (room < passageChars / 2) break
    take(i)
  }
  return chosen
}

const word = /[\p{L}\p{N}]+/gu
const mostWordChars = 40

/** Words of three letters and more, in small letters, without an ending or two; of Chinese each two signs that stand together. */
function toWords(text: string): ReadonlySet<string> {
  const words = new Set<string>()
  for (const [found] of text.matchAll(word)) {
    const run = /\p{Script=Han}/u.test(found) ? found : ''
    const signs = [...run]
    for (let i = 0; i + 1 < signs.length; i++) words.add(`${signs[i]}${signs[i + 1]}`)
    const plain = found.toLowerCase().slice(0, mostWordChars)
    if (run === '' && plain.length > 2 && !common.has(plain)) words.add(toStem(plain))
  }
  return words
}

/** Without the commonest endings of English, so that `prices` is found by `price`. */
function toStem(plain: string): string {
  const stem = plain.replace(/(?:ing|ed|es|s|e)$/, '')
  return stem.length < 3 ? plain : stem
}

const common: ReadonlySet<string> = new Set(
  'the and for with that this from what which who how why when where are was were you your can could would will does did have has not about into please tell give show find http https www'.split(
    ' ',
  ),
)
