// Vectors as the SQLite file keeps them: a byte for each number, a quarter of what the model gave. The angle between two of them stays the same to half
// a degree.

const mostOfByte = 127

export function toBytes(values: Float32Array): Uint8Array {
  const most = values.reduce((sofar, one) => Math.max(sofar, Math.abs(one)), 0)
  const bytes = Int8Array.from(values, (one) => Math.round((one / most) * mostOfByte))
  return new Uint8Array(bytes.buffer)
}

/** Of length 1. */
export function fromBytes(bytes: Uint8Array): Float32Array {
  const values = Float32Array.from(toSigned(bytes))
  const length = Math.hypot(...values)
  return values.map((one) => one / length)
}

/** `values` have the length 1, and as many numbers as there are bytes. */
export function toCosine(values: Float32Array, bytes: Uint8Array): number {
  const signed = toSigned(bytes)
  let [sum, squares] = [0, 0]
  for (let at = 0; at < signed.length; at += 1) {
    const one = signed[at] ?? 0
    sum += one * (values[at] ?? 0)
    squares += one * one
  }
  return squares === 0 ? 0 : sum / Math.sqrt(squares)
}

const toSigned = (bytes: Uint8Array): Int8Array => new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
