// Takes the operator's secrets out of what a server answers: it knows them, and may repeat them. What comes back is read by the model.

export type HttpSecrets = Readonly<Record<string, Readonly<Record<string, string>>>>

const hidden = '[hidden]'
/** Shorter parts would blank out ordinary words. */
const minPartChars = 6

/** A function that blanks all values, whole and in their parts, also where they are packed in JSON, in a URL or in base 64. */
export function createBlanking(secrets: HttpSecrets): (text: string) => string {
  const spellings = listSecrets(secrets).flatMap(toSpellings)
  if (spellings.length === 0) return (text) => text
  // Longest first: a secret that contains another must not leave a remainder.
  const sorted = [...new Set(spellings)].toSorted((one, other) => other.length - one.length)
  const pattern = new RegExp(sorted.map((one) => escapePattern(one)).join('|'), 'gi')
  return (text) => text.replaceAll(pattern, hidden)
}

/** The values, and what of them is secret by itself: the token behind `Bearer`, the name and the password behind `Basic`. */
export function listSecrets(secrets: HttpSecrets): readonly string[] {
  const values = Object.values(secrets).flatMap((headers) => Object.values(headers))
  const parts = values.flatMap((value) => value.split(/[ ;,=]+/))
  const basic = values.flatMap((value) => {
    const packed = /^basic +([\w+/=-]+)$/i.exec(value)?.[1]
    if (packed === undefined) return []
    const plain = Buffer.from(packed, 'base64').toString('utf8')
    return [plain, plain.slice(plain.indexOf(':') + 1)]
  })
  const isScheme = /^(?:basic|bearer|digest|apikey|api-key|token|negotiate)$/i
  return [...new Set([...values, ...parts.filter((part) => !isScheme.test(part)), ...basic])].filter(
    (one) => one.length >= minPartChars,
  )
}

const toSpellings = (secret: string): readonly string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/'),
  encodeURIComponent(secret),
  new URLSearchParams([['', secret]]).toString().slice(1),
  Buffer.from(secret).toString('base64').replaceAll('=', ''),
  Buffer.from(secret).toString('base64url'),
  Buffer.from(secret).toString('hex'),
  escapeHtml(secret),
]

const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
