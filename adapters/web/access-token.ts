// The web token: one file that its owner may read, made on first run, read anew every second so that replacing it takes effect.
// A missing file is made again; an unreadable or short one lets nobody in.
import { randomBytes } from 'node:crypto'
import { chmod, link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { BotError } from '#shared/errors.ts'

const rereadAfterMs = 1000
/** Shorter than any token made here; a blank or cut file must not become a password. */
const minTokenChars = 32

export type AccessToken = {
  /** The token that holds now, at most a second old; undefined while the file cannot be used. */
  current(): Promise<string | undefined>
}

/** Opens the token file, making one of 256 random bits (mode 0600) if there is none. Throws BotError `config` if that fails. */
export async function openAccessToken(file: string): Promise<AccessToken> {
  let known = await load(file)
  let readAtMs = performance.now()
  let reading: Promise<string | undefined> | undefined
  return {
    async current() {
      if (performance.now() - readAtMs < rereadAfterMs) return known
      reading ??= load(file)
        .catch(() => undefined)
        .finally(() => (reading = undefined))
      known = await reading
      readAtMs = performance.now()
      return known
    },
  }
}

async function load(file: string): Promise<string | undefined> {
  const text = (await findText(file)) ?? (await create(file))
  const token = text.trim()
  return token.length >= minTokenChars ? token : undefined
}

async function findText(file: string): Promise<string | undefined> {
  try {
    const { mode } = await stat(file)
    if (mode & 0o077) await chmod(file, 0o600)
    return await readFile(file, 'utf8')
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
    throw new BotError(
      'config',
      `Cannot read the web token ${file}. ${adviceOf(cause, 'Make it readable, or remove it to get a new one.')}`,
      { cause },
    )
  }
}

/** Another process may be doing the same: the file appears whole by `link`, and the first one wins. */
async function create(file: string): Promise<string> {
  const fresh = `${file}.${randomBytes(6).toString('hex')}`
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(fresh, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
    await link(fresh, file).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    })
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw new BotError(
      'config',
      `Cannot write the web token ${file}. ${adviceOf(cause, 'Make its folder writable.')}`,
      { cause },
    )
  } finally {
    await rm(fresh, { force: true })
  }
}

const known: Readonly<Record<string, string>> = {
  ENOTDIR: 'Its folder is a file: move that away, or set FLOTILLA_DATA to a folder.',
  ENOSPC: 'The disk is full: free some space, or set FLOTILLA_DATA to a folder on a larger one.',
  EDQUOT: 'The disk quota is used up: free some space, or set FLOTILLA_DATA to another folder.',
  EROFS: 'The disk is mounted read-only: mount it writable, or set FLOTILLA_DATA to another folder.',
}

const adviceOf = (cause: unknown, otherwise: string): string =>
  (cause instanceof Error && 'code' in cause ? known[String(cause.code)] : undefined) ?? otherwise
