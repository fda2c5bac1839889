// What doctor looks at on this machine's disk: the data folder, its space, the web token, the Redis files and the optional settings
// file. Each has a finding of its own, so that they are told apart. It leaves nothing behind.
import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access, open, readFile, readdir, rm, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { loadRouting } from '#infra/processes/router.ts'
import { findServer } from '#infra/redis/embedded-redis.ts'
import { findEndpoint, probe } from '#infra/redis/redis-probe.ts'
import type { Finding } from '#infra/checks/finding.ts'

const leastFreeBytes = { error: 100e6, warning: 1e9 } as const
/** As the web channel asks of a token. */
const minTokenChars = 32
const checkTimeoutMs = 60_000
const logTailBytes = 4096

export type FolderOptions = {
  /** Whether the Redis of this folder is used. */
  readonly ownRedis: boolean
  /** Bytes that may still be written below a folder; undefined where that is not known. */
  readonly findFree?: (folder: string) => Promise<number | undefined>
}

/** `folder` is where the fleet is started: it has the optional settings file. */
export async function checkFolder(
  dataFolder: string,
  folder: string,
  { ownRedis, findFree = findFreeBytes }: FolderOptions,
): Promise<Finding[]> {
  const usable = await checkUsable(dataFolder)
  if (usable.level === 'error') return [usable, checkSettingsFile(folder)]
  return [
    usable,
    ...(await checkSpace(dataFolder, findFree)),
    ...(await checkToken(path.join(dataFolder, 'web-token'))),
    ...(ownRedis ? await checkRedisFiles(dataFolder) : []),
    checkSettingsFile(folder),
  ]
}

/** Undefined unless the server of this folder takes connections and says nothing. */
export async function checkFrozen(dataFolder: string): Promise<Finding | undefined> {
  const server = findServer(dataFolder)
  const endpoint = server && findEndpoint(server.url)
  if (!endpoint || (await probe(endpoint)) !== 'silent') return undefined
  const { pid } = server
  return {
    level: 'error',
    about: 'Redis',
    found: `the embedded Redis (process ${pid}) takes connections and answers nothing: it is stopped, or the machine is overloaded`,
    fix: `Let it go on with "kill -CONT ${pid}"; if that does not help, end it with "kill -9 ${pid}": a running fleet starts it again, and else "npm start" does.`,
  }
}

async function checkUsable(dataFolder: string): Promise<Finding> {
  const about = 'data folder'
  try {
    if (!(await stat(dataFolder)).isDirectory()) {
      const fix = 'Move that file away, or set FLOTILLA_DATA to a folder.'
      return { level: 'error', about, found: `${dataFolder} is a file`, fix }
    }
    await access(dataFolder, constants.R_OK | constants.W_OK | constants.X_OK)
    // A file system mounted read-only lets root pass every check but this one.
    const file = path.join(dataFolder, '.doctor')
    await (await open(file, constants.O_RDWR | constants.O_CREAT, 0o600)).close()
    await rm(file, { force: true })
    return { level: 'ok', about, found: dataFolder }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    if (code === 'ENOENT') return { level: 'ok', about, found: `${dataFolder} (made by the first start)` }
    const found = `${dataFolder} cannot be used (${code})`
    if (code === 'ENOSPC' || code === 'EDQUOT') return { level: 'error', about, found, fix: spaceFix }
    const fix = `Give this account the right to write there (chown or chmod), mount it writable, or set FLOTILLA_DATA to another folder.`
    return { level: 'error', about, found, fix }
  }
}

const spaceFix =
  'Free some space, or set FLOTILLA_DATA to a folder on a larger disk: a full disk makes Redis refuse every write.'

async function checkSpace(dataFolder: string, findFree: NonNullable<FolderOptions['findFree']>): Promise<Finding[]> {
  const about = 'disk space'
  const free = await findFree(dataFolder)
  if (free === undefined) return []
  const found = `${Math.round(free / 1e6)} MB free`
  if (free >= leastFreeBytes.warning) return [{ level: 'ok', about, found }]
  return [{ level: free < leastFreeBytes.error ? 'error' : 'warning', about, found, fix: spaceFix }]
}

