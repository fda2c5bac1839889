// One SQLite file that several processes use at once. Whoever waits for another's writing waits without holding its own loop. A file that is missing or
// broken is made anew, empty: the reflection process fills it again from Redis.
import { mkdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { BotError } from '#shared/errors.ts'
import { applicationId, schema, schemaVersion, settings } from './sqlite-schema.ts'

export type SqliteFile = {
  /** What `work` reads, at once; tried again where another process holds the file. */
  read<T>(work: (database: DatabaseSync) => T, signal?: AbortSignal): Promise<T>
  /** The same in a transaction, which is wholly written or not at all. */
  write<T>(work: (database: DatabaseSync) => T): Promise<T>
  /** Resolves once nothing stands in the log beside the file. */
  empty(): Promise<void>
  close(): void
}

export type SqliteFileOptions = {
  readonly path: string
  /** Told in a full sentence that the file is new, and why: the index has to be filled. */
  readonly onNew: (reason: string) => void
  /** How long whoever writes or reads waits for another process; five seconds unless it says another. */
  readonly patienceMs?: number
}

/** SQLite itself waits no longer than that, since it holds the loop meanwhile. */
const holdMs = 20
const pauseMs = 15
const usualPatienceMs = 5000
const mostTries = 50
/** SQLITE_BUSY, SQLITE_LOCKED; SQLITE_CORRUPT, SQLITE_NOTADB. */
const busyCodes = new Set([5, 6])
const brokenCodes = new Set([11, 26])

type Opened = { readonly database: DatabaseSync; readonly inode: bigint }

/** Opens the file, and makes it and its folder where they are missing. Throws BotError `store-unavailable` or `store-newer` where it cannot. */
export function openSqliteFile(options: SqliteFileOptions): SqliteFile {
  let opened: Opened | undefined = open(options)
  let isClosed = false

  /** Another process may have made the file anew, or somebody have deleted it. */
  function connect(): DatabaseSync {
    if (isClosed) throw new BotError('store-unavailable', `The memory index ${options.path} is closed.`)
    if (opened && findInode(options.path) === opened.inode) return opened.database
    close()
    opened = open(options)
    return opened.database
  }

  function close(): void {
    const last = opened
    opened = undefined
    if (last?.database.isOpen) last.database.close()
  }

  function remake(error: unknown): void {
    const isSame = opened !== undefined && findInode(options.path) === opened.inode
    close()
    if (isSame) remove(options.path)
    opened = open(options, `The memory index ${options.path} is broken (${toCause(error)})`)
  }

  async function attempt<T>(work: (database: DatabaseSync) => T, signal?: AbortSignal): Promise<T> {
    const untilMs = performance.now() + (options.patienceMs ?? usualPatienceMs)
    for (let isMended = false; ;) {
      signal?.throwIfAborted()
      try {
        return work(connect())
      } catch (error) {
        const code = toCode(error)
        if (code === undefined) throw error
        if (brokenCodes.has(code) && !isMended) {
          isMended = true
          remake(error)
        } else if (busyCodes.has(code) && performance.now() < untilMs) await sleep(pauseMs, undefined, { signal })
        else throw toUnavailable(options.path, error)
      }
    }
  }

  return {
    read: attempt,
    write: async (work) => await attempt((database) => inTransaction(database, work)),
    async empty() {
      await attempt((database) => {
        const row = checkpointRow.parse(database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get())
        if (row.busy !== 0) throw Object.assign(new Error('Somebody reads the memory index.'), { errcode: 5 })
      })
    },
    close() {
      isClosed = true
      close()
    },
  }
}

const checkpointRow = z.object({ busy: z.number() })
const pragmaRow = z.object({ application_id: z.number().default(0), user_version: z.number().default(0) })

function inTransaction<T>(database: DatabaseSync, work: (database: DatabaseSync) => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work(database)
    database.exec('COMMIT')
    return result
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

function open(options: SqliteFileOptions, reason?: string, tries = mostTries): Opened {
  try {
    return openOnce(options, reason)
  } catch (error) {
    const code = toCode(error)
    if (code !== undefined && tries > 1) {
      if (brokenCodes.has(code)) {
        remove(options.path)
        return open(options, `The memory index ${options.path} is broken (${toCause(error)})`, 2)
      }
      // Several processes that make a new file at once do not wait for each other.
      if (busyCodes.has(code)) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, holdMs)
        return open(options, reason, tries - 1)
      }
    }
    throw error instanceof BotError ? error : toUnavailable(options.path, error)
  }
}

function openOnce({ path: file, onNew }: SqliteFileOptions, reason?: string): Opened {
  mkdirSync(path.dirname(file), { recursive: true })
  const database = new DatabaseSync(file, { timeout: holdMs })
  try {
    database.exec(settings)
    // A reader waits for no writer: a frozen one would hold this process's loop for as long.
    const made = isMade(database) ? undefined : inTransaction(database, () => makeTables(database, file))
    const inode = findInode(file)
    if (inode === undefined) throw new BotError('store-unavailable', `The memory index ${file} cannot be found again.`)
    const why = reason ?? made
    if (made !== undefined && why !== undefined)
      onNew(`${why}. It is made anew, empty; the reflection process fills it`)
    return { database, inode }
  } catch (error) {
    database.close()
    throw error
  }
}

function readVersion(database: DatabaseSync): { readonly owner: number; readonly version: number } {
  const { application_id: owner } = pragmaRow.parse(database.prepare('PRAGMA application_id').get())
  const { user_version: version } = pragmaRow.parse(database.prepare('PRAGMA user_version').get())
  return { owner, version }
}

function isMade(database: DatabaseSync): boolean {
  const { owner, version } = readVersion(database)
  return owner === applicationId && version === schemaVersion
}

/** Why tables were made; undefined where they stood there. */
function makeTables(database: DatabaseSync, file: string): string | undefined {
  const { owner, version } = readVersion(database)
  if (owner === applicationId && version === schemaVersion) return undefined
  if (owner === applicationId && version > schemaVersion)
    throw new BotError(
      'store-newer',
      `The memory index ${file} was made by a newer release (${version}). Use that release, or another file.`,
    )
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'")
    .all()
  if (tables.length > 0) {
    if (owner !== applicationId)
      throw new BotError('config', `${file} is a database of something else. Name another file for the memory index.`)
    throw Object.assign(new Error('An older release made it.'), { errcode: 26 })
  }
  database.exec(schema)
  return `The memory index ${file} is not there yet`
}

function remove(file: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
}

function findInode(file: string): bigint | undefined {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino
}

/** The code of SQLite's own errors, without what extends it. */
function toCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined
  return error.errcode & 0xff
}

const toCause = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function toUnavailable(file: string, error: unknown): BotError {
  return new BotError('store-unavailable', `The memory index ${file} cannot be used: ${toCause(error)}.`, {
    retry: { afterMs: 1000 },
    cause: error,
  })
}
