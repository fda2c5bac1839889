// Asks a Redis server whether it answers, over a bare socket: used before any client exists and to notice that an
// adopted server is gone. It sends nothing but AUTH, PING, INFO and, asked to, BGREWRITEAOF.
import net from 'node:net'

/** Where a server listens: a unix socket, or loopback with a password. */
export type RedisEndpoint =
  | { readonly kind: 'socket'; readonly path: string }
  | { readonly kind: 'port'; readonly port: number; readonly password: string }

/** `loading`: it lives and reads its files. `silent`: it accepts connections and says nothing. `gone`: nobody listens. */
export type ProbeResult = 'ready' | 'loading' | 'silent' | 'gone' | 'refused'

const probeTimeoutMs = 2000

/** The URL by which clients reach the endpoint. */
export function toUrl(endpoint: RedisEndpoint): string {
  return endpoint.kind === 'socket'
    ? `unix://${endpoint.path.split('/').map(encodeURIComponent).join('/')}`
    : `redis://:${endpoint.password}@127.0.0.1:${endpoint.port}`
}

/** The endpoint of a URL that `toUrl` made, or of any plain redis:// URL; undefined for what cannot be probed (TLS, clusters). */
export function findEndpoint(url: string): RedisEndpoint | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, hostname, port, password, pathname } = new URL(url)
  if (protocol === 'unix:') return { kind: 'socket', path: decodeURIComponent(pathname) }
  const local = protocol === 'redis:' && hostname === '127.0.0.1'
  return local ? { kind: 'port', port: Number(port || 6379), password: decodeURIComponent(password) } : undefined
}

/** Whether a server answers there; never throws. */
export async function probe(endpoint: RedisEndpoint, timeoutMs: number = probeTimeoutMs): Promise<ProbeResult> {
  const reply = await request(endpoint, 'PING', timeoutMs)
  if (reply === undefined) return 'gone'
  // A server without a password answers PING after refusing AUTH: it is somebody else's.
  if (/-(ERR|WRONGPASS|NOAUTH)/.test(reply)) return 'refused'
  if (reply.includes('+PONG')) return 'ready'
  if (reply.includes('-LOADING')) return 'loading'
  return reply === '' ? 'silent' : 'refused'
}

/** The server's process id as it tells itself, or undefined. */
export async function findServerPid(endpoint: RedisEndpoint): Promise<number | undefined> {
  const reply = await request(endpoint, 'INFO server', probeTimeoutMs)
  const pid = /process_id:(\d+)/.exec(reply ?? '')?.[1]
  return pid === undefined ? undefined : Number(pid)
}

/** Has it write its files anew, without what was deleted; never throws. */
export async function rewriteFiles(endpoint: RedisEndpoint): Promise<void> {
  await request(endpoint, 'BGREWRITEAOF', probeTimeoutMs)
}

/** The configuration file that the server was started with: empty without one, undefined where it does not tell. */
export async function findConfigFile(endpoint: RedisEndpoint): Promise<string | undefined> {
  const reply = await request(endpoint, 'INFO server', probeTimeoutMs)
  return /^config_file:(.*?)\r?$/m.exec(reply ?? '')?.[1]
}

/** Resolves when the connection that it holds open ends, or the signal aborts. */
export async function waitUntilGone(endpoint: RedisEndpoint, signal: AbortSignal): Promise<void> {
  const socket = connect(endpoint)
  await new Promise<void>((resolve) => {
    const end = () => socket.destroy()
    signal.addEventListener('abort', end, { once: true })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      signal.removeEventListener('abort', end)
      resolve()
    })
    if (signal.aborted) end()
    socket.resume()
  })
}

function connect(endpoint: RedisEndpoint): net.Socket {
  return endpoint.kind === 'socket' ? net.connect(endpoint.path) : net.connect(endpoint.port, '127.0.0.1')
}

/** The reply's text; empty when nothing came in time; undefined when nobody listens. */
async function request(endpoint: RedisEndpoint, command: string, timeoutMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(endpoint)
    let connected = false
    let text = ''
    const finish = () => {
      socket.destroy()
      resolve(connected ? text : undefined)
    }
    const timer = setTimeout(finish, timeoutMs)
    socket.on('connect', () => {
      connected = true
      const auth = endpoint.kind === 'port' && endpoint.password ? `AUTH ${endpoint.password}\r\n` : ''
      socket.write(`${auth}${command}\r\nQUIT\r\n`)
    })
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(timer)
      finish()
    })
  })
}
