// The day that a record names: "2026-05-31", "31 May 2026", "the end of March", 六月三十日, 七月底. Without a year it is the one nearest to the answer.
const months = 'january february march april may june july august september october november december'.split(' ')
const month = `(${months.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join('|')})`
const dayFirst = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${month}\\b(?:,? (\\d{4}))?`, 'iu')
const monthFirst = new RegExp(`\\b${month} (\\d{1,2})(?:st|nd|rd|th)?\\b(?!\\d)(?:,? (\\d{4}))?`, 'iu')
const wholeMonth = new RegExp(`\\b(?:until|till|through|to|of|in|by|during) ${month}\\b(?: (\\d{4}))?`, 'iu')
const han =
  /(?:(\d{4})年)?(?<![十\d])(十[一二]?|[一二三四五六七八九]|\d{1,2})月(?:(三十一?|二?十[一二三四五六七八九]?|[一二三四五六七八九]|\d{1,2})[日号]|(初|上旬|中旬?|底|末)?)/u
const dayMs = 86_400_000
const halfYear = 183 * dayMs

/** As `YYYY-MM-DD`. A month alone is its last day. `at`: when the answer was given. */
export function findDay(text: string, at: string): string | undefined {
  const [iso] = /\d{4}-\d{2}-\d{2}/u.exec(text) ?? []
  if (iso !== undefined) return iso
  const [, day, name, year] = dayFirst.exec(text) ?? []
  if (day !== undefined && name !== undefined) return toDay({ year, month: toMonth(name), day: Number(day) }, at)
  const [, named, dated, yearly] = monthFirst.exec(text) ?? []
  if (named !== undefined && dated !== undefined)
    return toDay({ year: yearly, month: toMonth(named), day: Number(dated) }, at)
  const [, whole, ofYear] = wholeMonth.exec(text) ?? []
  if (whole !== undefined) return toDay({ year: ofYear, month: toMonth(whole), day: undefined }, at)
  const [, hanYear, hanMonth, hanDay, part] = han.exec(text) ?? []
  if (hanMonth === undefined) return undefined
  const early = part === '初' ? 5 : part === '上旬' ? 10 : part === '中' || part === '中旬' ? 15 : undefined
  return toDay({ year: hanYear, month: toNumber(hanMonth), day: hanDay === undefined ? early : toNumber(hanDay) }, at)
}

const toMonth = (name: string): number => months.findIndex((one) => one.startsWith(name.toLowerCase().slice(0, 3))) + 1

/** 三十一 as 31. */
function toNumber(text: string): number {
  if (/^\d+$/u.test(text)) return Number(text)
  const signs = '零一二三四五六七八九'
  const [tens, ones] = text.includes('十') ? text.split('十') : ['0', text]
  const ten = tens === '' ? 1 : tens === '0' ? 0 : signs.indexOf(tens ?? '')
  return ten * 10 + Math.max(0, signs.indexOf(ones || '零'))
}

type Named = { readonly year: string | undefined; readonly month: number; readonly day: number | undefined }

function toDay({ year, month: number, day }: Named, at: string): string | undefined {
  const given = Date.parse(at)
  if (number < 1 || number > 12 || (day !== undefined && (day < 1 || day > 31)) || Number.isNaN(given)) return undefined
  const of = (full: number): number => (day === undefined ? Date.UTC(full, number, 0) : Date.UTC(full, number - 1, day))
  const own = new Date(given).getUTCFullYear()
  const years = year === undefined ? [own - 1, own, own + 1] : [Number(year)]
  const near = years.map(of).find((ms) => year !== undefined || Math.abs(ms - given) <= halfYear)
  return near === undefined ? undefined : new Date(near).toISOString().slice(0, 10)
}
