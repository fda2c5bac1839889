// A newer Redis for tests where only an older one is installed: a proxy before the real server that answers WAITAOF itself, when the test
// says so. Of the protocol it knows the words of that command only; what comes with it, and before it, goes to the server.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export type SyncingServer = AsyncDisposable & {
  readonly url: string
  /** How often it was asked so far. */
  asked(): number
  /** Waits until it was asked so often. */
  untilAsked(times: number): Promise<void>
  /** Answers all that wait: their writes are on disk. */
  sync(): void
  /** Refuses all that wait and whoever asks from now on. */
  refuse(words: string): void
  /** Ends all connections. */
  cut(): void
}

const question = '*4\r\n$7\r\nWAITAOF\r\n'

export async function startSyncingServer(port: number): Promise<SyncingServer> {
  const sockets = new Set<Socket>()
  const waiting: (() => void)[] = []
  const listeners = new Set<() => void>()
  let asked = 0
  let refusal: string | undefined
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    upstream.pipe(client)
    client.on('data', (bytes: Buffer) => {
      const at = bytes.indexOf(question)
      upstream.write(at < 0 ? bytes : bytes.subarray(0, at))
      if (at < 0) return
      waiting.push(() => void client.write(refusal ?? '*2\r\n:1\r\n:0\r\n'))
      asked += 1
      if (refusal !== undefined) waiting.pop()?.()
      for (const tell of listeners) tell()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The proxy got no port.')
  const cut = (): void => sockets.forEach((socket) => void socket.destroy())
  return {
    url: `redis://127.0.0.1:${address.port}`,
    asked: () => asked,
    untilAsked: (times) =>
      new Promise((resolve) => {
        const tell = (): void => {
          if (asked < times) return
          listeners.delete(tell)
          resolve()
        }
        listeners.add(tell)
        tell()
      }),
    sync: () => waiting.splice(0).forEach((answer) => answer()),
    refuse(words) {
      refusal = `-${words}\r\n`
      waiting.splice(0).forEach((answer) => answer())
    },
    cut,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    },
  }
}
