// Runs a command of the shell as an operator does, in a process of its own beside a fleet.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Fleet } from './fleet.ts'

export const runContext = async (fleet: Fleet, args: readonly string[], env: Record<string, string> = {}) =>
  await runFlotilla(fleet, ['context', ...args], env)

export async function runFlotilla(fleet: Fleet, args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['infra/cli.ts', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      REDIS_URL: fleet.redis.url,
      OPENAI_API_KEY: 'sk-test',
      OPENAI_BASE_URL: fleet.model.url,
      FLOTILLA_MODEL: 'sim-main',
      ...env,
    },
  })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { out, err, code }
}
