// Web addresses as they stand in texts, of people and of tools.

/** What closes a sentence or a bracket behind an address is no part of it. */
const ends = new Set('.,;:!?\'"）)]}>】》」』。，；：！？、')
const address = /\bhttps?:\/\/[^\s<>"`]+/gi
const mostAddresses = 1000

/**
 * The addresses of a text in their canonical form, at most a thousand, each once. Where an address is followed by a sign that may close what it
 * stands in, both readings are given: `https://a.test/b).` is that address with and without the bracket.
 */
export function addressesIn(text: string): readonly string[] {
  const found = new Set<string>()
  for (const [raw] of text.matchAll(address)) {
    if (found.size >= mostAddresses) break
    for (const reading of readings(raw)) {
      const canonical = toCanonical(reading)
      if (canonical !== undefined) found.add(canonical)
    }
  }
  return [...found]
}

/** Without its fragment, which no server sees; undefined for what is no address of the web. */
export function toCanonical(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  url.hash = ''
  return url.href
}

const mostReadings = 6
function readings(raw: string): readonly string[] {
  const all = [raw]
  for (let end = raw.length; all.length < mostReadings && ends.has(raw[end - 1] ?? ''); end--)
    all.push(raw.slice(0, end - 1))
  return all
}
