// The arguments of a call of a tool as they are read: one JSON object whose depth and number of values are bounded. They are measured before they are
// parsed, so that nothing that walks through them meets more than this. Takes time in proportion to the text.

/** Levels of lists and objects, the arguments themselves being the first. */
export const mostLevels = 32
/** Values of all levels together. */
export const mostValues = 5000

export type ReadArguments =
  | { readonly kind: 'read'; readonly input: object }
  /** What is wrong with them, as the model is told behind "The arguments". */
  | { readonly kind: 'unreadable'; readonly why: string }

/** Arguments that would change the prototype of an object are none. `toSafe` is done to each text in them. */
export function readArguments(text: string, toSafe: (text: string) => string = (one) => one): ReadArguments {
  const why = findExcess(text)
  if (why !== undefined) return { kind: 'unreadable', why }
  let isOdd = false
  try {
    const input: unknown = JSON.parse(text || '{}', (name, value: unknown) => {
      isOdd ||= name === '__proto__'
      return typeof value === 'string' ? toSafe(value) : value
    })
    if (!isOdd && typeof input === 'object' && input !== null && !Array.isArray(input)) return { kind: 'read', input }
  } catch {
    // Said below.
  }
  return { kind: 'unreadable', why: 'are not one JSON object. Send one.' }
}

/** One argument; undefined where it is missing, or the arguments cannot be read. */
export function findArgument(text: string, name: string): unknown {
  const read = readArguments(text)
  return read.kind === 'read' && Object.hasOwn(read.input, name) ? Reflect.get(read.input, name) : undefined
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const opens: ReadonlySet<number> = new Set([0x5b, 0x7b])
const closes: ReadonlySet<number> = new Set([0x5d, 0x7d])

/** Counts brackets and commas outside of texts: what is no JSON is counted in the same way. */
function findExcess(text: string): string | undefined {
  let [levels, values] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign === quote) at = findEnd(text, at)
    else if (opens.has(sign)) {
      levels += 1
      values += 1
    } else if (closes.has(sign)) levels -= 1
    else if (sign === comma) values += 1
    if (levels > mostLevels) return `are nested more than ${mostLevels} levels deep. Send flatter ones.`
    if (values > mostValues) return `hold more than ${mostValues} values. Send fewer at once.`
  }
  return undefined
}

/** Where the text that begins at `from` ends. */
function findEnd(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign === backslash) at += 1
    else if (sign === quote) return at
  }
  return text.length
}
