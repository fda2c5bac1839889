// The text of a page's bytes, by what it says its encoding is. A wrong or unknown encoding makes odd letters, never an error.

/** Where a page has to say it (HTML standard, 13.2.3.2). */
const sniffedBytes = 1024
const metaCharset = /<meta[^<>]*?\bcharset=["']?([\w:.-]{1,40})/i
const parameter = /;\s?charset=["']?([\w:.-]{1,40})/i

/** `contentType` as the server gave it. */
export function decode(bytes: Uint8Array, contentType: string): string {
  const head = Buffer.from(bytes.subarray(0, sniffedBytes)).toString('latin1')
  const label = findMark(bytes) ?? parameter.exec(contentType)?.[1] ?? findDeclared(head) ?? 'utf-8'
  return decodeBy(label, bytes)
}

/** Of a byte order mark, which goes before all else. */
function findMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return undefined
}

function findDeclared(head: string): string | undefined {
  const declared = metaCharset.exec(head)?.[1]
  // It was read as ASCII to find this, so it is no UTF-16.
  return declared?.toLowerCase().startsWith('utf-16') ? 'utf-8' : declared
}

function decodeBy(label: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    // There is no such encoding.
    return new TextDecoder().decode(bytes)
  }
}
