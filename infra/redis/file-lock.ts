// An exclusive lock of the operating system on a file (flock). It belongs to the open file, so it ends with the last process
// that has it open, however that one ends, and it holds between pid namespaces, where process ids tell nothing.
import { spawnSync } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import process from 'node:process'
import { findProgram } from '#infra/setup/programs.js'
import { BotError } from '#shared/errors.ts'

/** `descriptor` may be handed to a child process, which then holds the lock too. `close` ends this process' share; it may be repeated. */
export type FileLock = { readonly descriptor: number; close(): void }

/** macOS: open and lock in one step (open(2)). Node has no name for it. */
const exclusiveLockFlag = 0x20
/** What flock(1) ends with when the lock is taken. */
const takenStatus = 1

/**
 * Creates the file if need be; undefined while another open file holds the lock. The file stays when the lock ends: removing it
 * would let two processes lock two files of one name. Throws BotError `config` where the file system knows no locks.
 */
export function takeFileLock(file: string): FileLock | undefined {
  const descriptor = process.platform === 'darwin' ? openLocked(file) : lockOpened(file)
  if (descriptor === undefined) return undefined
  let open = true
  return {
    descriptor,
    close() {
      if (open) closeSync(descriptor)
      open = false
    },
  }
}

function openLocked(file: string): number | undefined {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | exclusiveLockFlag
  try {
    return openSync(file, flags, 0o600)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EAGAIN' || code === 'EWOULDBLOCK') return undefined
    if (code === 'ENOTSUP' || code === 'EOPNOTSUPP') throw toUnlockable(file, code)
    throw error
  }
}

/** flock(1) locks the file that it inherits and ends; the lock stays with our descriptor. */
function lockOpened(file: string): number | undefined {
  const program = findProgram('flock', process.env)
  if (!program) {
    throw new BotError(
      'config',
      'The program "flock" is missing, which keeps two fleets from writing one data folder. Install the package util-linux, or set REDIS_URL.',
    )
  }
  const descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600)
  const result = spawnSync(program, ['-n', '-x', '3'], { stdio: ['ignore', 'ignore', 'pipe', descriptor] })
  if (result.status === 0) return descriptor
  closeSync(descriptor)
  const said = result.error?.message ?? result.stderr.toString().trim()
  if (result.status === takenStatus && said === '') return undefined
  throw toUnlockable(file, said || `flock ended with ${result.status ?? result.signal}`)
}

function toUnlockable(file: string, reason: string): BotError {
  return new BotError(
    'config',
    `${file} cannot be locked (${reason}), so nothing would keep a second fleet from writing the same data. ` +
      'Set FLOTILLA_DATA to a folder on a disk of this machine, or set REDIS_URL.',
  )
}
