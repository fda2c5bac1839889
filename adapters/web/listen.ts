// Opens a server on an address, or says in plain words that it is taken.
import type { Server } from 'node:http'
import { BotError } from '#shared/errors.ts'

/** Port 0 takes a free one. Returns the port. Throws BotError `config` when it cannot be had. */
export async function listen(server: Server, port: number, host = '127.0.0.1'): Promise<number> {
  const ready = Promise.withResolvers<void>()
  server.once('error', ready.reject)
  server.listen(port, host, () => ready.resolve())
  try {
    await ready.promise
  } catch (cause) {
    const isForeign = cause instanceof Error && 'code' in cause && cause.code === 'EADDRNOTAVAIL'
    const advice = isForeign
      ? 'This machine has no such address: correct FLOTILLA_LISTEN.'
      : 'Is another program using the port? Set FLOTILLA_PORT to a free one.'
    const message = `Cannot listen on ${host}:${port}. ${advice}`
    throw new BotError('config', message, { cause })
  }
  server.off('error', ready.reject)
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}
