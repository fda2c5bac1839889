// Brings events to the bot, over its long connections or to its webhook. An event goes waiting → acknowledged, or it is tried again: after
// 15 s, 5 min, 1 h and 6 h with the same id, then given up. What a person waits for (a press) is tried once.
// https://open.feishu.cn/document/ukTMukTMukTM/uUTNz4SN1MjL1UzM
import type { Clock } from './clock.ts'
import type { Envelope } from './envelope.ts'
import { newId } from './ids.ts'
import type { DeliveryEntry } from './ledger.ts'

/** What became of one attempt: `absent`, nobody is connected; `silent`, no answer within three seconds. */
export type Answer =
  | { readonly kind: 'ok'; readonly body: unknown; readonly isJson: boolean }
  | { readonly kind: 'refused'; readonly code: number }
  | { readonly kind: 'silent' }
  | { readonly kind: 'absent' }

export type Transport = {
  readonly name: DeliveryEntry['via']
  /** Where events are pushed to. */
  readonly url?: string
  /** `via` tells which connection took it. */
  send(envelope: Envelope): Promise<{ readonly answer: Answer; readonly connection?: number | undefined }>
}

export type Delivery = {
  push(envelope: Envelope): void
  call(envelope: Envelope): Promise<Answer>
  /** Over webhook instead of connections, or back. */
  use(transport: Transport): void
  via(): Pick<Transport, 'name' | 'url'>
  /** The last event of this type once more, as the platform does when an acknowledgement is lost: under its id. */
  repeat(type: string): void
  /** The same under a new event id and, if asked, a new message id; sender, chat, time and content stay. */
  repeatAnew(type: string, how?: { readonly isNewMessage?: boolean | undefined }): void
  /** Every event of this type is pushed twice at once, from now on or no longer. */
  double(type: string, isDoubled: boolean): void
  /** Events that are not acknowledged and will be tried again. */
  pending(): number
  close(): void
}

type Deps = {
  readonly clock: Clock
  /** Waits between the attempts. */
  readonly redeliverMs: readonly number[]
  note(entry: Omit<DeliveryEntry, 'at'>): void
}

export function createDelivery(first: Transport, { clock, redeliverMs, note }: Deps): Delivery {
  let transport = first
  let isClosed = false
  const last = new Map<string, Envelope>()
  const doubled = new Set<string>()
  let waiting = 0

  const attempt = async (envelope: Envelope, n: number) => {
    const { name } = transport
    const { answer, connection } = await transport.send(envelope)
    const { event_id: event, event_type: type } = envelope.header
    return { answer, entry: { event, type, via: name, attempt: n, connection, outcome: answer.kind } }
  }
  const deliver = async (envelope: Envelope, n: number): Promise<void> => {
    if (isClosed) return
    const { answer, entry } = await attempt(envelope, n)
    const waitMs = redeliverMs[n - 1]
    if (answer.kind === 'ok' || waitMs === undefined) waiting -= 1
    else if (!isClosed) clock.after(waitMs, () => void deliver(envelope, n + 1))
    // Last, so that whoever waits for the attempt finds what follows from it.
    note(entry)
  }
  const push = (envelope: Envelope) => {
    waiting += 1
    void deliver(envelope, 1)
  }
  const lastOf = (type: string): Envelope => {
    const found = last.get(type)
    if (found === undefined) throw new Error(`No event ${type} was pushed`)
    return found
  }
  return {
    push: (envelope) => {
      const type = envelope.header.event_type
      last.set(type, envelope)
      push(envelope)
      if (doubled.has(type)) push(envelope)
    },
    call: async (envelope) => {
      last.set(envelope.header.event_type, envelope)
      const { answer, entry } = await attempt(envelope, 1)
      note(entry)
      return answer
    },
    use: (next) => {
      transport = next
    },
    via: () => transport,
    repeat: (type) => push(lastOf(type)),
    repeatAnew: (type, { isNewMessage = false } = {}) => push(renew(lastOf(type), isNewMessage)),
    double: (type, isDoubled) => void (isDoubled ? doubled.add(type) : doubled.delete(type)),
    pending: () => waiting,
    close: () => {
      isClosed = true
    },
  }
}

function renew({ schema, header, event }: Envelope, isNewMessage: boolean): Envelope {
  const { message } = event
  const isMessage = typeof message === 'object' && message !== null
  return {
    schema,
    header: { ...header, event_id: newId.event() },
    event: isNewMessage && isMessage ? { ...event, message: { ...message, message_id: newId.message() } } : event,
  }
}
