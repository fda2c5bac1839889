// Web addresses in the text of a tool's result, in the one form that code can read back: `<https://…>` at the end of a line, alone or after a
// space. So the gateway knows which addresses a result offered. Whatever else stands in such a text was written by others, and goes through
// `withoutAddresses` first, so that nobody can slip an address in.

/** A longer one is left out: nobody reads it, and each costs tokens. */
const mostAddressChars = 1000
const opening = /<(?=https?:\/\/)/gi

/**
 * An address as it is compared and shown: what a browser makes of it, without its fragment. Undefined where it is no address of the web, has a
 * name or a password in it, or is longer than 1,000 characters.
 */
export function toPlainAddress(written: string, base?: string): string | undefined {
  if (!URL.canParse(written, base)) return undefined
  const url = new URL(written, base)
  const isOfWeb = url.protocol === 'http:' || url.protocol === 'https:'
  if (!isOfWeb || url.username !== '' || url.password !== '') return undefined
  url.hash = ''
  return url.href.length > mostAddressChars ? undefined : url.href
}

/** The form itself, for the end of a line. It takes what `toPlainAddress` gave. */
export const toAddress = (plain: string): string => `<${plain}>`

/** What others wrote, with nothing in it that would be read as one. */
export const withoutAddresses = (written: string): string => written.replaceAll(opening, '‹')

/** Whether the address, as `toPlainAddress` gave it, stands in the text in that form. Takes time in proportion to the text's length. */
export function hasAddress(text: string, plain: string): boolean {
  const written = toAddress(plain)
  for (let at = text.indexOf(written); at >= 0; at = text.indexOf(written, at + written.length)) {
    const isApart = at === 0 || text[at - 1] === ' ' || text[at - 1] === '\n'
    const end = at + written.length
    if (isApart && (end === text.length || text[end] === '\n')) return true
  }
  return false
}
