// Which stars and underscores belong to a number, a name or a pattern (`17*20`, `__init__`, `src/**/*.ts`) and are no marks of emphasis, although
// CommonMark takes them for such. https://spec.commonmark.org/0.31.2/#emphasis-and-strong-emphasis

/** Scripts that put no blanks between words, or write small words before others: emphasis begins and ends within them. */
const unspaced =
  /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Arab}\p{scx=Hebr}]$/u
const wordSign = /^[\p{L}\p{N}\p{M}_]$/u
const isWord = (sign: string): boolean => wordSign.test(sign) && !unspaced.test(sign)
const isLetter = (sign: string): boolean => wordSign.test(sign)

/** How far to look at what stands around a mark. */
const near = 40
/** The first letters of a word in bold, as of an abbreviation that is explained. */
const boldBeginning = /(?:^|[^\p{L}\p{N}\p{M}_*])\*\*\p{L}{1,30}$/u
const restOfWord = /^\p{L}{1,40}(?![\p{L}\p{N}*_])/u
const operators = /[=＝+/÷×]|[（(][^（）()]{0,40}\*[^（）()]{0,40}[)）]\*/
const expression = /[\p{L}\p{N}.()（）*=＝+/÷×^%-]/u
/** `（a*b）` */
const bracketed = /[（(][^（）()]{0,40}\*[^（）()]{0,40}[)）]$/

/** A run of stars from `at` to `end`. */
export function isStarOfWord(source: string, at: number, end: number): boolean {
  const [before, after] = [signBefore(source, at), signAfter(source, end)]
  const [spaceBefore, spaceAfter] = [isSpace(before), isSpace(after)]
  if (spaceBefore && spaceAfter) return false
  if (isWord(before) && isWord(after) && !isMarkBeside(source, at, end)) {
    const head = source.slice(Math.max(0, at - near), at)
    return end - at !== 2 || !(boldBeginning.test(head) && restOfWord.test(source.slice(end, end + near + 2)))
  }
  if (end - at === 1 && isLetter(before) && isLetter(after)) return isMasked(source, at, end) || isProduct(source, at)
  if (isEnclosed(before, after) || isMasked(source, at, end)) return true
  if (/[)）]/.test(before) && isLetter(after) && bracketed.test(source.slice(Math.max(0, at - 2 * near), at)))
    return true
  if (ofKaomoji.test(before + after) || (before === ')' && /^:[･.｡]/.test(source.slice(end, end + 2)))) return true
  // `**/*.ts`
  if (source.startsWith('/*', end)) return true
  // `文件*.txt`
  if (after === '.' && end - at === 1 && /^\.[a-z]/.test(source.slice(end, end + 2))) return true
  // `(a)*(b)`, `n*(n-1)`.
  if (/[)\]}]/.test(before) && /[([{]/.test(after)) return true
  if (
    after === '(' &&
    /(?:^|[^\p{L}\p{N}_])\p{L}$|\p{N}$/u.test(source.slice(Math.max(0, at - 3), at)) &&
    isWord(before)
  )
    return true
  if (end - at > 1) return before === '/' && (after === '/' || after === '.' || spaceAfter) && isPattern(source, at)
  // A single star of a pattern or a pointer: it can neither begin a phrase nor end one.
  const opens =
    !spaceAfter &&
    !/[)\]}.,:;?!/|=%&>]/.test(after) &&
    !isWord(before) &&
    !/[/.\\=^)\]}]/.test(before) &&
    !closesQuote(source, at)
  const closes = !spaceBefore && !/[([{/\\=^<@#+|-]/.test(before) && !isWord(after) && after !== '/'
  return !opens && !(closes && slanted.test(source.slice(Math.max(0, at - 5 * near), at)))
}

/** Where a phrase in single stars begins. */
const slanted = /(?<![\p{Script=Latin}\p{Nd}\p{Pe}\\.])\*(?![\s\p{Pe}.,:;?!])/u

const masked = /(?<![\p{L}\p{N}*])\p{Script=Han}$/u
const restOfMasked = /^(?:\p{Script=Han}?(?:$|[\s、，,。；;：:!！?？)）])|（)/u

/** In a name whose letters are not told: `张*明`, `李**`. */
const isMasked = (source: string, at: number, end: number): boolean =>
  end - at < (signAfter(source, end) === '（' ? 2 : 3) &&
  masked.test(source.slice(Math.max(0, at - 2), at)) &&
  restOfMasked.test(source.slice(end, end + 2))

/** `self._a_` */
const member = /_{1,2}[A-Za-z0-9_]{1,60}/y
const ofMember = /[\p{L}\p{N})\]](?:\.|->|::)$/u

