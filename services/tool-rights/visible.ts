// Arguments of a call as people are shown them: JSON as it is run, in which nothing hides. What nobody sees, what turns the direction of writing and
// letters that pass for Latin ones stand as escapes, which mean the same in JSON. Takes time in proportion to what may be shown.
import { readArguments } from '#shared/model/call-arguments.ts'
import { toNormalForm } from '#shared/chat/normal-form.ts'

export type Visible = {
  /** All of it, without fences. */
  readonly whole: string
  readonly isCut: boolean
}

const mostChars = 1200
const headChars = 700
const tailChars = 300

/** What is read is what is run: the arguments as they are parsed, the last of two fields of one name. Undefined where that takes more than `most` characters. */
export function toVisible(raw: string, most: number): Visible | undefined {
  const read = readArguments(raw)
  const writer = createWriter(most)
  if (read.kind === 'read') write(writer, read.input, '')
  else writer.add(raw)
  const whole = writer.written()
  return whole === undefined ? undefined : { whole, isCut: whole.length > mostChars }
}

/** As Markdown: in fences that nothing in the arguments can close. `left`: what is said in place of what is left out. */
export function toBlock({ whole, isCut }: Visible, left: (chars: number) => string): string {
  if (!isCut) return toFence(whole)
  const [head, tail] = [whole.slice(0, headChars).toWellFormed(), whole.slice(-tailChars).toWellFormed()]
  return [toFence(head), left(whole.length - headChars - tailChars), toFence(tail)].join('\n')
}

type Writer = {
  /** Signs of ours, as they are. */
  put(signs: string): void
  /** A text, a number, or what else JSON has that holds nothing, with nothing hidden in it. */
  add(value: unknown): void
  isFull(): boolean
  /** Undefined once it was full. */
  written(): string | undefined
}

/** Stops at its budget: what is written later is not even looked at. */
function createWriter(most: number): Writer {
  const pieces: string[] = []
  let room = most
  const put = (signs: string): void => {
    if (room < 0) return
    room -= signs.length
    if (room >= 0) pieces.push(signs)
  }
  return {
    put,
    // As JSON a text has as many signs as it is long, or more.
    add: (value) => put(typeof value === 'string' && value.length > room ? value : escapeAll(JSON.stringify(value))),
    isFull: () => room < 0,
    written: () => (room < 0 ? undefined : pieces.join('')),
  }
}

/** As `JSON.stringify` does with two blanks for each level, of which the reader of arguments allows few. */
function write(writer: Writer, value: unknown, margin: string): void {
  if (typeof value !== 'object' || value === null) return writer.add(value)
  const isList = Array.isArray(value)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  const inner = `${margin}  `
  let isFirst = true
  writer.put(open)
  for (const [name, one] of Object.entries(value)) {
    if (writer.isFull()) return
    writer.put(`${isFirst ? '' : ','}\n${inner}`)
    isFirst = false
    if (!isList) {
      writer.add(name)
      writer.put(': ')
    }
    write(writer, one, inner)
  }
  writer.put(isFirst ? close : `\n${margin}${close}`)
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
  escapeHidden(text).replaceAll(/(?<=\S) {3,}/g, (run) => String.raw`\u0020`.repeat(run.length))

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
