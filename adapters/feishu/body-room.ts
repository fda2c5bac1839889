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

/** `leave`: nothing more is read, since it was too slow or gives way. */
type Reading = { leave(status: 408 | 503): void; readonly refused: () => 408 | 503 | undefined }

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
      const chunks = createChunks(take)
      const giveBack = (): void => {
        readings.delete(reading)
        usedBytes -= chunks.drop()
      }
      const reading = createReading(reader, giveBack)
      readings.add(reading)
      try {
        return await readAll(reader, { chunks, reading, mostBytes })
      } finally {
        giveBack()
      }
    },
  }
}

function createReading(reader: Reader, giveBack: () => void): Reading {
  let refused: 408 | 503 | undefined
  return {
    refused: () => refused,
    leave(status) {
      refused ??= status
      giveBack()
      reader.cancel().catch(() => {})
    },
  }
}

type Reader = ReadableStreamDefaultReader<unknown>
type Chunks = { readonly bytes: () => number; add(part: Uint8Array): void; all(): Buffer; drop(): number }

function createChunks(onAdd: (bytes: number) => void): Chunks {
  let parts: Uint8Array[] = []
  let bytes = 0
  return {
    bytes: () => bytes,
    add(part) {
      bytes += part.byteLength
      parts.push(part)
      onAdd(part.byteLength)
    },
    all: () => Buffer.concat(parts),
    /** Returns how many bytes there were. */
    drop() {
      const dropped = bytes
      bytes = 0
      parts = []
      return dropped
    },
  }
}

type Reads = { readonly chunks: Chunks; readonly reading: Reading; readonly mostBytes: number }

async function readAll(reader: Reader, { chunks, reading, mostBytes }: Reads): Promise<Buffer | 408 | 413 | 503> {
  const late = setTimeout(reading.leave, readWithinMs, 408)
  const silent = setTimeout(reading.leave, silentForMs, 408)
  try {
    for (;;) {
      const read = await reader.read()
      const refused = reading.refused()
      if (refused !== undefined) return refused
      if (read.done) return chunks.all()
      silent.refresh()
      const part: unknown = read.value
      if (!(part instanceof Uint8Array)) continue
      if (chunks.bytes() + part.byteLength > mostBytes) {
        reader.cancel().catch(() => {})
        return 413
      }
      chunks.add(part)
    }
  } finally {
    clearTimeout(late)
    clearTimeout(silent)
  }
}