/** `(*´▽｀*)` */
const ofKaomoji = /[´｀｡･ﾟ✧☆]/

/** An underscore beside two stars that is itself a mark: `_**so** it is_`. */
const isMarkBeside = (source: string, at: number, end: number): boolean =>
  end - at === 2 &&
  ((source.charAt(at - 1) === '_' && !isLetter(signBefore(source, at - 1))) ||
    (source.charAt(end) === '_' && !isLetter(signAfter(source, end + 1))))

const name =
  /_\.[a-z]\w{0,40}(?=\()|_[A-Za-z0-9]{1,40}_(?==)|__(?:[a-z][a-zA-Z0-9_]{0,60}?|[A-Z][A-Z0-9_]{1,60}?)__(?![\p{L}\p{N}_])|_[A-Za-z0-9]{1,40}(?:_[A-Za-z0-9]{1,40}){1,6}_(?![\p{L}\p{N}_])/uy

/** Where the name ends that begins with these underscores (`__init__`, `_top_left_`), or the run of them that is a sign of its own; undefined for a mark. */
export function toNameEnd(source: string, at: number, end: number): number | undefined {
  const [before, after] = [signBefore(source, at), signAfter(source, end)]
  if (isEnclosed(before, after) || isOfFace(source, at, end)) return end
  if (isWord(before)) return undefined
  const wanted = ofMember.test(source.slice(Math.max(0, at - 3), at)) ? member : name
  wanted.lastIndex = at
  return wanted.test(source) ? wanted.lastIndex : undefined
}

/** Among signs, as in `>_<` or `(a)_(b)`: behind what closes no phrase begins, before what opens none ends, and none ends that did not begin (`¯\\_(ツ)_/¯`). */
function isOfFace(source: string, at: number, end: number): boolean {
  const [before, after] = [signBefore(source, at), signAfter(source, end)]
  if (isLetter(before) || isLetter(after) || isSpace(before) || isSpace(after)) return false
  if (!closing.test(before)) return false
  return opening.test(after) || !beginning.test(source.slice(Math.max(0, at - 5 * near), at))
}

const opening = /[\p{Ps}\p{Pi}<]/u
const closing = /[\p{Pe}\p{Pf}>\\+=%&$#@^]/u
/** Of a phrase in underscores. */
const beginning = /(?<![\p{L}\p{N}\p{M}\p{Pe}_\\>])_{1,3}(?![\s_])/u

/** `"ab"*3` */
const closesQuote = (source: string, at: number): boolean =>
  /[\p{L}\p{N}]["']$/u.test(source.slice(Math.max(0, at - 3), at))

const pairs = new Set(['()', '[]', '{}', '<>', '“”', '‘’', '「」', '『』', '（）', '《》', '【】', '«»'])
const isEnclosed = (before: string, after: string): boolean =>
  pairs.has(before + after) || (before === after && /^[^\p{L}\p{N}\s*_~]$/u.test(before))

const isSpace = (sign: string): boolean => sign === '' || /\s/.test(sign)

/** A single star between Chinese words multiplies where a number or another operator of arithmetic stands beside it. */
function isProduct(source: string, at: number): boolean {
  if (/\p{N}/u.test(source.charAt(at - 1) + source.charAt(at + 1))) return true
  let [from, to] = [at, at + 1]
  while (from > 0 && at - from < near && expression.test(source.charAt(from - 1))) from -= 1
  while (to < source.length && to - at < near && expression.test(source.charAt(to))) to += 1
  return operators.test(source.slice(Math.max(0, from - 2), to + 2).trim())
}

/** Stars within a path: `src/**`, unless they close what began as bold. */
function isPattern(source: string, at: number): boolean {
  const head = source.slice(Math.max(0, at - 2 * near), at)
  return !/(?:^|[^\p{L}\p{N}*/])\*\*[\p{L}\p{N}.@][^*]{0,80}$/u.test(head)
}

function signBefore(source: string, at: number): string {
  const unit = source.charCodeAt(at - 1)
  return unit >= 0xdc00 && unit <= 0xdfff ? source.slice(Math.max(0, at - 2), at) : source.charAt(at - 1)
}

const signAfter = (source: string, at: number): string => String.fromCodePoint(source.codePointAt(at) ?? 0x20)
