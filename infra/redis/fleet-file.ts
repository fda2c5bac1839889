// `.flotilla/fleet.json`: who runs the fleet of this folder and where its Redis is, so that a second start refuses
// and every other process of the folder finds the embedded Redis by itself. Only the holder of `fleet.lock` writes it.
// States of the file: absent → claimed (no url yet) → published → absent; a dead holder's file counts as absent.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { z } from 'zod'
import { BotError } from '#shared/errors.ts'
import { takeFileLock } from './file-lock.ts'
import { findIdentity, isRunning, processIdentity } from './process-identity.ts'
import { findEndpoint, probe } from './redis-probe.ts'

const fleetRecord = z.object({
  v: z.literal(1),
  holder: processIdentity,
  /** The holder's machine or container by its own name. */
  host: z.string().optional(),
  /** The URL of Redis, once it answers. */
  url: z.string().optional(),
  /** The web page's port. */
  port: z.number().int(),
  /** ISO time. */
  startedAt: z.string(),
})
export type FleetRecord = z.infer<typeof fleetRecord>

type FolderAndPort = { readonly dataFolder: string; readonly port: number }

/** Holds the folder. `publish` makes the Redis findable; `release` removes the file; both may be repeated. */
export type FolderLock = {
  publish(redisUrl: string): void
  release(): void
}

/**
 * Takes the folder for this process, until `release` or its end. Throws BotError `config`, naming who has it, while another fleet
 * does, also one whose processes cannot be seen from here (another container on the same volume).
 */
export function lockFolder({ dataFolder, port }: FolderAndPort): FolderLock {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
  const lock = takeFileLock(path.join(dataFolder, 'fleet.lock'))
  const last = findRecord(dataFolder)
  if (!lock) throw toRefusal(dataFolder, last)
  // A fleet of a version before the lock may still run.
  if (last && isRunning(last.holder) && last.holder.pid !== process.pid) {
    lock.close()
    throw toRefusal(dataFolder, last)
  }
  const holder = findIdentity(process.pid) ?? { pid: process.pid, started: '' }
  const record: FleetRecord = { v: 1, holder, host: os.hostname(), port, startedAt: new Date().toISOString() }
  replaceRecord(dataFolder, record)
  let held = true
  return {
    publish: (redisUrl) => replaceRecord(dataFolder, { ...record, url: redisUrl }),
    release: () => {
      if (held) rmSync(toFile(dataFolder), { force: true })
      held = false
      lock.close()
    },
  }
}

/** The record of the fleet that runs in this folder, or undefined when none does. */
export function findFleet(dataFolder: string): FleetRecord | undefined {
  const record = findRecord(dataFolder)
  return record && isRunning(record.holder) ? record : undefined
}

/**
 * The Redis that a process of this folder must use: REDIS_URL, else the embedded one of the fleet that runs here (also
 * when the process that started it was killed, as long as it answers). Throws BotError `config` when there is none.
 */
export async function findRedis(settings: {
  readonly redisUrl: string | undefined
  readonly dataFolder: string
}): Promise<string> {
  if (settings.redisUrl !== undefined) return settings.redisUrl
  const url = findRecord(settings.dataFolder)?.url
  const endpoint = url === undefined ? undefined : findEndpoint(url)
  const answer = endpoint ? await probe(endpoint) : 'gone'
  if (url !== undefined && (answer === 'ready' || answer === 'loading')) return url
  throw new BotError(
    'config',
    `No Redis to work with: REDIS_URL is not set, and no fleet runs on the data folder ${settings.dataFolder}. ` +
      'Start one there with "npm start", or set REDIS_URL.',
  )
}

function replaceRecord(folder: string, record: FleetRecord): void {
  const own = `${toFile(folder)}.${process.pid}`
  writeFileSync(own, JSON.stringify(record), { mode: 0o600 })
  renameSync(own, toFile(folder))
}

function toRefusal(folder: string, other: FleetRecord | undefined): BotError {
  if (!other) return new BotError('config', `Another start in ${folder} is under way. Wait a moment and try again.`)
  const seen = isRunning(other.holder)
  const where = seen ? '' : ` of another container or machine${other.host ? `, ${other.host}` : ''}`
  return new BotError(
    'config',
    `Flotilla is already running in ${folder}: process ${other.holder.pid}${where}, http://127.0.0.1:${other.port}, since ${other.startedAt}. ` +
      `Use that one, stop it first${seen ? ' (Ctrl-C there)' : ''}, or set FLOTILLA_DATA and FLOTILLA_PORT for a second fleet.`,
  )
}

function findRecord(folder: string): FleetRecord | undefined {
  return parseRecord(readText(toFile(folder)))
}

/** A damaged file counts as absent: it was never complete, since records are written aside and renamed. */
function parseRecord(text: string | undefined): FleetRecord | undefined {
  if (text === undefined) return undefined
  try {
    return fleetRecord.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function toFile(folder: string): string {
  return path.join(folder, 'fleet.json')
}
