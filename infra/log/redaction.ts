// Takes secrets out of any text before it leaves the process: the known values, and whatever looks like a token or key.
// It errs on the side of hiding.

const hidden = '[hidden]'

/** What secrets look like where their value is not known, for example another bot's token in a platform's error. */
const patterns: readonly (readonly [RegExp, string])[] = [
  // Telegram: in a URL path (`/bot<token>/sendMessage`) and bare.
  [/\bbot\d{5,20}(?::|%3[Aa])[\w-]{20,}/g, `bot${hidden}`],
  [/\b\d{5,20}:[\w-]{30,}/g, hidden],
  // Discord: three parts, the first one the bot's id in base 64. And an interaction's, in a URL path.
  [/\b[A-Za-z\d_-]{23,28}\.[\w-]{6,7}\.[\w-]{27,}/g, hidden],
  [/(\/(?:interactions|webhooks)\/\d{5,20}\/)[\w.~%-]{20,}/g, `$1${hidden}`],
  // Feishu: the token that calls carry.
  [/\bt-[\w.-]{30,}/g, hidden],
  [/\bsk-[\w-]{8,}/g, hidden],
  [/\b(Bearer|Bot)\s+[\w.~+/=-]{8,}/g, `$1 ${hidden}`],
  // Credentials in URLs; the greedy part ends at the last @ before the path.
  [/\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/"'@:]*:[^\s/"']*@/gi, `$1${hidden}@`],
  [/([?&](?:password|auth)=)[^\s&"']+/gi, `$1${hidden}`],
  // A one-time owner code, where it stands behind its command.
  [/(\/start(?:@\w+)?(?:\s+|=|%20))[\w-]{6,}/g, `$1${hidden}`],
]

/** Shorter values would blank out ordinary words. */
const minSecretLength = 4

/** A function that hides the given values, also where they are JSON- or URL-escaped, and everything that looks like a secret. */
export function createScrub(secrets: readonly string[]): (text: string) => string {
  const spellings = secrets
    .filter((secret) => secret.length >= minSecretLength)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
  // Longest first: a secret that contains another must not leave a remainder.
  const values = [...new Set(spellings)].toSorted((left, right) => right.length - left.length)
  return (text) => {
    const known = values.reduce((rest, value) => rest.replaceAll(value, hidden), text)
    return patterns.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), known)
  }
}
