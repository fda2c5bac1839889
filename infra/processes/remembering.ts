// Remembers what texts were estimated at.
import { hash } from 'node:crypto'

/** Of the texts that came lately, and as many of those before: a few megabytes. */
const mostLately = 5000
const digestedFromUnits = 200

/**
 * The fixed part of a prompt and its history come again with every call: their estimates are kept, the last used of them. Long texts, which
 * cost most to estimate, are known by their digest, so that the histories of many conversations have room. What came lately and what came
 * before are two maps, since deleting single texts from one would cost more than estimating them.
 */
export function remembering(estimate: (text: string) => number): (text: string) => number {
  let lately = new Map<string, number>()
  let before = new Map<string, number>()
  return (text) => {
    const key = text.length < digestedFromUnits ? text : hash('sha256', Buffer.from(text, 'utf16le'), 'base64url')
    const known = lately.get(key)
    if (known !== undefined) return known
    const tokens = before.get(key) ?? estimate(text)
    if (lately.size >= mostLately) {
      before = lately
      lately = new Map()
    }
    lately.set(key, tokens)
    return tokens
  }
}
