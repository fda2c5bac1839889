// Counts the writes a process makes to Redis sockets: what one `write` carries, one command or a pipeline, is one round trip.
// Imported before anything connects. Sockets are told by their port, so the bench's Redis listens on TCP.
import net from 'node:net'
import process from 'node:process'

let writes = 0
const ports = new Set(
  (process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379').matchAll(/:(\d+)/g).map(([, port]) => Number(port)),
)
// Both send what is there at once: one piece, or all that was held back.
for (const name of ['_write', '_writev'] as const) {
  const send = net.Socket.prototype[name]
  if (!send) throw new Error(`A socket of this Node has no ${name}.`)
  net.Socket.prototype[name] = function count(this: net.Socket, ...args: unknown[]): void {
    if (ports.has(this.remotePort ?? 0)) writes += 1
    Reflect.apply(send, this, args)
  }
}

/** Processor time and writes of this process since its start. */
export type ProcessStats = { readonly cpuMs: number; readonly writes: number }

export function readStats(): ProcessStats {
  const { user, system } = process.cpuUsage()
  return { cpuMs: (user + system) / 1000, writes }
}
