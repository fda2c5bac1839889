// Reads Server-Sent Events as a client would: from any id on, one event at a time, and cuts the connection when told.
export type StreamEvent = { readonly event: string; readonly id?: string; readonly data: Record<string, unknown> }

export type EventReader = {
  readonly status: number
  /** The next event of this name; fails after `timeoutMs`. */
  next(event: string, timeoutMs?: number): Promise<StreamEvent>
  /** Whether the server has ended the stream. */
  readonly ended: Promise<void>
  cut(): void
}

export async function openStream(url: string, headers: Record<string, string>): Promise<EventReader> {
  const aborter = new AbortController()
  const response = await fetch(url, { headers, signal: aborter.signal })
  const events: StreamEvent[] = []
  let arrived = Promise.withResolvers<void>()
  const read = async (): Promise<void> => {
    let text = ''
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const fields = new Map(block.split('\n').map((line) => [line.split(': ', 1)[0], line.replace(/^\w*: /, '')]))
        const id = fields.get('id')
        const data = fields.get('data')
        if (data !== undefined) {
          events.push({ event: fields.get('event') ?? 'message', ...(id ? { id } : {}), data: JSON.parse(data) })
        }
      }
      arrived.resolve()
      arrived = Promise.withResolvers()
    }
  }
  const ended = response.status === 200 ? read().catch(() => {}) : Promise.resolve()
  return {
    status: response.status,
    ended,
    async next(event, timeoutMs = 25_000) {
      const deadline = AbortSignal.timeout(timeoutMs)
      const late = new Promise<never>((_, reject) => {
        deadline.addEventListener('abort', () => reject(new Error(`No ${event} event came in ${timeoutMs} ms.`)))
      })
      late.catch(() => {})
      for (;;) {
        const at = events.findIndex((each) => each.event === event)
        const [found] = at < 0 ? [] : events.splice(at, 1)
        if (found) return found
        await Promise.race([arrived.promise, late])
      }
    },
    cut: () => aborter.abort(),
  }
}
