// Counts the writes a process makes to Redis sockets: what one `write` carries, one command or a pipeline, is one round trip.
// Imported before anything connects. Sockets are told by their port, so the bench's Redis listens on TCP.
import net from 'node:net'
import process from 'node:process'

let writes = 0
const port = Number(new URL(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379').port)
const write = net.Socket.prototype.write

net.Socket.prototype.write = function count(this: net.Socket, ...args: Parameters<typeof write>): boolean {
  if (this.remotePort === port) writes += 1
  return write.apply(this, args)
} as typeof write

/** Processor time and writes of this process since its start. */
export type ProcessStats = { readonly cpuMs: number; readonly writes: number }

export function readStats(): ProcessStats {
  const { user, system } = process.cpuUsage()
  return { cpuMs: (user + system) / 1000, writes }
}
