// Who may call the HTTP interface: the right Host (DNS rebinding), the page's own Origin (CSRF), the token or a session of it.
// Rights come from the server's file alone; nothing the caller says about itself counts.
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import type { AccessToken } from './access-token.ts'
import { isSameSecret, isSession } from './session.ts'

export type Guard = {
  /** Names this server as its callers must; called once the port is known. `listens`: the IP address that it listens on. */
  useAddress(port: number, listens?: string): void
  /** Whether the request came by the public https address, so that its cookie must never go over plain http. */
  isSecure(context: Context): boolean
  /** Cookies are shared by all ports of a host, so each server's has a name of its own. */
  cookieName(): string
  /** Undefined when Host and, where a browser sends them, Origin and Sec-Fetch-Site are this server's; else why not. */
  findBreach(context: Context): string | undefined
  /** How the caller proved who they are. */
  identify(context: Context): Promise<'bearer' | 'session' | 'nobody'>
}

const names = ['127.0.0.1', 'localhost']

/**
 * The addresses by which others reach a server that listens on more than this machine. They are numbers and never names: a page that lets its
 * own name lead here (DNS rebinding) sends that name as Host, and is refused.
 */
function listAddresses(listens: string): readonly string[] {
  const all = ['0.0.0.0', '::'].includes(listens)
  const addresses = Object.values(networkInterfaces()).flatMap((one) => one ?? [])
  const listed = all ? addresses.map(({ address }) => address) : [listens]
  return listed.map((address) => (isIP(address) === 6 ? `[${address}]` : address))
}

/** `publicUrl`: the origin under which a proxy or tunnel brings requests here, besides this machine's own addresses. */
export function createGuard(token: AccessToken, now: () => number, publicUrl?: string): Guard {
  const outside = publicUrl === undefined ? undefined : new URL(publicUrl)
  let hosts: ReadonlySet<string> = new Set()
  let cookie = 'flotilla'
  return {
    useAddress(port, listens = '127.0.0.1') {
      const own = [...names, ...listAddresses(listens)].flatMap((name) => [
        `${name}:${port}`,
        ...(port === 80 ? [name] : []),
      ])
      hosts = new Set(outside ? [...own, outside.host] : own)
      cookie = `flotilla_${port}`
    },
    cookieName: () => cookie,
    findBreach(context) {
      const host = context.req.header('host') ?? ''
      if (!hosts.has(host)) {
        return 'This server answers only to its own address. Behind a proxy or tunnel, name the public one in FLOTILLA_PUBLIC_URL.'
      }
      const origin = context.req.header('origin')
      // A proxy may pass on the Host that it was asked for, or the one that it asks.
      const own = host === outside?.host ? outside.origin : `http://${host}`
      if (origin !== undefined && origin !== own && origin !== outside?.origin) {
        return 'Requests from other origins are refused.'
      }
      const site = context.req.header('sec-fetch-site')
      const navigates = context.req.method === 'GET' && !context.req.path.startsWith('/api/')
      if (site !== undefined && site !== 'same-origin' && site !== 'none' && !navigates) {
        return 'Requests from other sites are refused.'
      }
    },
    isSecure(context) {
      if (outside?.protocol !== 'https:') return false
      return context.req.header('origin') === outside.origin || context.req.header('host') === outside.host
    },
    async identify(context) {
      const expected = await token.current()
      if (expected === undefined) return 'nobody'
      const [, given] = /^Bearer (\S{1,200})$/i.exec(context.req.header('authorization') ?? '') ?? []
      if (given !== undefined) return isSameSecret(given, expected) ? 'bearer' : 'nobody'
      const session = getCookie(context, cookie)
      return session !== undefined && isSession(expected, session, now()) ? 'session' : 'nobody'
    },
  }
}
