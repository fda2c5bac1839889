// The writing end of one Server-Sent Events response. It holds at most one buffer's worth: a client that does not read is cut off
// and comes back with Last-Event-ID.
const bufferBytes = 64 * 1024

/** `json`: what the event says, on one line. */
export type SinkEvent = { readonly event: string; readonly id?: string; readonly json: string }

export type EventSink = {
  readonly body: ReadableStream<Uint8Array>
  /** Aborted when the client has gone, was cut off, or `close` was called. */
  readonly signal: AbortSignal
  /** When something was written last, by `performance.now()`. */
  writtenAtMs(): number
  /** Resolves when the client has room for more; false when it is gone. */
  send(event: SinkEvent): Promise<boolean>
  /** A line that clients ignore and proxies see. */
  comment(text: string): Promise<boolean>
  close(): void
}

/** `hangUp` ends the connection of a client that has not made room for `stalledAfterMs`. */
export function createEventSink(hangUp: () => void, stalledAfterMs = 15_000): EventSink {
  const ended = new AbortController()
  const encoder = new TextEncoder()
  /** Waited for by all who wrote while there was none. */
  let room: PromiseWithResolvers<boolean> | undefined
  let output: ReadableStreamDefaultController<Uint8Array> | undefined
  let writtenAtMs = performance.now()

  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        output = controller
      },
      pull() {
        room?.resolve(true)
        room = undefined
      },
      cancel: () => ended.abort(),
    },
    { highWaterMark: bufferBytes, size: (chunk) => chunk?.byteLength ?? 0 },
  )

  const close = (): void => {
    if (ended.signal.aborted) return
    ended.abort()
    output?.close()
  }

  async function write(text: string): Promise<boolean> {
    if (ended.signal.aborted || !output) return false
    output.enqueue(encoder.encode(text))
    writtenAtMs = performance.now()
    if ((output.desiredSize ?? 0) > 0) return true
    const waiting = (room ??= Promise.withResolvers<boolean>())
    const gone = (): void => waiting.resolve(false)
    const stalled = setTimeout(() => {
      ended.abort()
      hangUp()
    }, stalledAfterMs)
    ended.signal.addEventListener('abort', gone, { once: true })
    try {
      return await waiting.promise
    } finally {
      clearTimeout(stalled)
      ended.signal.removeEventListener('abort', gone)
    }
  }

  return {
    body,
    signal: ended.signal,
    writtenAtMs: () => writtenAtMs,
    send: ({ event, id, json }) => write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${json}\n\n`),
    comment: (text) => write(`: ${text}\n\n`),
    close,
  }
}
