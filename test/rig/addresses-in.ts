// All addresses that the result of a tool offers: what `hasAddress` is held against.
import { toPlainAddress } from '#shared/model/addresses.ts'

/** The addresses of a text, each once, in order. Takes time in proportion to the text's length. */
export function addressesIn(text: string): readonly string[] {
  const found = new Set<string>()
  for (const line of text.split('\n')) {
    const start = line.endsWith('>') ? line.lastIndexOf('<') : -1
    if (start < 0 || (start > 0 && line[start - 1] !== ' ')) continue
    const address = line.slice(start + 1, -1)
    // Nothing but what `toAddress` wrote.
    if (toPlainAddress(address) === address) found.add(address)
  }
  return [...found]
}
