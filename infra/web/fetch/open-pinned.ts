// One request to an address of the network that was checked before: the connection goes to that very address, whatever the name means a
// moment later. No proxy, no cookies, no credentials, no connection kept.
import http from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import { toHost, toPort } from './check-url.ts'

/** An answer whose body is still to come. */
export type Opened = http.IncomingMessage

/** Opens `url` at `address`. Resolves when the answer's head is here; rejects with the network's error. */
export type OpenPinned = (url: URL, address: string, signal: AbortSignal) => Promise<Opened>

/** What is asked there. */
export type Outgoing = {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer | undefined
  /** The connection stands: from now on the server may have heard of it. */
  onConnected?(): void
}

const headers = {
  'user-agent': 'Flotilla/0.1 (reads a page for a person)',
  accept: 'text/html,application/xhtml+xml,text/plain;q=0.9,application/json;q=0.8,*/*;q=0.1',
  'accept-language': 'en,zh;q=0.9,*;q=0.5',
  'accept-encoding': 'gzip, deflate, br',
}

export const openPinned: OpenPinned = createOpen({ method: 'GET', headers })

export function createOpen({ method, headers: given, body, onConnected }: Outgoing): OpenPinned {
  return (url, address, signal) =>
    new Promise((resolve, reject) => {
      const host = toHost(url)
      const options = {
        host: address,
        port: toPort(url),
        method,
        path: `${url.pathname}${url.search}`,
        headers: { ...given, host: url.host, connection: 'close' },
        signal,
      }
      const isSafe = url.protocol === 'https:'
      // Agents made here know nothing of HTTP_PROXY and its like, other than the global ones.
      const outgoing = isSafe
        ? https.request({ ...options, agent: new https.Agent(), servername: isIP(host) === 0 ? host : '' })
        : http.request({ ...options, agent: new http.Agent() })
      outgoing.on('socket', (socket) => {
        socket.once(isSafe ? 'secureConnect' : 'connect', () => onConnected?.())
      })
      outgoing.on('response', resolve)
      outgoing.on('upgrade', (_, socket) => {
        socket.destroy()
        reject(new Error('The server wants to speak another protocol.'))
      })
      outgoing.on('error', reject)
      outgoing.end(body)
    })
}
