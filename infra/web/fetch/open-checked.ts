// Opens an address after its name was resolved once and every address that it stands for was judged; the connection goes to one of those.
import { isIP } from 'node:net'
import { notPublic, toHost, toPort } from './check-url.ts'
import type { OpenPinned, Opened } from './open-pinned.ts'
import { PageError } from './page-error.ts'
import type { Reach } from './reach.ts'

/** Of a name with many addresses; the first may be of a family that this machine cannot reach. */
const mostTried = 3

export type CheckedDeps = { readonly reach: Pick<Reach, 'resolve' | 'isAllowed'>; readonly open: OpenPinned }

/** Refuses a name if any of its addresses is not allowed, and opens the first that answers. `open` throws PageError where no other is to be tried. */
export async function openChecked({ reach, open }: CheckedDeps, url: URL, signal: AbortSignal): Promise<Opened> {
  const host = toHost(url)
  const addresses = isIP(host) === 0 ? await reach.resolve(host, signal) : [host]
  signal.throwIfAborted()
  if (addresses.length === 0) throw new PageError('there is no such site.')
  if (!addresses.every((address) => isIP(address) !== 0 && reach.isAllowed(address, toPort(url)))) throw notPublic()
  let failure: unknown
  for (const address of addresses.slice(0, mostTried)) {
    try {
      const opened = await open(url, address, signal)
      // Without a listener an error of the connection would end the process.
      opened.on('error', () => {})
      return opened
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof PageError) throw error
      failure = error
    }
  }
  throw failure
}
