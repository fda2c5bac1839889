// Small numbers in figures and in words of both languages.

const digits = '零一二三四五六七八九'

/** Of a Chinese number, and of figures. */
export const zhNumber = String.raw`[〇零一二两三四五六七八九十\d]{1,5}`
const enWords: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  'forty-five': 45,
  fifty: 50,
  sixty: 60,
  ninety: 90,
}
/** The longer ones first: an expression takes the first that fits. */
export const enNumber = Object.keys(enWords)
  .toSorted((one, other) => other.length - one.length)
  .join('|')

/** The number that is written so; undefined for what is none. */
export function toNumber(written: string): number | undefined {
  const text = written.trim().toLowerCase()
  if (/^\d+(?:\.\d)?$/.test(text)) return Number(text)
  if (Object.hasOwn(enWords, text)) return enWords[text]
  return toChinese(text.replaceAll('〇', '零').replaceAll('两', '二'))
}

/** 三, 十五, 二十, 零五, and figures one by one as in 二零二六. */
function toChinese(text: string): number | undefined {
  const [tens = '', ones, ...more] = text.split('十')
  if (more.length > 0) return undefined
  if (ones === undefined) return toDigits(text)
  if (tens.length > 1 || ones.length > 1) return undefined
  const [ten, one] = [tens === '' ? 1 : toDigits(tens), ones === '' ? 0 : toDigits(ones)]
  return ten === undefined || one === undefined ? undefined : ten * 10 + one
}

function toDigits(text: string): number | undefined {
  const found = [...text].map((sign) => (/\d/.test(sign) ? Number(sign) : digits.indexOf(sign)))
  return text === '' || found.some((digit) => digit < 0) ? undefined : Number(found.join(''))
}
