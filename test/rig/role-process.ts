// A process of the fleet as an operator starts it: `flotilla <role>` in a folder of its own, with nothing but the settings given.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { childEnv } from './child-env.ts'

export type RoleProcess = AsyncDisposable & {
  /** All that it has written. */
  said(): string
  /** Resolves once it has written this. */
  until(pattern: RegExp): Promise<void>
  /** Its exit code, once it has ended. */
  readonly exited: Promise<number | null>
}

const program = path.resolve('infra/cli.ts')

/** Ends with the scope that it is used in. */
export async function startRole(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  folder?: string,
): Promise<RoleProcess> {
  const cwd = folder ?? (await mkdtemp(path.join(tmpdir(), 'role-')))
  const child = spawn(process.execPath, [program, ...words], { cwd, env: { ...childEnv, ...env } })
  let text = ''
  const heard = new EventTarget()
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
      heard.dispatchEvent(new Event('more'))
    })
  }
  const exited = once(child, 'close').then(() => child.exitCode)
  return {
    said: () => text,
    async until(pattern) {
      const isOver = exited.then(() => 'over' as const)
      while (!pattern.test(text)) {
        const more = new Promise((resolve) => heard.addEventListener('more', resolve, { once: true }))
        if ((await Promise.race([more, isOver])) === 'over' && !pattern.test(text))
          throw new Error(`It ended and did not say ${String(pattern)}: ${text}`)
      }
    },
    exited,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exited
      if (folder === undefined) await rm(cwd, { recursive: true, force: true })
    },
  }
}
