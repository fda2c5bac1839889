// A clock that processes and their Redis share and a test moves: libfaketime adds to the time of day what stands in a file. Timers and
// all that is measured since a process began go on as they were, so it is moved while nothing is in flight.
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { createReport } from '#infra/setup/report.js'
import { installPackage } from '#infra/setup/system-packages.js'

export type MovingClock = Disposable & {
  /** What a process of Node is started with. */
  readonly env: Readonly<Record<string, string>>
  /** What redis-server is started with. */
  readonly redisEnv: Readonly<Record<string, string>>
  /** The time of those who run by it, ms. */
  now(): number
  step(ms: number): void
}

/**
 * `aheadMs` of the machine's clock; below zero it is behind. Installs what is missing where that needs no question, and throws with what to do
 * where it does.
 */
export function startMovingClock(aheadMs = 0): MovingClock {
  const { faketime, libc } = findLibraries()
  const folder = mkdtempSync(path.join(tmpdir(), 'flotilla-clock-'))
  const file = path.join(folder, 'offset')
  let offsetMs = aheadMs
  const write = (): void => {
    // Nobody reads half of it.
    writeFileSync(`${file}.new`, `${offsetMs < 0 ? '' : '+'}${offsetMs / 1000}\n`)
    renameSync(`${file}.new`, file)
  }
  write()
  const env = {
    LD_PRELOAD: faketime,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  return {
    env,
    // Its allocator asks for the time before libfaketime has found the real one, unless libc is named behind it.
    redisEnv: { ...env, LD_PRELOAD: `${faketime}:${libc}` },
    now: () => Date.now() + offsetMs,
    step(ms) {
      if (ms < 0) throw new Error('Time goes on: it is stepped forward alone.')
      offsetMs += ms
      write()
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function findLibraries(): { readonly faketime: string; readonly libc: string } {
  const libc = findLibrary('libc.so.6')
  let faketime = findLibrary('faketime/libfaketime.so.1')
  let attempt = ''
  if (faketime === undefined && process.platform === 'linux') {
    attempt = installPackage(
      'faketime',
      process.env,
      createReport((line) => void process.stdout.write(`${line}\n`)),
    )
    faketime = findLibrary('faketime/libfaketime.so.1')
  }
  if (faketime !== undefined && libc !== undefined) return { faketime, libc }
  throw new Error(
    `Moving time needs Linux with glibc and libfaketime. ${attempt}Install it (Debian or Ubuntu: "apt-get install libfaketime").`,
  )
}

/** In the folders of Debian and of those that have no folder for each kind of machine. */
function findLibrary(name: string): string | undefined {
  const machine = process.arch === 'arm64' ? 'aarch64' : 'x86_64'
  const folders = [
    `/usr/lib/${machine}-linux-gnu`,
    `/lib/${machine}-linux-gnu`,
    '/usr/lib64',
    '/usr/lib',
    '/usr/local/lib',
  ]
  return folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file))
}
