// Makes a page of the bytes that were fetched: title, main text, and links. It runs in a thread that may be ended at any time.
import type { Page } from '#services/browser-fetch/browser-fetch.ts'
import { cleanText } from '#shared/chat/clean-text.ts'
import { toPlainAddress } from '#shared/model/addresses.ts'
import type { Fetched } from '#infra/web/fetch/fetch-page.ts'
import { buildDocument } from './build-document.ts'
import { decode } from './decode.ts'
import { boundLinks, findLinks } from './find-links.ts'
import { findMain } from './find-main.ts'
import { toText, type Text } from './to-text.ts'

/** With links and notes less than the 20,000 that a tool's result may have. */
const mostTextChars = 12_000
const mostTitleChars = 200
/** A shorter page is its own main part. */
const leastChars = 500
/** A main part that is shorter than this, and than a tenth of the page, is a guess that went wrong. */
const leastMainChars = 200

/** Plainly: without looking for the main part, which takes nearly all of the time. */
export type PageQuery = { readonly fetched: Fetched; readonly plainly: boolean }

export function readFetched({ fetched, plainly }: PageQuery): Page {
  const written = decode(fetched.bytes, fetched.contentType)
  const address = toPlainAddress(fetched.address) ?? ''
  const isHtml = /^(?:text\/html|application\/xhtml\+xml)\b/.test(fetched.contentType)
  const page = isHtml ? readHtml(written, fetched.address, plainly) : readPlain(written)
  const title = cleanText(page.title).text.replaceAll(/\s+/g, ' ').slice(0, mostTitleChars).toWellFormed()
  return { address, title, text: cleanText(page.text.text).text, links: page.links, missing: toMissing(page, fetched) }
}

type Read = Pick<Page, 'title' | 'links'> & { readonly text: Text; readonly isPartly: boolean }

function readPlain(written: string): Read {
  const cut = written.length > mostTextChars
  const text = cut ? `${written.slice(0, mostTextChars)} …` : written
  return { title: '', links: [], text: { text, cut }, isPartly: false }
}

function readHtml(html: string, address: string, plainly: boolean): Read {
  const { document, title, chars, cut } = buildDocument(html, address)
  // First, since finding the main part takes the document apart.
  const whole = toText(document.body, mostTextChars)
  const links = findLinks(document.body)
  const main = plainly || whole.text.length < leastChars ? undefined : findMain(document, chars)
  const part = main && toText(main, mostTextChars)
  const isMain = main && part && (part.text.length >= leastMainChars || part.text.length * 10 > whole.text.length)
  if (!isMain) return { title, text: whole, links: boundLinks(links), isPartly: cut }
  return { title, text: part, links: boundLinks([...findLinks(main), ...links]), isPartly: cut }
}

function toMissing({ text, isPartly }: Read, { cut, bytes }: Fetched): string {
  const first = `Only its first ${Math.floor(bytes.length / 1024 / 1024)} MB were read.`
  return [
    ...(cut ? [first] : []),
    ...(isPartly ? ['Its last part was not read: it has too many parts, or too many within each other.'] : []),
    ...(text.cut ? [`Its text goes on; these are the first ${mostTextChars} characters.`] : []),
  ].join(' ')
}
