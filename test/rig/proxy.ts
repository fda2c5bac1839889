// A TCP proxy before Redis that misbehaves on demand. It listens on 127.0.0.1. Of the protocol it knows one word: replies are
// lost only once a connection has sent `eval`, so that a client can shake hands and every repeat of a unit reaches Redis.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * `pass`: carries both ways. `cut`: closes every connection and refuses new ones at once.
 * `swallow`: half-open; bytes are read and dropped, nothing is closed, and connections open meanwhile stay dead.
 * `delay`: replies come `delayMs` late.
 * `cut-after-request`: requests reach Redis and are executed, the connection is closed when the reply comes, the reply is dropped.
 * `lose-replies`: as that, but the connection stays open: the client sees silence.
 */
export type ProxyMode = 'pass' | 'cut' | 'swallow' | 'delay' | 'cut-after-request' | 'lose-replies'

export type Proxy = AsyncDisposable & {
  readonly url: string
  readonly port: number
  /** Holds for what comes from now on, on open connections too. */
  readonly set: (mode: ProxyMode, delayMs?: number) => void
  /** Every connection that stands now is dead for ever and stays open; new ones follow the mode. */
  readonly strand: () => void
  /** New connections go to this port, those that stand stay where they are: an address that moved. */
  readonly moveTo: (port: number) => void
  /** How many replies were dropped and how many connections were accepted so far. */
  readonly counts: () => { readonly lostReplies: number; readonly connections: number }
  readonly close: () => Promise<void>
}

export async function startProxy(targetPort: number): Promise<Proxy> {
  let target = targetPort
  let mode: ProxyMode = 'pass'
  let delayMs = 0
  let lostReplies = 0
  let connections = 0
  const open = new Set<Socket>()
  const stranded = new WeakSet<Socket>()
  const links = new Set<{ dead: boolean }>()

  const server = createServer((client) => {
    connections += 1
    if (mode === 'cut') return client.destroy()
    const upstream = connect(target, '127.0.0.1')
    let asked = false
    const link = { dead: mode === 'swallow' }
    links.add(link)
    client.on('close', () => links.delete(link))
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        other.destroy()
      })
    }
    client.on('data', (bytes) => {
      asked ||= bytes.includes('eval')
      if (!link.dead) upstream.write(bytes)
    })
    // One chain per connection, so that a change from `delay` to `pass` never reorders bytes.
    let written: Promise<unknown> = Promise.resolve()
    upstream.on('data', (bytes) => {
      if (stranded.has(client)) return
      if (link.dead) return
      if (mode === 'pass' || mode === 'delay' || !asked) {
        const waitMs = mode === 'delay' ? delayMs : 0
        const due = waitMs > 0 ? sleep(waitMs) : undefined
        written = written.then(() => due).then(() => !client.destroyed && client.write(bytes))
        return
      }
      lostReplies += 1
      if (mode === 'cut-after-request') client.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The proxy got no port.')

  const close = async (): Promise<void> => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    for (const socket of open) socket.destroy()
    await closed
  }
  return {
    url: `redis://127.0.0.1:${address.port}`,
    port: address.port,
    set(next, ms = 0) {
      mode = next
      delayMs = ms
      if (next === 'swallow') for (const link of links) link.dead = true
      if (next === 'cut') for (const socket of open) socket.destroy()
    },
    strand() {
      for (const socket of open) stranded.add(socket)
    },
    moveTo(port) {
      target = port
    },
    counts: () => ({ lostReplies, connections }),
    close,
    [Symbol.asyncDispose]: close,
  }
}
