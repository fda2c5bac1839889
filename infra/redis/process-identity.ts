// Tells whether a recorded process is still the same one. A pid alone does not: pids are reused, and in a container
// the new process often has the very pid of the killed one. So a record keeps the start time the system tells too.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { z } from 'zod'

/** `started` is opaque: compared for equality only, empty where the system does not tell. */
export const processIdentity = z.object({ pid: z.number().int().positive(), started: z.string() })
export type ProcessIdentity = z.infer<typeof processIdentity>

/** The identity of a living process, or undefined when there is none with this pid. */
export function findIdentity(pid: number): ProcessIdentity | undefined {
  // 0 and negative numbers would address whole process groups, our own included.
  if (!Number.isSafeInteger(pid) || pid < 1 || !isAlive(pid)) return undefined
  const started = process.platform === 'linux' ? readStartTicks(pid) : readStartTime(pid)
  return started === undefined ? undefined : { pid, started }
}

/** True while the very process that was recorded lives. */
export function isRunning(identity: ProcessIdentity): boolean {
  return findIdentity(identity.pid)?.started === identity.started
}

/** Sends the signal if the very process still lives; tells whether it did. */
export function signalProcess(identity: ProcessIdentity, signal: 'SIGTERM' | 'SIGKILL'): boolean {
  if (!isRunning(identity)) return false
  try {
    return process.kill(identity.pid, signal)
  } catch {
    return false
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Field 22 of /proc/<pid>/stat, counted after the command's closing bracket, with the boot id; undefined for a zombie, which has ended. */
function readStartTicks(pid: number): string | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    if (fields[0] === 'Z') return undefined
    return `${fields[19] ?? ''}@${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}`
  } catch {
    return ''
  }
}

function readStartTime(pid: number): string {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}
