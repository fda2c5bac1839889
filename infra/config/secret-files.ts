// Secrets by file: `NAME_FILE` names a file that has the value of NAME, as containers and service managers hand secrets over.
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { secretVariables } from './secret-variables.ts'

type Env = Readonly<Record<string, string>>

const mostBytes = 65_536
const suffix = '_FILE'

/** Of secrets alone: any other setting may stand in .env. */
export const secretFileVariables: readonly string[] = [...secretVariables].map((name) => name + suffix)

/** `env` with the values of files in their places, and a sentence for each that could not be read. Paths are relative to `folder`. */
export function readSecretFiles(env: Env, folder: string): { readonly env: Env; readonly problems: readonly string[] } {
  const read: Record<string, string> = {}
  const problems: string[] = []
  for (const variable of secretFileVariables) {
    const given = env[variable]
    if (given === undefined) continue
    const name = variable.slice(0, -suffix.length)
    if (env[name] !== undefined) {
      problems.push(`${name} and ${variable} are both set. Unset one of them.`)
      continue
    }
    const found = readSecret(path.resolve(folder, given))
    if (found.kind === 'value') read[name] = found.value
    else problems.push(`${variable} names a file that ${found.why}. Correct the path, or unset ${variable}.`)
  }
  const rest = Object.entries(env).filter(([name]) => !secretFileVariables.includes(name))
  return { env: { ...Object.fromEntries(rest), ...read }, problems }
}

type Found = { readonly kind: 'value'; readonly value: string } | { readonly kind: 'none'; readonly why: string }

function readSecret(file: string): Found {
  try {
    const about = statSync(file)
    if (!about.isFile()) return { kind: 'none', why: 'is no file' }
    if (about.size > mostBytes) return { kind: 'none', why: 'is too large for a secret' }
    const value = readFileSync(file, 'utf8').trim()
    return value === '' ? { kind: 'none', why: 'is empty' } : { kind: 'value', value }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    return { kind: 'none', why: code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})` }
  }
}
