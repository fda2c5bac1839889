// What lies outside of the fleet in the scenarios, on one server that counts: errands by their keys, web pages, and the search service beside it.
// An errand that begins with `hold` waits until the person of its run lets it go, one with `fail` fails, and one with `long` gives a long text.
import { z } from 'zod'
import { createBell, createGates } from '#test/simulators/signals.ts'
import { listen, parseJson, readBody, sendJson, type Exchange } from '#test/simulators/http-server.ts'
import { startSearchSimulator } from '#test/simulators/search/simulator.ts'

export type Done = { readonly tool: string; readonly what: string; readonly key: string }

export type World = {
  readonly port: number
  /** Behind `searxng=`, what `FLOTILLA_SEARCH` takes. */
  readonly searxng: string
  /** All that was done in this run, in order: errands, pages opened, searches. */
  doneFor(run: string): readonly Done[]
  /** Resolves once an errand of this run waits. */
  held(run: string): Promise<void>
  letGo(run: string): void
  close(): Promise<void>
}

const errand = z.object({ tool: z.string(), what: z.string(), key: z.string() })
const line = 'Nothing of interest stands in this line, whoever reads it.\n\n'
export const longText = `# Gardens\n\n${line.repeat(120)}## Prices\n\nA ticket costs seven euro.\n\n${line.repeat(120)}The end.`

export async function startWorld(): Promise<World> {
  const done: Done[] = []
  const gates = createGates()
  const bell = createBell()
  const search = await startSearchSimulator({ apiKey: 'none' })
  search.find([{ title: 'Gardens', url: 'https://gardens.example/found', text: 'A ticket costs seven euro.' }])
  const note = (one: Done): void => {
    done.push(one)
    bell.ring()
  }

  async function make({ req, res }: Exchange): Promise<void> {
    const given = errand.parse(parseJson(await readBody(req)))
    note(given)
    const gone = new AbortController()
    res.on('close', () => gone.abort())
    const run = toRun(given.key)
    if (given.what.startsWith('hold ')) await gates.pass(run, gone.signal)
    if (given.what.startsWith('fail ')) return sendJson(res, 500, {})
    sendJson(res, 200, { text: given.what.startsWith('long ') ? longText : `done: ${given.what}` })
  }

  function show({ res, url, req }: Exchange): void {
    note({ tool: 'page', what: `${req.headers.host?.replace(/:\d+$/, '')}${url.pathname}`, key: url.pathname })
    const isLost = url.pathname.startsWith('/lost')
    res.writeHead(isLost ? 404 : 200, { 'content-type': 'text/html' })
    res.end(`<title>Gardens</title><p>${'A ticket costs seven euro. '.repeat(30)}</p>`)
  }

  /** A service that heeds keys: what is written under one is there once. */
  function write({ req, res, url }: Exchange): void {
    const key = req.headers['idempotency-key']
    note({ tool: req.method ?? '', what: url.pathname, key: typeof key === 'string' ? key : '' })
    sendJson(res, 201, { written: true })
  }

  const server = await listen(async (exchange) => {
    if (exchange.url.pathname === '/errand') await make(exchange)
    else if (exchange.url.pathname.startsWith('/ledger/')) write(exchange)
    else show(exchange)
  }, 0)
  return {
    port: server.port,
    searxng: search.searxng,
    doneFor(run) {
      const searched = search.requests.map(({ query }) => ({ tool: 'search', what: query, key: query }))
      const named = new RegExp(`${run}(?!\\d)`)
      return [...done, ...searched].filter(({ what, key }) => named.test(`${what} ${key}`))
    },
    held: async (run) => {
      const isHeld = (one: Done): boolean => toRun(one.key) === run && one.what.startsWith('hold ')
      await bell.until(() => done.find(isHeld), `an errand of ${run}`, 60_000)
    },
    letGo: (run) => gates.open(run),
    async close() {
      await search.close()
      await server.close()
    },
  }
}

const toRun = (key: string): string => /^web:([^/]+)/.exec(key)?.[1] ?? ''
