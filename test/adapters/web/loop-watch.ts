// By how much the event loop of a process was late, as `test/rig/loop-figures.ts` writes it from within, and a process beside it that does nothing.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { childEnv } from '#test/rig/child-env.ts'

const figures = path.resolve('test/rig/loop-figures.ts')

/** With the memory of a channel (`infra/setup/launch.sh`). */
export const figuresEnv: Readonly<Record<string, string>> = {
  NODE_OPTIONS: `--import=${figures} --max-semi-space-size=4 --max-old-space-size=512`,
}

/** `usedMs`: how much of that its thread was at work itself. */
export type Late = { readonly lateMs: number; readonly usedMs: number }

/** Of all that a process said once it had started. */
export function findMost(said: string): Late {
  const lates = [...said.slice(Math.max(0, said.indexOf('"msg":"started"'))).matchAll(/^loop (\d+) (\d+)$/gm)]
  return {
    lateMs: Math.max(0, ...lates.map(([, late]) => Number(late))),
    usedMs: Math.max(0, ...lates.map(([, , used]) => Number(used))),
  }
}

export function startIdle(): AsyncDisposable & { said(): string } {
  const child = spawn(process.execPath, ['--import', figures, '-e', 'setInterval(() => {}, 1000)'], { env: childEnv })
  const ended = once(child, 'close')
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (said += piece))
  return {
    said: () => said,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
