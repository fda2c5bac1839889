// Unpacks a body that came compressed, though nobody asked for that. What cannot be unpacked ends the stream with its error.
import type { IncomingMessage } from 'node:http'
import { pipeline, type Readable, type Transform } from 'node:stream'
import zlib from 'node:zlib'

const flush = { flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH }
const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => zlib.createGunzip(flush),
  'x-gzip': () => zlib.createGunzip(flush),
  // With the header of zlib, or with that of gzip.
  deflate: () => zlib.createUnzip(flush),
  br: () => zlib.createBrotliDecompress(),
  zstd: () => zlib.createZstdDecompress(),
}

/** Written there by mistake, they say nothing. */
const plain = new Set(['', 'identity', 'none', 'utf-8', 'utf8', 'binary', 'chunked', 'aws-chunked'])

/** The plain bytes; undefined for an encoding that is not known. */
export function decode(response: IncomingMessage): Readable | undefined {
  const named = response.headers['content-encoding']?.toLowerCase().split(',') ?? []
  const encodings = named.map((name) => name.trim()).filter((name) => !plain.has(name))
  if (encodings.length > 3 || encodings.some((name) => !Object.hasOwn(decoders, name))) return undefined
  let body: Readable = response
  for (const name of encodings.toReversed()) {
    const decoder = decoders[name]?.()
    if (!decoder) return undefined
    // It passes errors and an early end on, in both directions.
    body = pipeline(body, decoder, () => {})
  }
  return body
}
