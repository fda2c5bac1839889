// The optional `flotilla.config.json`: what is too long for an environment variable, today the router's patterns and
// thresholds. Unknown keys are refused by path; `routing` is checked by the router's own schema, not here.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { BotError } from '#shared/errors.ts'

export const configFileName = 'flotilla.config.json'

const configFile = z.strictObject({
  /** For editors only. */
  $schema: z.string().optional(),
  routing: z.unknown().optional(),
})
export type ConfigFile = { readonly routing?: unknown }

/** Reads the file in `folder`; without one, an empty configuration. Throws BotError `config` naming each wrong path. */
export function loadConfigFile(folder: string): ConfigFile {
  const file = path.join(folder, configFileName)
  const text = readIfPresent(file)
  if (text === undefined) return {}
  const parsed = configFile.safeParse(parseJson(text, file))
  if (parsed.success) return parsed.data.routing === undefined ? {} : { routing: parsed.data.routing }
  const known = Object.keys(configFile.shape).join(', ')
  const lines = parsed.error.issues.flatMap((issue) => {
    const at = issue.path.join('.')
    if (issue.code !== 'unrecognized_keys') return [`  - ${at || 'the file'}: ${issue.message}`]
    return issue.keys.map((key) => `  - ${[...issue.path, key].join('.')} is not a setting. Known here: ${known}.`)
  })
  throw new BotError('config', [`${file} cannot be used:`, ...lines].join('\n'))
}

function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
    throw new BotError('config', `${file} cannot be read. Check that it is a file and may be read by this account.`, {
      cause,
    })
  }
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new BotError(
      'config',
      `${file} is not JSON (${cause instanceof Error ? cause.message : 'unreadable'}). Correct it, or delete it.`,
      { cause },
    )
  }
}
