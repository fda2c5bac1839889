// What a tool may send out of the house in a tainted turn. Whoever got words into the prompt may have the model carry off what else stands there,
// in an address or in a query. So an address must stand, sign by sign, where its bytes were not the model's choice; and a query loses the words
// that stand only in what the turn's person did not write.
import { addressesSaid } from '#shared/chat/said-addresses.ts'
import { addressesIn, toPlainAddress } from '#shared/model/addresses.ts'
import type { ToolCall } from '#shared/model/model-port.ts'

export type Result = { readonly call: ToolCall; readonly text: string }
export type Known = {
  /** What the turn's person wrote, with what they quoted. */
  readonly own: readonly string[]
  /** What else stands in the prompt, but for what came from the web. */
  readonly others: readonly string[]
  /** Of searches, in the whole conversation. */
  readonly searches: readonly Result[]
  /** Of pages, oldest first; `isNow` for those of this turn. */
  readonly pages: readonly (Result & { readonly url: string; readonly isNow: boolean })[]
}

const mostOtherSites = 3
export const mostQueryChars = 200

/** Why it may not be opened; undefined when it may. */
export function refuseAddress(given: string, known: Known): string | undefined {
  const wanted = toPlainAddress(given.trim())
  if (wanted === undefined) return 'it is none of the web, is too long, or has a name or a password in it'
  if (standsIn(wanted, known.own) || stands(wanted, known.searches)) return undefined
  const from = known.pages.filter(({ text }) => addressesIn(text).includes(wanted))
  if (from.length === 0)
    return 'it stands neither in what the person wrote, nor in search results, nor on a page that was opened'
  if (from.some(({ url }) => siteOf(url) === siteOf(wanted))) return undefined
  const others = new Set(
    known.pages.filter(({ isNow, url }) => isNow && isElsewhere(url, known)).map(({ url }) => siteOf(url)),
  )
  if (others.has(siteOf(wanted)) || others.size < mostOtherSites) return undefined
  return `pages of ${mostOtherSites} other sites were opened in this turn by links of pages already`
}

/** Whether a page was reached by a link to another site, and by nothing else. */
function isElsewhere(url: string, { own, searches, pages }: Known): boolean {
  const page = toPlainAddress(url) ?? url
  if (standsIn(page, own) || stands(page, searches)) return false
  return !pages.some((other) => siteOf(other.url) === siteOf(page) && addressesIn(other.text).includes(page))
}

const stands = (address: string, results: readonly Result[]): boolean =>
  results.some(({ text }) => addressesIn(text).includes(address))

/** People leave out `https://` where they name a site as a whole. */
function standsIn(address: string, texts: readonly string[]): boolean {
  const url = new URL(address)
  const isSite = url.pathname === '/' && url.search === '' && url.username === '' && url.port === ''
  return texts.some((text) => addressesSaid(text).includes(address) || (isSite && namesSite(text, url.hostname)))
}

function namesSite(text: string, host: string): boolean {
  const at = text.toLowerCase().indexOf(host)
  if (at < 0) return false
  const around = `${text[at - 1] ?? ' '}${text[at + host.length] ?? ' '}`
  return !/[\w@-]/.test(around) && !/^\.\w/.test(text.slice(at + host.length))
}

const siteOf = (address: string): string => (URL.parse(address)?.hostname ?? '').replace(/^www\./, '')

/** The query without what stands only in what others wrote or the bot remembers; empty when nothing is left. */
export function stripQuery(query: string, { own, others }: Pick<Known, 'own' | 'others'>): string {
  const short = query.slice(0, mostQueryChars).toWellFormed()
  const [mine, theirs] = [toWords(own), toWords(others)]
  const kept = [...short.matchAll(token)].map(([word]) => (mine.has(norm(word)) || !theirs.has(norm(word)) ? word : ''))
  return withoutHan(kept.join('').replaceAll(/\s+/g, ' ').trim(), own.join('\n'), others.join('\n'))
}

/** Words with what joins the parts of numbers, addresses and codes; a sign of Chinese stands alone. */
const token = /[^\s\p{Script=Han}]+|[\s\p{Script=Han}]/gu
const core = /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su
const norm = (word: string): string => core.exec(word.toLowerCase())?.[0] ?? ''
/** Short words are in every text and carry nothing off. */
const toWords = (texts: readonly string[]): ReadonlySet<string> =>
  new Set(texts.flatMap((text) => (text.match(token) ?? []).map(norm).filter((word) => word.length > 2)))

const hanRun = 3
/** Chinese has no spaces: what is three signs long and stands only in what others wrote goes. */
function withoutHan(query: string, own: string, others: string): string {
  const signs = [...query]
  const gone = new Set<number>()
  for (let i = 0; i + hanRun <= signs.length; i++) {
    const run = signs.slice(i, i + hanRun).join('')
    if (!/^\p{Script=Han}+$/u.test(run) || own.includes(run) || !others.includes(run)) continue
    for (let k = 0; k < hanRun; k++) gone.add(i + k)
  }
  return signs
    .filter((_, i) => !gone.has(i))
    .join('')
    .trim()
}
