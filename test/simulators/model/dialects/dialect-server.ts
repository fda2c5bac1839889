// A model endpoint that refuses and writes as the server of a dialect does. Its model adds numbers by a tool, and says little else.
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Body, Refuses } from './refusals.ts'
import { writers, type Writer, type Written } from './writers.ts'

export type DialectServer = {
  readonly baseUrl: string
  /** The requests so far. */
  requests(): number
  [Symbol.asyncDispose](): Promise<void>
}

const mostBytes = 4_000_000

export async function startDialectServer({
  refuses = () => undefined,
  writes = writers['as usual'] ?? (() => ({ body: '' })),
}: {
  readonly refuses?: Refuses
  readonly writes?: Writer
}): Promise<DialectServer> {
  let requests = 0
  const server = http.createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (piece: string) => {
      text += piece
      if (text.length > mostBytes) request.destroy()
    })
    request.on('end', () => {
      requests += 1
      const body = JSON.parse(text) as Body & Readonly<Record<string, unknown>>
      const refused = refuses(body)
      if (refused) {
        const [status, told] = refused
        response.writeHead(status, { 'content-type': 'application/json' })
        return void response.end(typeof told === 'string' ? told : JSON.stringify(told))
      }
      const { body: bytes, headers = {} } = writes(think(body))
      response.writeHead(200, { 'content-type': 'text/event-stream', ...headers })
      response.end(bytes)
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}

/** After results it tells them; where it is to add, it calls the tool for each pair of numbers. */
function think({ messages, tools }: Body): Written {
  const asked = messages.findLastIndex(({ role, content }) => role === 'user' && content !== '…')
  const found = messages.slice(asked + 1).flatMap(({ role, content }) => (role === 'tool' ? [String(content)] : []))
  if (found.length > 0) return { text: `The tool says ${found.join(' and ')}.`, calls: [] }
  const said = messages[asked]?.content
  const words = typeof said === 'string' ? said : ''
  const pairs = [...words.matchAll(/(\d+) and (\d+)/g)].map(([, a, b]) => ({ a: Number(a), b: Number(b) }))
  if (tools && pairs.length > 0) return { text: '', calls: pairs.map((input) => ({ name: 'add', input })) }
  if (words.includes('Count')) return { text: `${Array.from({ length: 20 }, (_, i) => i + 1).join(', ')}.`, calls: [] }
  return { text: 'Fine, all is well.', calls: [] }
}
