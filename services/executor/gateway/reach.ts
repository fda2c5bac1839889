// What a tool may send out of the house in a tainted turn. Whoever got words into the prompt may have the model carry off what else stands there,
// in an address or in a query. So an address must stand, sign by sign, where its bytes were not the model's choice; and a query loses the words
// that stand only in what the turn's person did not write.
import { addressesSaid } from '#shared/chat/said-addresses.ts'
import { hasAddress, toPlainAddress } from '#shared/model/addresses.ts'
import type { ToolCall } from '#shared/model/model-port.ts'

export type Result = { readonly call: ToolCall; readonly text: string }
export type Known = {
  /** What the turn's person wrote themselves. */
  readonly own: readonly string[]
  /** Words of others that they brought along; names of people and of files are none. */
  readonly quoted: readonly string[]
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
  const isChosen = createChosen(known)
  if (isChosen(wanted)) return undefined
  const pages = known.pages.map((page) => ({ ...page, site: siteOf(page.url) }))
  const from = pages.filter(({ text }) => hasAddress(text, wanted))
  if (from.length === 0)
    return 'it stands neither in what the person wrote, nor in search results, nor on a page that was opened'
  if (from.some(({ site }) => site === siteOf(wanted))) return undefined
  // A page that was reached by a link to another site, and by nothing else. Each names its own address, so only those before it count.
  const elsewhere = pages.filter(({ isNow, url, site }, nth) => {
    const page = toPlainAddress(url) ?? url
    return (
      isNow && !isChosen(page) && !pages.slice(0, nth).some((one) => one.site === site && hasAddress(one.text, page))
    )
  })
  const others = new Set(elsewhere.map(({ site }) => site))
  if (others.has(siteOf(wanted)) || others.size < mostOtherSites) return undefined
  return `pages of ${mostOtherSites} other sites were opened in this turn by links of pages already`
}

/** Whether an address stands in what the person wrote or quoted, or in a result of a search. What the person wrote is looked through once. */
function createChosen({ own, quoted, searches }: Known): (address: string) => boolean {
  const texts = [...own, ...quoted]
  const said = new Set(texts.flatMap(addressesSaid))
  return (address) =>
    said.has(address) ||
    searches.some(({ text }) => hasAddress(text, address)) ||
    texts.some((text) => namesSite(text, address))
}

/** People leave out `https://` where they name a site as a whole. */
function namesSite(text: string, address: string): boolean {
  if (!URL.canParse(address)) return false
  const { hostname: host, pathname, search, username, port } = new URL(address)
  if (pathname !== '/' || search !== '' || username !== '' || port !== '') return false
  const at = text.toLowerCase().indexOf(host)
  if (at < 0) return false
  const around = `${text[at - 1] ?? ' '}${text[at + host.length] ?? ' '}`
  return !/[\w@-]/.test(around) && !/^\.\w/.test(text.slice(at + host.length))
}

const siteOf = (address: string): string => (URL.parse(address)?.hostname ?? '').replace(/^www\./, '')

/** The query without what stands only in what others wrote or the bot remembers; empty when nothing is left. */
export function stripQuery(query: string, known: Pick<Known, 'own' | 'quoted' | 'others'>): string {
  const { others } = known
  const own = [...known.own, ...known.quoted]
  const short = query.slice(0, mostQueryChars).toWellFormed()
  const [mine, theirs] = [createWords(own), createWords(others)]
  const isTheirs = (word: string): boolean => theirs(word) && !mine(word)
  const kept = [...short.matchAll(token)].map(([word]) => (toForms(word).some(isTheirs) ? '' : word))
  return withoutHan(kept.join('').replaceAll(/\s+/g, ' ').trim(), own.join('\n'), others.join('\n'))
}

/** Words with what joins the parts of numbers, addresses and codes; a sign of Chinese stands alone. */
const token = /[^\s\p{Script=Han}]+|[\s\p{Script=Han}]/gu
const core = /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su
const parts = /[\p{L}\p{N}]+/gu
const sign = /[\p{L}\p{N}]/u
const han = /\p{Script=Han}/u

/** A word, and what it is put together of: one of theirs is no other when something is hung on to it. Short ones carry nothing off. */
function toForms(word: string): readonly string[] {
  const whole = core.exec(word.toLowerCase())?.[0] ?? ''
  return [whole, ...(whole.match(parts) ?? [])].filter((form) => form.length > 2)
}

/** Whether a word stands in one of the texts. A query has few words, so that texts are searched, not taken apart. */
function createWords(texts: readonly string[]): (word: string) => boolean {
  const all = texts.map((text) => text.toLowerCase())
  return (word) => all.some((text) => hasWord(text, word))
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length))
    if (isEdge(text[at - 1]) && isEdge(text[at + word.length])) return true
  return false
}
const isEdge = (beside = ' '): boolean => !sign.test(beside) || han.test(beside)

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
