// The hosts that the operator lists for requests of the model (FLOTILLA_HTTP_HOSTS): exact names, never patterns. What is of this machine or
// its network is reached only where its very address is listed, since a name may be made to mean another address.
import { isIP } from 'node:net'
import { toHost, toPort } from '#infra/web/fetch/check-url.ts'
import { isPublicAddress } from '#infra/web/fetch/public-address.ts'
import { publicReach, type Reach } from '#infra/web/fetch/reach.ts'

export type HttpHost = {
  /** As it is written in the list, in small letters and without `+key`: the name of its secrets. */
  readonly entry: string
  /** As `toHost` gives it. */
  readonly host: string
  /** That of the scheme when it is undefined. */
  readonly port: number | undefined
  /** The operator says: what is sent there twice under one Idempotency-Key has its effect once. */
  readonly honoursKeys: boolean
}

const form = /^(\[[\da-f:.]{2,45}\]|[^\s:/?#@[\]\\+%]{1,253})(?::(\d{1,5}))?(\+key)?$/
/** Of the two schemes. */
const usualPorts: ReadonlySet<number> = new Set([80, 443])
const loopback: ReadonlySet<string> = new Set(['127.0.0.1', '::1'])

/** An entry of the list; undefined where it is none, or is spelled otherwise than a URL has it (`0x7f.1`). */
export function parseHost(written: string): HttpHost | undefined {
  const small = written.trim().toLowerCase()
  const [, name = '', digits, key] = form.exec(small) ?? []
  if (name === '' || !URL.canParse(`https://${name}/`)) return undefined
  const host = toHost(new URL(`https://${name}/`))
  if (isIP(host) === 0 && !/^[\w.-]+$/.test(host)) return undefined
  const isAscii = /^[\x21-\x7e]+$/.test(name)
  if (isAscii && host !== name.replace(/^\[(.*)\]$/, '$1')) return undefined
  const port = digits === undefined ? undefined : Number(digits)
  if (port !== undefined && (port < 1 || port > 65_535)) return undefined
  return { entry: small.replace(/\+key$/, ''), host, port, honoursKeys: key !== undefined }
}

/** The entry that an address falls under; only this machine is spoken to without TLS. */
export function findHost(hosts: readonly HttpHost[], url: URL): HttpHost | undefined {
  const host = toHost(url)
  if (url.protocol !== 'https:' && !isThisMachine(host)) return undefined
  return hosts.find((one) => one.host === host && (one.port === undefined ? url.port === '' : one.port === toPort(url)))
}

const isThisMachine = (host: string): boolean => host === 'localhost' || loopback.has(host)

/** What of the network the requests to these hosts may reach. */
export function toReach(
  hosts: readonly HttpHost[],
  resolve: Reach['resolve'] = publicReach.resolve,
): Pick<Reach, 'resolve' | 'isAllowed'> {
  const isListed = (host: string, port: number): boolean =>
    hosts.some((one) => one.host === host && (one.port === undefined ? usualPorts.has(port) : one.port === port))
  return {
    // No name server is asked what this machine is (RFC 6761, 6.3).
    resolve: async (name, signal) => (name === 'localhost' ? [...loopback] : await resolve(name, signal)),
    // By its port too: beside what is listed there may be another service on the same machine.
    isAllowed: (address, port) =>
      isPublicAddress(address) || isListed(address, port) || (loopback.has(address) && isListed('localhost', port)),
  }
}
