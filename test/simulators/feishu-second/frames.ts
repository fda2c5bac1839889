// The frames of the long connection (`pbbp2.Frame`, protobuf 2), written by hand, so that no codec of the vendor's or of the other simulator is trusted.
// Numbers fit into 53 bits here; the platform's do as well.

export type Frame = {
  readonly seqId: number
  readonly logId: number
  readonly service: number
  /** 0 for a control frame, 1 for data. */
  readonly method: number
  readonly headers: Readonly<Record<string, string>>
  readonly payload: Buffer
}

const fields = { seqId: 1, logId: 2, service: 3, method: 4, header: 5, payload: 8 } as const

export function encodeFrame({ seqId, logId, service, method, headers, payload }: Frame): Buffer {
  const numbers = [
    [fields.seqId, seqId],
    [fields.logId, logId],
    [fields.service, service],
    [fields.method, method],
  ] as const
  return Buffer.concat([
    ...numbers.flatMap(([field, value]) => [varint(field << 3), varint(value)]),
    ...Object.entries(headers).map(([key, value]) =>
      bytesField(fields.header, Buffer.concat([bytesField(1, Buffer.from(key)), bytesField(2, Buffer.from(value))])),
    ),
    bytesField(fields.payload, payload),
  ])
}

/** Throws for what is no frame. */
export function decodeFrame(bytes: Buffer): Frame {
  const all = [...readFields(bytes)]
  const number = (field: number): number => {
    const found = all.find((one) => one.field === field)
    if (!found) throw new Error(`A frame without field ${field}`)
    return found.value
  }
  const headers = all.flatMap(({ field, content }) => {
    if (field !== fields.header) return []
    const parts = [...readFields(content)]
    const text = (of: number): string => parts.find((part) => part.field === of)?.content.toString() ?? ''
    return [[text(1), text(2)] as const]
  })
  return {
    seqId: number(fields.seqId),
    logId: number(fields.logId),
    service: number(fields.service),
    method: number(fields.method),
    headers: Object.fromEntries(headers),
    payload: all.find(({ field }) => field === fields.payload)?.content ?? Buffer.alloc(0),
  }
}

function varint(value: number): Buffer {
  const out: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...out, rest])
    out.push((rest % 128) + 128)
  }
}

const bytesField = (field: number, content: Buffer): Buffer =>
  Buffer.concat([varint((field << 3) + 2), varint(content.length), content])

type Field = { readonly field: number; readonly value: number; readonly content: Buffer }

function* readFields(bytes: Buffer): Generator<Field> {
  let at = 0
  const read = (): number => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at]
      if (byte === undefined) throw new Error('A frame that ends too soon')
      at += 1
      value += (byte % 128) * factor
      if (byte < 128) return value
    }
  }
  while (at < bytes.length) {
    const tag = read()
    const [field, wire] = [tag >> 3, tag & 7]
    if (wire !== 0 && wire !== 2) throw new Error(`A frame with a field of wire type ${wire}`)
    const value = read()
    if (wire === 2 && at + value > bytes.length) throw new Error('A frame that ends too soon')
    const content = wire === 2 ? bytes.subarray(at, at + value) : Buffer.alloc(0)
    at += content.length
    yield { field, value, content }
  }
}
