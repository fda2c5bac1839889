// Whether an address may be opened at all, before anybody is asked for it: its scheme, port, name and spelling. What a name stands for is
// checked where it is resolved.
import { isIP } from 'node:net'
import { PageError } from './page-error.ts'
import type { Reach } from './reach.ts'

const mostChars = 2000
/** Names that mean something on this machine or its network only (RFC 6761, RFC 8375, and what clouds and households use). */
const innerNames =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|private|arpa|onion|alt|invalid)$/

/** The address as it will be opened. Throws PageError. */
export function checkUrl(written: string, reach: Pick<Reach, 'isAllowed' | 'isAllowedPort'>, base?: URL): URL {
  const url = readUrl(written, base)
  const port = toPort(url)
  if (!reach.isAllowedPort(port)) throw new PageError(`port ${port} is not opened.`)
  checkHost(toHost(url), port, reach)
  return url
}

/** An address of http or https as it is spelled, wherever it leads. Throws PageError. */
export function readUrl(written: string, base?: URL): URL {
  if (written.length > mostChars) throw new PageError('its address is too long.')
  // The URL parser drops these in silence, so that two readers may see two addresses.
  if (/[\u0000-\u0020\u007f\\]/.test(written))
    throw new PageError('its address has blanks or control characters in it.')
  if (!URL.canParse(written, base?.href))
    throw new PageError('its address cannot be read. Give a whole https:// address.')
  const url = new URL(written, base?.href)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new PageError('only http:// and https:// addresses are opened.')
  if (url.username !== '' || url.password !== '') throw new PageError('its address has a name or a password in it.')
  return url
}

export const toPort = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)

/** Without the brackets of an IPv6 address. */
export const toHost = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1')

function checkHost(host: string, port: number, reach: Pick<Reach, 'isAllowed'>): void {
  if (isIP(host) !== 0) {
    if (!reach.isAllowed(host, port)) throw notPublic()
    return
  }
  const name = host.replace(/\.$/, '')
  if (!name.includes('.') || innerNames.test(name)) throw notPublic()
}

export const notPublic = (): PageError => new PageError('it is not on the public internet.')
