// Which model is chosen at start, against small local servers in place of an Ollama.
import http from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { findModel } from '#infra/models/find-model.ts'

const servers: http.Server[] = []
const nobody = 'http://127.0.0.1:1'

async function startOllama(answer: (response: http.ServerResponse) => void): Promise<string> {
  const server = http.createServer((_request, response) => answer(response))
  servers.push(server)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('not listening on a port')
  return `http://127.0.0.1:${address.port}`
}

function startWithModels(...models: unknown[]): Promise<string> {
  return startOllama((response) => void response.end(JSON.stringify({ models })))
}

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

describe('findModel', () => {
  it('uses the endpoint of the key, and OpenAI without a base URL', async () => {
    const ollamaUrl = await startWithModels({ name: 'qwen3:latest' })
    const found = await findModel({ apiKey: 'k' }, { ollamaUrl })
    expect(found.port.describe()).toMatchObject({ endpoint: 'api.openai.com', offline: false })
    expect(found.tools).toEqual([])
    const other = await findModel({ apiKey: 'k', baseUrl: 'https://models.example/v1', model: 'm', contextTokens: 9 })
    expect(other.port.describe()).toEqual({ name: 'm', endpoint: 'models.example', offline: false })
    expect(other.port.contextTokens).toBe(9)
  })

  it('takes a base URL without a key for an endpoint without keys, and refuses one without a model', async () => {
    const found = await findModel({ baseUrl: 'http://127.0.0.1:8000/v1', model: 'm' })
    expect(found.port.describe().endpoint).toBe('127.0.0.1:8000')
    await expect(findModel({ baseUrl: 'http://127.0.0.1:8000/v1' })).rejects.toThrow(/FLOTILLA_MODEL/)
  })

  it('uses the first chat model of an Ollama that answers', async () => {
    const ollamaUrl = await startWithModels(
      { name: 'nomic-embed-text:latest' },
      { name: 'x:latest', details: { family: 'bert' } },
      { name: 'qwen3:latest', details: { family: 'qwen3' } },
    )
    const found = await findModel({}, { ollamaUrl })
    expect(found.port.describe()).toMatchObject({ name: 'qwen3:latest', offline: false })
    expect([found.port.contextTokens, found.notice]).toEqual([4096, undefined])
  })

  it('uses the configured model of the Ollama if pulled, else says that it is not', async () => {
    const ollamaUrl = await startWithModels({ name: 'qwen3:latest' }, { name: 'llama4:latest' })
    const pulled = await findModel({ model: 'llama4', fallbackModel: 'qwen3' }, { ollamaUrl })
    expect(pulled.port.describe().name).toBe('llama4:latest')
    expect([pulled.port.hasFallback, pulled.notice]).toEqual([true, undefined])
    const missing = await findModel({ model: 'gpt-x' }, { ollamaUrl })
    expect(missing.port.describe().name).toBe('qwen3:latest')
    expect(missing.notice).toContain('FLOTILLA_MODEL=gpt-x')
  })

  it.each<[string, (response: http.ServerResponse) => void]>([
    ['stalls', () => {}],
    ['is something else', (response) => void response.end('<html>')],
    ['refuses', (response) => void response.writeHead(403).end('{"models":[]}')],
    ['has no models', (response) => void response.end('{"models":[]}')],
  ])('falls back to the demo model within half a second when the port %s', async (_name, answer) => {
    const ollamaUrl = await startOllama(answer)
    const began = performance.now()
    const found = await findModel({}, { ollamaUrl })
    expect(performance.now() - began).toBeLessThan(500)
    expect(found.port.describe().offline).toBe(true)
  })

  it('gives the demo model its tools, and says when a configured model is not used', async () => {
    const found = await findModel({ model: 'gpt-x' }, { ollamaUrl: nobody })
    expect(found.tools.map((tool) => tool.name)).toEqual(['demo_wait', 'demo_board_read', 'demo_board_post'])
    expect(found.notice).toContain('FLOTILLA_MODEL=gpt-x')
    expect((await findModel({}, { ollamaUrl: nobody })).notice).toBeUndefined()
  })
})