async function findFreeBytes(folder: string): Promise<number | undefined> {
  const disk = await statfs(folder).catch(() => undefined)
  return disk && disk.bavail * disk.bsize
}

async function checkToken(file: string): Promise<Finding[]> {
  const about = 'web token'
  const text = await readFile(file, 'utf8').catch((error: unknown) => error)
  if (typeof text === 'string') {
    const { length } = text.trim()
    if (length >= minTokenChars) return [{ level: 'ok', about, found: file }]
    const found = `${file} ${length === 0 ? 'is empty' : `has ${length} characters`}, so nobody can log in on the web page`
    return [
      {
        level: 'error',
        about,
        found,
        fix: `Delete the file: a new token is made within a second, or at the next start.`,
      },
    ]
  }
  if (text instanceof Error && 'code' in text && text.code === 'ENOENT') return []
  const fix = 'Make it readable for this account, or delete it to get a new one.'
  return [{ level: 'error', about, found: `${file} cannot be read`, fix }]
}

/** The append-only file can be judged only while no server writes it. */
async function checkRedisFiles(dataFolder: string): Promise<Finding[]> {
  const server = findServer(dataFolder)
  const endpoint = server && findEndpoint(server.url)
  if (endpoint && (await probe(endpoint)) !== 'gone') return []
  const folder = path.join(dataFolder, 'redis', 'appendonlydir')
  const manifest = (await readdir(folder).catch(() => [])).find((name) => name.endsWith('.manifest'))
  if (manifest === undefined) return []
  const about = 'append-only file'
  const file = path.join(folder, manifest)
  const problem = await findDamage(file)
  if (problem === undefined) return [{ level: 'ok', about, found: 'whole' }]
  if (problem === 'unknown') {
    return [
      { level: 'warning', about, found: 'not looked at: there is no redis-check-aof', fix: 'Install redis-tools.' },
    ]
  }
  const refused = /Bad file format|Error reading|Unrecoverable|Unknown.{0,80}AOF/i.test(await readLogTail(dataFolder))
  if (!refused && /Reached EOF|Expected to read/.test(problem)) {
    return [
      { level: 'ok', about, found: 'ends in the middle of a command, as after a crash; the next start cuts that off' },
    ]
  }
  const fix = `Keep a copy of ${path.dirname(folder)}, then run "redis-check-aof --fix ${file}" and start again. What came after the damage is lost.`
  return [{ level: 'error', about, found: `damaged: ${problem}`, fix }]
}

/** Undefined when it is whole, `unknown` without the checker, else the checker's own words. */
async function findDamage(manifest: string): Promise<string | undefined> {
  try {
    await promisify(execFile)('redis-check-aof', [manifest], { timeout: checkTimeoutMs, maxBuffer: 1e6 })
    return undefined
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'unknown'
    const out = error instanceof Error && 'stdout' in error ? String(error.stdout) : ''
    const [, what = 'redis-check-aof refuses it'] = /^0x *[0-9a-f]+: (.*)$/m.exec(out) ?? []
    const [, name = ''] = /^AOF (\S+) is not valid/m.exec(out) ?? []
    return `${name} ${what}`.trim().slice(0, 300)
  }
}

async function readLogTail(dataFolder: string): Promise<string> {
  const text = await readFile(path.join(dataFolder, 'redis.log'), 'utf8').catch(() => '')
  return text.slice(-logTailBytes)
}

function checkSettingsFile(folder: string): Finding {
  try {
    loadRouting(folder)
    return { level: 'ok', about: 'flotilla.config.json', found: 'absent or understood' }
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error)
    return {
      level: 'error',
      about: 'flotilla.config.json',
      found,
      fix: 'Correct the file as the message says, or delete it.',
    }
  }
}
