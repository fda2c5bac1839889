// Unpacks a body that came compressed, though nobody asked for that. The first bytes say what it is, since gateways name one encoding and send another.
// What cannot be unpacked ends the stream with its error.
import type { IncomingMessage } from 'node:http'
import { pipeline, Readable, type Transform } from 'node:stream'
import zlib from 'node:zlib'

const flush = { flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH }
const encodings = new Set(['gzip', 'x-gzip', 'deflate', 'x-deflate', 'br', 'zstd'])

/** Written there by mistake, they say nothing. */
const plain = new Set(['', 'identity', 'none', 'utf-8', 'utf8', 'binary', 'chunked', 'aws-chunked'])
const headBytes = 16

/** The plain bytes; undefined for an encoding that is not known. */
export function decode(response: IncomingMessage): Readable | undefined {
  const named = response.headers['content-encoding']?.toLowerCase().split(',') ?? []
  const names = named.map((name) => name.trim()).filter((name) => !plain.has(name))
  if (names.length > 3 || names.some((name) => !encodings.has(name))) return undefined
  let body: Readable = response
  for (const name of names.toReversed()) body = Readable.from(unpack(body, name), { objectMode: false })
  // Who waits for bytes does not see that nobody wants them any more.
  if (body !== response)
    body.once('close', () => {
      if (!response.readableEnded) response.destroy()
    })
  return body
}

async function* unpack(packed: Readable, name: string): AsyncGenerator<Buffer, undefined> {
  const chunks = bytesOf(packed)
  let head = Buffer.alloc(0)
  while (head.length < 2) {
    const next = await chunks.next()
    if (next.done === true) break
    head = Buffer.concat([head, next.value])
  }
  const decoder = openDecoder(head.subarray(0, headBytes), name)
  const all = Readable.from(withHead(head, chunks), { objectMode: false })
  // It passes errors and an early end on, in both directions.
  yield* bytesOf(decoder ? pipeline(all, decoder, () => {}) : all)
}

async function* withHead(head: Buffer, rest: AsyncGenerator<Buffer, undefined>): AsyncGenerator<Buffer, undefined> {
  if (head.length > 0) yield head
  yield* rest
}

async function* bytesOf(stream: Readable): AsyncGenerator<Buffer, undefined> {
  for await (const chunk of stream) if (Buffer.isBuffer(chunk)) yield chunk
}

/** Undefined where the bytes are plain, whatever their name. */
function openDecoder(head: Buffer, name: string): Transform | undefined {
  const [first = 0, second = 0] = head
  if (first === 0x1f && second === 0x8b) return zlib.createGunzip(flush)
  if (first === 0x28 && second === 0xb5) return zlib.createZstdDecompress()
  if (isText(head)) return undefined
  if (name === 'br') return zlib.createBrotliDecompress()
  // By RFC 1950 the low bits of the first byte are 8, and both together a multiple of 31.
  const isZlib = (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0
  return isZlib ? zlib.createInflate(flush) : zlib.createInflateRaw(flush)
}

/** Events and JSON begin with signs of ASCII, or with the mark of UTF-8. */
function isText(head: Buffer): boolean {
  const isMarked = head.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]))
  return head.subarray(isMarked ? 3 : 0).every((byte) => (byte >= 0x20 && byte < 0x7f) || (byte >= 9 && byte <= 13))
}
