// The links of a part of a page: where each leads and what it says. Bounded in number and length.
import type { DomElement } from 'linkedom'
import type { PageLink } from '#services/browser-fetch/browser-fetch.ts'
import { cleanText } from '#shared/chat/clean-text.ts'
import { toText } from './to-text.ts'
import { walk } from './walk.ts'

const mostLinks = 40
/** Longer ones are of machines for machines, and cost as much as ten others. */
const mostAddressChars = 300
const mostLabelChars = 80
const mostChars = 4500
/** Of these the first that are not the same are kept. */
const mostLookedAt = 400

/** In order, each address once. */
export function findLinks(root: DomElement): readonly PageLink[] {
  const found = new Map<string, PageLink>()
  for (const visit of walk(root)) {
    if (visit.kind !== 'enter' || visit.element.localName !== 'a') continue
    const address = visit.element.getAttribute('href')
    if (address === null || address.length > mostAddressChars || found.has(address)) continue
    const label = toText(visit.element, mostLabelChars).text
    found.set(address, { address, label: cleanText(label).text.replaceAll(/\s+/g, ' ').toWellFormed() })
    if (found.size === mostLookedAt) break
  }
  return [...found.values()]
}

/** As many as a result has room for; those at the front go first. */
export function boundLinks(links: readonly PageLink[]): readonly PageLink[] {
  const kept = new Map<string, PageLink>()
  let chars = 0
  for (const link of links) {
    if (kept.has(link.address)) continue
    chars += link.address.length + link.label.length + 6
    if (kept.size === mostLinks || chars > mostChars) break
    kept.set(link.address, link)
  }
  return [...kept.values()]
}
