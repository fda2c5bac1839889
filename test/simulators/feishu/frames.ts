// The two messages of the long connection in protocol buffers, written by hand: Header{key, value} and Frame{SeqID, LogID, service,
// method, headers, payload_encoding, payload_type, payload, LogIDNew}. `method` 0 controls (ping, pong), 1 carries data.
// As the vendor's SDKs have them (pbbp2).

export type Frame = {
  readonly seqId: number
  readonly logId: number
  readonly service: number
  readonly method: number
  readonly headers: Readonly<Record<string, string>>
  readonly payload: Buffer
}

export const methods = { control: 0, data: 1 } as const

const fields = { seqId: 1, logId: 2, service: 3, method: 4, header: 5, payload: 8 } as const

export function encodeFrame({ seqId, logId, service, method, headers, payload }: Frame): Buffer {
  const numbers = [
    [fields.seqId, seqId],
    [fields.logId, logId],
    [fields.service, service],
    [fields.method, method],
  ] as const
  return Buffer.concat([
    ...numbers.flatMap(([field, value]) => [varint(field * 8), varint(value)]),
    ...Object.entries(headers).map(([key, value]) =>
      bytes(fields.header, Buffer.concat([bytes(1, Buffer.from(key)), bytes(2, Buffer.from(value))])),
    ),
    ...(payload.length === 0 ? [] : [bytes(fields.payload, payload)]),
  ])
}

/** Undefined for what is no such message. */
export function decodeFrame(data: Buffer): Frame | undefined {
  const read = readFields(data)
  if (read === undefined) return undefined
  const numbers = new Map<number, number>()
  const headers: Record<string, string> = {}
  let payload = Buffer.alloc(0)
  for (const { field, value } of read) {
    if (typeof value === 'number') numbers.set(field, value)
    else if (field === fields.payload) payload = value
    else if (field === fields.header) {
      const pair = readFields(value) ?? []
      const text = (n: number) => pair.find((one) => one.field === n)?.value.toString() ?? ''
      headers[text(1)] = text(2)
    }
  }
  const method = numbers.get(fields.method)
  const service = numbers.get(fields.service)
  if (method === undefined || service === undefined) return undefined
  const [seqId = 0, logId = 0] = [numbers.get(fields.seqId), numbers.get(fields.logId)]
  return { seqId, logId, service, method, headers, payload }
}

type Field = { readonly field: number; readonly value: number | Buffer<ArrayBuffer> }

function readFields(data: Buffer): Field[] | undefined {
  const found: Field[] = []
  let at = 0
  const number = (): number | undefined => {
    let value = 0
    for (let shift = 0; shift < 70 && at < data.length; shift += 7) {
      const byte = data[at] ?? 0
      at += 1
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
    return undefined
  }
  while (at < data.length) {
    const key = number()
    const value = number()
    if (key === undefined || value === undefined) return undefined
    const field = Math.floor(key / 8)
    if (key % 8 === 0) found.push({ field, value })
    else if (key % 8 === 2 && at + value <= data.length) {
      found.push({ field, value: Buffer.from(data.subarray(at, at + value)) })
      at += value
    } else return undefined
  }
  return found
}

function varint(value: number): Buffer {
  const out: number[] = []
  let rest = value
  while (rest >= 0x80) {
    out.push((rest % 0x80) | 0x80)
    rest = Math.floor(rest / 0x80)
  }
  return Buffer.from([...out, rest])
}

function bytes(field: number, content: Buffer): Buffer {
  return Buffer.concat([varint(field * 8 + 2), varint(content.length), content])
}
