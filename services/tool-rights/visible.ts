// Arguments of a call as people are shown them: JSON as it is run, in which nothing hides. What nobody sees, what turns the direction of writing and
// letters that pass for Latin ones stand as escapes, which mean the same in JSON. Takes time in proportion to the text.
import { toNormalForm } from '#shared/chat/normal-form.ts'

export type Visible = {
  /** Markdown: in fences that nothing in the arguments can close. */
  readonly block: string
  /** All of it, without fences. */
  readonly whole: string
  readonly isCut: boolean
}

const mostChars = 1200
const headChars = 700
const tailChars = 300

/** `left`: what is said in place of what is left out. */
export function toVisible(raw: string, left: (chars: number) => string): Visible {
  const whole = toWhole(raw)
  if (whole.length <= mostChars) return { block: toFence(whole), whole, isCut: false }
  const [head, tail] = [whole.slice(0, headChars).toWellFormed(), whole.slice(-tailChars).toWellFormed()]
  const gap = left(whole.length - headChars - tailChars)
  return { block: [toFence(head), gap, toFence(tail)].join('\n'), whole, isCut: true }
}

/** What is read is what is run: the arguments as they are parsed, the last of two fields of one name. */
function toWhole(raw: string): string {
  try {
    const read: unknown = JSON.parse(raw === '' ? '{}' : raw)
    return escapeAll(JSON.stringify(read, null, 2))
  } catch {
    return escapeAll(JSON.stringify(raw))
  }
}

const toFence = (text: string): string => `\`\`\`json\n${text}\n\`\`\``

/** Words of anybody on one line, as code. */
export function toSpan(text: string, maxChars: number): string {
  const line = text
    .slice(0, 4 * maxChars)
    .toWellFormed()
    .replaceAll(/\s+/g, ' ')
    .replaceAll('`', '’')
    .trim()
  const cut = line.length > maxChars ? `${line.slice(0, maxChars - 1).toWellFormed()}…` : line
  return `\`${escapeHidden(cut) || '…'}\``
}

const escapeAll = (text: string): string =>
  text
    .split('\n')
    .map((line) => escapeHidden(line).replaceAll(/(?<=\S) {3,}/g, (run) => String.raw`\u0020`.repeat(run.length)))
    .join('\n')

/** No sign, no width or no place of its own; signs that pass for a stroke, a dot or a colon; and what could end a fence. */
const hidden =
  /(?! )\p{Z}|\p{C}|\p{Default_Ignorable_Code_Point}|\u2800|[\u2024\u2044\u2215\u2236\u29f5\u29f8\ua789\u02d0]|`{3,}/gu

const escapeHidden = (text: string): string =>
  text.replaceAll(hidden, toEscapes).replaceAll(/[^\s"]+/g, (word) => escapeDisguised(word))

/** In a word that has Latin letters, those that are none; and a word of which each letter passes for a Latin one. */
function escapeDisguised(word: string): string {
  const plain = word.replaceAll(/\\(?:u[0-9a-f]{4}|.)/g, '')
  if (!/[^\0-\u007f]/.test(plain)) return word
  if (/[A-Za-z]/.test(plain)) return word.replaceAll(foreign, (sign) => (isAccented(sign) ? sign : toEscapes(sign)))
  return isAllAlike(plain) ? word.replaceAll(foreign, toEscapes) : word
}
/** Letters, marks and digits that no Chinese or English sentence mixes into a Latin word. */
const foreign =
  /(?![\0-\u007f\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])[\p{L}\p{M}\p{N}]/gu
const isAccented = (sign: string): boolean => /^[A-Za-z]\p{M}+$/u.test(toNormalForm(sign, 'NFD'))
const alike = new Set('АВЕЗІЈКМНОРСТУХҮԚԜѕасеіјкорстухһԁԛԝѵΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορυχ')
const isAllAlike = (word: string): boolean => {
  const letters = word.match(/\p{L}/gu) ?? []
  return letters.length > 0 && letters.every((sign) => alike.has(sign))
}

const toEscapes = (signs: string): string =>
  Array.from({ length: signs.length }, (_, at) => `\\u${signs.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')
