// Bodies that come compressed, under a right name or a wrong one: they are read while they come, in whatever pieces, and let go of.
import { once } from 'node:events'
import type http from 'node:http'
import { createDeflateRaw, createGzip, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOpenAiProvider } from '#infra/models/openai-provider.ts'
import { toRequest } from './model-request.ts'
import { piece, startStreamServer, usageAndDone, type StreamServer } from './stream-server.ts'

let server: StreamServer
beforeAll(async () => void (server = await startStreamServer()))
afterAll(() => server[Symbol.asyncDispose]())

const begin = (response: http.ServerResponse, encoding: string): void =>
  void response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': encoding })
const ask = async (onText: (text: string) => void = () => {}, maxOutputBytes = 10_000) =>
  await createOpenAiProvider({
    apiKey: 'k',
    baseUrl: server.baseUrl,
    model: 'm',
    contextTokens: 1000,
    maxOutputBytes,
  }).complete(toRequest('hi'), onText, AbortSignal.timeout(5000))
const answer = piece('All is well.', 'stop') + usageAndDone

test.each([
  ['gzip', gzipSync(answer)],
  ['gzip', Buffer.from(answer)],
  ['gzip', Buffer.from(`\uFEFF${answer}`)],
  ['gzip', deflateSync(answer)],
  ['gzip', zstdCompressSync(answer)],
  ['deflate', deflateSync(answer)],
  ['deflate', deflateRawSync(answer)],
  ['deflate', deflateRawSync(answer, { level: 0 })],
  ['deflate', gzipSync(answer)],
  ['deflate', Buffer.from(`: ok\n\n${answer}`)],
  ['br', Buffer.from(answer)],
  ['zstd', Buffer.from(JSON.stringify({ choices: [{ message: { content: 'All is well.' } }] }))],
  ['deflate, gzip', gzipSync(deflateRawSync(answer))],
])('%s (%#) is read, also byte for byte', async (encoding, bytes) => {
  server.answer((response) => {
    begin(response, encoding)
    response.end(bytes)
  })
  expect(await ask()).toMatchObject({ kind: 'reply', text: 'All is well.' })
  server.answer((response) => {
    begin(response, encoding)
    for (const byte of bytes) response.write(Buffer.from([byte]))
    response.end()
  })
  expect(await ask()).toMatchObject({ kind: 'reply', text: 'All is well.' })
})

test.each([
  ['gzip', createGzip],
  ['deflate', createDeflateRaw],
])('of %s each piece is shown when it comes, and a stream that nobody wants is let go of', async (encoding, create) => {
  let goOn = (): void => {}
  server.answer((response) => {
    begin(response, encoding)
    const packer = create()
    packer.pipe(response)
    packer.write(piece('One. '))
    packer.flush()
    goOn = () => packer.end(piece('Two.', 'stop') + usageAndDone)
  })
  const seen: string[] = []
  const reply = await ask((text) => {
    seen.push(text)
    goOn()
  })
  expect([reply, seen.join('')]).toMatchObject([{ text: 'One. Two.' }, 'One. Two.'])

  const closed = new Promise<void>((resolve) => {
    server.answer((response) => {
      begin(response, encoding)
      const packer = create()
      packer.pipe(response)
      packer.write(piece('x'.repeat(500)))
      packer.flush()
      void once(response, 'close').then(() => resolve())
    })
  })
  expect(await ask(() => {}, 100)).toMatchObject({ kind: 'reply', finish: 'length' })
  await closed
})

test('what cannot be unpacked is a failure, and so is what breaks off', async () => {
  server.answer((response) => {
    begin(response, 'br')
    response.end(Buffer.from([0xff, 0xfe, 0x00, 0x81, 0x99]))
  })
  expect(await ask()).toMatchObject({ kind: 'failure' })
  server.answer((response) => {
    begin(response, 'gzip')
    response.end(gzipSync(answer).subarray(0, 40))
  })
  expect(await ask()).toMatchObject({ kind: 'failure', failure: 'cut-off' })
})
