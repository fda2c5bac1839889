// The words of a text that carry meaning, in both languages: stems of Latin words, numbers, and pairs of Han characters.
import { toNormalForm } from '#shared/chat/normal-form.ts'

const mostChars = 2000

const frame = new Set(
  `a an the is are am was were be been being do does did done have has had having will would shall should can could may might must i me my mine we us our you
your yours he him she her his it its they them their this that these those there here of in on at to for from by with as or and but if so not no nor what which
who whom whose how when where why whether about than then too also just only very much many more most some any all each both other another one ones
two three into onto up down out off over under again still yet now already please thanks thank ok okay yes yeah sure fine good great nice well right let lets
get got go goes going went come comes make makes made take takes took put puts use used say says said know known think i'm it's don't
s t re ve ll d m because since though although however while until like really maybe perhaps`
    .split(/\s+/)
    .filter(Boolean),
)
const hanFrame =
  /一下|一个|我们|你们|他们|大家|这个|那个|可以|没有|不知道|不清楚|就是|还是|或者|如果|要是|因为|所以|然后|已经|什么|怎么|多少|的话|我先|先按|先写|一般|好的|时候|自己|现在|这边|都|也|就|了|的|吧|呢|吗|啊|呀|哦/gu

/** Linear in the text, of which the first 2,000 characters count. */
export function wordsOf(text: string, people: readonly string[] = []): ReadonlySet<string> {
  let plain = toNormalForm(text.slice(0, mostChars).toWellFormed(), 'NFKC').toLowerCase().replaceAll('’', "'")
  for (const name of people) plain = plain.replaceAll(name.toLowerCase(), ' ')
  const words = new Set<string>()
  for (const [word] of plain.matchAll(/[a-z]+|\d+(?:[.:]\d+)*/g)) {
    if (word.length > 1 && !frame.has(word)) words.add(toStem(word))
    else if (/\d/.test(word)) words.add(word)
  }
  for (const [run] of plain.replaceAll(hanFrame, ' ').matchAll(/\p{Script=Han}+/gu)) {
    const signs = [...run]
    for (const [at, sign] of signs.entries()) {
      const next = signs[at + 1]
      if (next !== undefined) words.add(sign + next)
      else if (signs.length === 1) words.add(sign)
    }
  }
  return words
}

function toStem(word: string): string {
  return word.length > 3 ? word.replace(/(?:ies|ing|ed|es|s|e)$/, '') : word
}

/** The words that both texts have. */
export function sharedWords(one: ReadonlySet<string>, other: ReadonlySet<string>): readonly string[] {
  return [...one].filter((word) => other.has(word))
}

export const isHan = (text: string): boolean => /\p{Script=Han}/u.test(text)

/** At most so many characters, and whole ones. */
export function shorten(text: string, most: number): string {
  const signs = [...text.trim()]
  return signs.length <= most
    ? text.trim()
    : `${signs
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}

const mostLeads = 6

/** Without what only makes a request polite, once or several times. */
export function withoutLeads(request: string, polite: RegExp): string {
  let said = request
  for (let count = 0; count < mostLeads; count += 1) {
    const shorter = said.replace(polite, '')
    if (shorter === said) break
    said = shorter
  }
  return said
}
