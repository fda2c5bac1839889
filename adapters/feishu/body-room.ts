// The bodies that are being read before anybody has proved who they are. All of them share one room. Where it is full the body that has been read for
// longest goes, since Feishu's come in one piece; so does what keeps silent.

/** All bodies together. */
const mostReadBytes = 32_000_000
/** Feishu waits no longer for the whole answer. */
const readWithinMs = 3000
/** Of a body nothing more came: Feishu does not pause. */
const silentForMs = 300

export type BodyRoom = {
  /** The body; or the status of the refusal: it was too slow, too long, or had to give way. Rejects when the client leaves half way. */
  read(request: Request, mostBytes: number): Promise<Buffer | 408 | 413 | 503>
}

type Reading = { leave(status: 408 | 503): void }

export function createBodyRoom(most = mostReadBytes): BodyRoom {
  /** The oldest first. */
  const readings = new Set<Reading>()
  let usedBytes = 0

  function take(bytes: number): void {
    usedBytes += bytes
    for (const oldest of readings) {
      if (usedBytes <= most) return
      oldest.leave(503)
    }
  }

  return {
    async read({ headers, body }, mostBytes) {
      if (Number(headers.get('content-length') ?? '0') > mostBytes) return 413
      const reader = body?.getReader()
      if (!reader) return Buffer.alloc(0)
      let refused: 408 | 503 | undefined
      let chunks: Uint8Array[] = []
      let bytes = 0
      const giveBack = (): void => {
        readings.delete(reading)
        usedBytes -= bytes
        bytes = 0
        chunks = []
      }
      const reading: Reading = {
        leave(status) {
          refused ??= status
          giveBack()
          reader.cancel().catch(() => {})
        },
      }
      readings.add(reading)
      const late = setTimeout(reading.leave, readWithinMs, 408)
      const silent = setTimeout(reading.leave, silentForMs, 408)
      try {
        for (;;) {
          const read = await reader.read()
          if (refused !== undefined) return refused
          if (read.done) return Buffer.concat(chunks)
          silent.refresh()
          const part: unknown = read.value
          if (!(part instanceof Uint8Array)) continue
          if (bytes + part.byteLength > mostBytes) {
            reader.cancel().catch(() => {})
            return 413
          }
          bytes += part.byteLength
          chunks.push(part)
          take(part.byteLength)
        }
      } finally {
        clearTimeout(late)
        clearTimeout(silent)
        giveBack()
      }
    },
  }
}
