// Web addresses as people write them in the middle of a sentence. What tools give has a form of its own (`shared/model/addresses.ts`).
import { toPlainAddress } from '#shared/model/addresses.ts'

/** What closes a sentence or a bracket behind an address is no part of it. */
const ends = new Set('.,;:!?\'"）)]}】》」』。，；：！？、')
const address = /\bhttps?:\/\/[^\s<>"`]+/gi
const mostAddresses = 1000

/**
 * The addresses of a text as they are compared, a thousand or so at most, each once. Where one is followed by signs that may close what it stands in,
 * each reading is given: `https://a.test/b).` is that address with and without the bracket.
 */
export function addressesSaid(text: string): readonly string[] {
  const found = new Set<string>()
  for (const [raw] of text.matchAll(address)) {
    if (found.size >= mostAddresses) break
    for (const reading of readings(raw)) {
      const plain = toPlainAddress(reading)
      if (plain !== undefined) found.add(plain)
    }
  }
  return [...found]
}

const mostReadings = 6
function readings(raw: string): readonly string[] {
  const all = [raw]
  for (let end = raw.length; all.length < mostReadings && ends.has(raw[end - 1] ?? ''); end--)
    all.push(raw.slice(0, end - 1))
  return all
}
