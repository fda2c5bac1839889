// A site to fetch from, on loopback. The fetcher believes that it is elsewhere: names stand for addresses as a test says, these are judged by
// the fleet's own rule, and what would be opened at one of them is opened here. So nothing ever leaves this machine.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { fetchPage, type FetchDeps, type Fetched } from '#infra/web/fetch/fetch-page.ts'
import { openPinned } from '#infra/web/fetch/open-pinned.ts'
import { isPublicAddress } from '#infra/web/fetch/public-address.ts'
import { publicReach } from '#infra/web/fetch/reach.ts'

export type Handler = (req: IncomingMessage, res: ServerResponse) => void

export type Site = {
  readonly deps: FetchDeps
  /** To which addresses connections would have gone. */
  readonly opened: readonly string[]
  /** What was asked for, as host and path. */
  readonly asked: readonly string[]
  /** Which names were resolved. */
  readonly resolved: readonly string[]
  readonly port: number
  fetch(address: string, signal?: AbortSignal): Promise<Fetched>
}

export const publicAddress = '93.184.215.14'

type Options = {
  readonly handler: Handler
  /** What a name stands for, at its n-th question from 0. */
  readonly resolve?: (name: string, n: number) => readonly string[]
  readonly timeoutMs?: number
}

export async function openSite({
  handler,
  resolve = () => [publicAddress],
  timeoutMs = 25_000,
}: Options): Promise<Site> {
  const asked: string[] = []
  const server = createServer((req, res) => {
    asked.push(`${req.headers.host?.replace(/:\d+$/, '')}${req.url}`)
    handler(req, res)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const bound = server.address()
  const port = typeof bound === 'object' && bound ? bound.port : 0
  const opened: string[] = []
  const resolved: string[] = []
  const deps: FetchDeps = {
    reach: {
      isAllowed: isPublicAddress,
      isAllowedPort: publicReach.isAllowedPort,
      async resolve(name) {
        const n = resolved.filter((one) => one === name).length
        resolved.push(name)
        return resolve(name, n)
      },
    },
    open(url, address, signal) {
      opened.push(address)
      const here = new URL(url)
      here.protocol = 'http:'
      here.port = String(port)
      return openPinned(here, '127.0.0.1', signal)
    },
    timeoutMs,
  }
  const fetch = (address: string, signal = new AbortController().signal): Promise<Fetched> =>
    fetchPage(deps, address, signal)
  return { deps, opened, asked, resolved, port, fetch }
}

/** Answers with a page. */
export const page =
  (body: string | Buffer, headers: Readonly<Record<string, string>> = {}, status = 200): Handler =>
  (_, res) => {
    res.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers })
    res.end(body)
  }
