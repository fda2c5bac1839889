// Reads server-sent events off a byte stream: bounded lines, no copies of what was read, no timers of its own.
// It knows `data` only; comments and other fields count as life and are dropped.
import type { IncomingMessage } from 'node:http'

export type SseEnd =
  | 'ended' // the stream ended in order
  | 'stopped' // `onData` wanted no more
  | 'too-long' // a line passed `maxLineLength`
  | 'not-sse' // it ended in order, and no line of it was an event

export type SseHandlers = {
  /** The data of one event; several data lines are joined with newlines. What it throws rejects the read. */
  readonly onData: (data: string) => 'more' | 'stop'
  /** Bytes came, of whatever kind. */
  readonly onLife: () => void
  readonly maxLineLength: number
}

/** Reads to the end. Rejects with the network's error, also for a connection closed halfway. An early stop closes the connection. */
export function readSse(body: IncomingMessage, handlers: SseHandlers): Promise<SseEnd> {
  return new Promise((resolve, reject) => {
    const lines = createLines(handlers)
    let isOver = false
    body.setEncoding('utf8')
    body.on('data', (text: string) => {
      handlers.onLife()
      try {
        const end = lines.take(text)
        if (!end) return
        resolve(end)
      } catch (error) {
        reject(error)
      }
      isOver = true
      body.removeAllListeners('data')
      body.destroy()
    })
    body.on('end', () => {
      isOver = true
      try {
        resolve(lines.finish())
      } catch (error) {
        reject(error)
      }
    })
    body.on('error', reject)
    // Every stream is closed in the end, and an error that nobody reads costs as much as reading a short stream.
    body.on('close', () => {
      if (!isOver) reject(new Error('The connection was closed before the stream ended.'))
    })
  })
}

function createLines(handlers: SseHandlers): { take(text: string): SseEnd | undefined; finish(): SseEnd } {
  let rest = ''
  let data: string | undefined
  let sawEvent = false
  let sawBytes = false

  function line(text: string): 'more' | 'stop' {
    if (text === '') {
      const complete = data
      data = undefined
      return complete === undefined ? 'more' : handlers.onData(complete)
    }
    if (!text.startsWith('data:')) {
      if (/^(:|event:|id:|retry:)/.test(text)) sawEvent = true
      return 'more'
    }
    sawEvent = true
    const value = text.startsWith(' ', 5) ? text.slice(6) : text.slice(5)
    data = data === undefined ? value : `${data}\n${value}`
    return 'more'
  }

  return {
    take(text) {
      sawBytes = true
      let from = 0
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
        const whole = rest + text.slice(from, at)
        rest = ''
        from = at + 1
        if (whole.length + (data?.length ?? 0) > handlers.maxLineLength) return 'too-long'
        if (line(whole.endsWith('\r') ? whole.slice(0, -1) : whole) === 'stop') return 'stopped'
      }
      rest += text.slice(from)
      return rest.length > handlers.maxLineLength ? 'too-long' : undefined
    },
    // A last line without its newline may be cut anywhere and is dropped; an event without its empty line is whole.
    finish() {
      if (line('') === 'stop') return 'stopped'
      return sawBytes && !sawEvent ? 'not-sse' : 'ended'
    },
  }
}
