// Reads the body of an answer as bytes: unpacked, up to a bound, and no further than that.
import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Opened } from './open-pinned.ts'
import { PageError } from './page-error.ts'

export type Body = { readonly bytes: Uint8Array; /** The end was not read. */ readonly cut: boolean }

const mostPageBytes = 5 * 1024 * 1024
/** Of what unpacks to more than this times its size, nothing is believed; pages reach twenty. */
const mostUnpacked = 100
const smallBytes = 256 * 1024

const unpackers = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
} as const

/** Ends the connection whatever happens. Throws PageError where the body cannot be unpacked, or unpacks to far too much. */
export async function readBody(opened: Opened, mostBytes = mostPageBytes): Promise<Body> {
  const packing = (opened.headers['content-encoding'] ?? '').trim().toLowerCase()
  const unpacker = packing === '' || packing === 'identity' ? undefined : findUnpacker(packing)
  // What goes wrong on the way comes out where it is read.
  const body: Readable = unpacker ? pipeline(opened, unpacker, () => {}) : opened
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of body) {
      if (!Buffer.isBuffer(chunk)) continue
      chunks.push(chunk)
      bytes += chunk.length
      if (unpacker && bytes > smallBytes && bytes > unpacker.bytesWritten * mostUnpacked)
        throw new PageError('it unpacks to far more than a page.')
      if (bytes > mostBytes) break
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && /^(?:Z_|ERR__|ERR_BROTLI)/.test(String(error.code)))
      throw new PageError('it is packed in a way that cannot be read.')
    throw error
  } finally {
    opened.destroy()
    unpacker?.destroy()
  }
  return { bytes: new Uint8Array(Buffer.concat(chunks).subarray(0, mostBytes)), cut: bytes > mostBytes }
}

function findUnpacker(packing: string): ReturnType<typeof createGunzip> {
  const found = Object.entries(unpackers).find(([name]) => name === packing)
  if (!found) throw new PageError('it is packed in a way that cannot be read.')
  return found[1]()
}
