// How much memory the embedded Redis may take. At its limit it refuses what is new and keeps what it has; without one the system ends
// a process of this machine, and whose is chance.
import { totalmem } from 'node:os'
import process from 'node:process'

/** The rest is for the fleet itself, and for the copy that Redis makes while it rewrites its file. */
const share = 0.6

/** Bytes: of the machine's memory or this container's, whichever is smaller. */
export function findMemoryLimit(machineBytes = totalmem(), containerBytes = process.constrainedMemory()): number {
  // Without a limit it is 0 or a number beyond any memory.
  const bytes = containerBytes > 0 ? Math.min(machineBytes, containerBytes) : machineBytes
  return Math.floor(bytes * share)
}
