// Reads the body of a good response: server-sent events, as the WHATWG standard has them and a little beyond; one JSON document; or a document a line.
// Which of them it is, its first character says, and not its headers. Bounded, and without timers of its own.
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { createParser } from 'eventsource-parser'
import { decode } from './content-encoding.ts'
import { parseJson } from '#shared/json.ts'

export type ReplyEnd =
  | 'ended' // the body ended in order
  | 'stopped' // `onData` wanted no more
  | 'too-long' // one event, or the document, passed `maxLength`
  | 'page' // a page of HTML, or another text that is no reply
  | 'unreadable' // an encoding that is not known

export type ReplyHandlers = {
  /** The text of one event, or of the document. What it throws rejects the read. */
  readonly onData: (data: string) => 'more' | 'stop'
  /** Bytes came, of whatever kind. */
  readonly onLife: () => void
  /** UTF-16 units. */
  readonly maxLength: number
}

type Reader = { take(text: string): ReplyEnd | undefined; finish(): ReplyEnd }

/** Reads to the end. Rejects with the network's error, also for a connection closed halfway. An early stop closes the connection. */
export function readReply(response: IncomingMessage, handlers: ReplyHandlers): Promise<ReplyEnd> {
  const body = decode(response)
  if (!body) {
    response.destroy()
    return Promise.resolve('unreadable')
  }
  return read(body, handlers)
}

function read(body: Readable, handlers: ReplyHandlers): Promise<ReplyEnd> {
  return new Promise((resolve, reject) => {
    const reader = createReader(handlers)
    let isOver = false
    body.setEncoding('utf8')
    body.on('data', (text: string) => {
      handlers.onLife()
      try {
        const end = reader.take(text)
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
        resolve(reader.finish())
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

/** By the first character that is no space. */
function createReader(handlers: ReplyHandlers): Reader {
  let reader: Reader | undefined
  return {
    take(text) {
      if (reader) return reader.take(text)
      const begins = text.replace(/^[\uFEFF\s]+/, '')
      if (begins === '') return undefined
      reader = /^[{[]/.test(begins) ? readDocument(handlers) : readEvents(handlers)
      return reader.take(begins)
    },
    finish: () => reader?.finish() ?? 'ended',
  }
}

function readEvents({ onData, maxLength }: ReplyHandlers): Reader {
  let isStopped = false
  let isTooLong = false
  let sawEvent = false
  const parser = createParser({
    maxBufferSize: maxLength,
    onComment() {
      sawEvent = true
    },
    onEvent({ data }) {
      sawEvent = true
      if (!isStopped && data !== '') isStopped = onData(data) === 'stop'
    },
    onError(error) {
      isTooLong ||= error.type === 'max-buffer-size-exceeded'
    },
  })
  return {
    take(text) {
      parser.feed(text)
      if (isStopped) return 'stopped'
      return isTooLong ? 'too-long' : undefined
    },
    // An event without its empty line is whole, and so may be a last line without its end.
    finish() {
      parser.feed('\n\n')
      if (isStopped) return 'stopped'
      return sawEvent ? 'ended' : 'page'
    },
  }
}

function readDocument({ onData, maxLength }: ReplyHandlers): Reader {
  const pieces: string[] = []
  let length = 0
  return {
    take(text) {
      pieces.push(text)
      length += text.length
      return length > maxLength ? 'too-long' : undefined
    },
    finish() {
      const text = pieces.join('')
      const documents =
        parseJson(text) !== undefined ? [text] : text.split(/[\r\n]+/).filter((line) => line.trim() !== '')
      return documents.some((one) => onData(one) === 'stop') ? 'stopped' : 'ended'
    },
  }
}
