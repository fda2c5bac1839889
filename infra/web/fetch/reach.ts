// What of the network a fetch may reach. The fleet has one answer, the public internet; tests pass in another. No setting changes it.
import { Resolver } from 'node:dns/promises'
import { PageError } from './page-error.ts'
import { isPublicAddress } from './public-address.ts'

export type Reach = {
  /** All addresses of a name, in the order in which they are to be tried; none where there is no such name. */
  resolve(name: string, signal: AbortSignal): Promise<readonly string[]>
  /** Whether a connection may go there; a port of a public address is another question. */
  isAllowed(address: string, port: number): boolean
  isAllowedPort(port: number): boolean
}

const webPorts: ReadonlySet<number> = new Set([80, 443])

export const publicReach: Reach = {
  resolve: ask,
  isAllowed: isPublicAddress,
  isAllowedPort: (port) => webPorts.has(port),
}

/** What a name server says of a name that it does not know, or that has no address of the kind. */
const noAddress: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME', 'EFORMERR'])

/**
 * Asks the name servers themselves: neither the hosts file nor what the machine's own network adds, and none of the few threads that a slow
 * name server could hold up for the whole process. Rejects when no name server can be asked.
 */
async function ask(name: string, signal: AbortSignal): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  const cancel = (): void => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const asked = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = asked.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    const failed = asked.find((one) => one.status === 'rejected' && !noAddress.has(toCode(one.reason)))
    if (found.length === 0 && failed) throw new PageError('its name cannot be looked up right now. Try again later.')
    return found
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

const toCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
