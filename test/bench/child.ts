// A process of the bench: started with an IPC channel, asked one thing at a time, stopped by its own handle.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ProcessStats } from './count-writes.ts'

export type Child = {
  readonly pid: number
  ask<T>(question: unknown): Promise<T>
  stats(): Promise<ProcessStats>
  /** Resident memory now and its peak since `resetPeak`, MB. */
  memory(): { readonly nowMb: number; readonly peakMb: number }
  stop(): Promise<void>
}

export type ChildOptions = {
  /** Relative to this folder. */
  readonly file: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** A shell script that runs the file named by LAUNCH_ENTRY, as processes are run that are shipped. */
  readonly launcher?: string
}

/** Starts a process and waits until it says `ready`. */
export async function startChild({ file, args = [], env = {}, launcher }: ChildOptions): Promise<Child> {
  const entry = fileURLToPath(new URL(file, import.meta.url))
  const child = fork(launcher ?? entry, args, {
    env: { ...process.env, ...env, LAUNCH_ENTRY: entry },
    ...(launcher === undefined ? {} : { execPath: 'sh', execArgv: [] }),
    stdio: ['ignore', process.env['BENCH_VERBOSE'] ? 2 : 'ignore', 2, 'ipc'],
  })
  await answer(child, () => {})
  const ask = <T>(question: unknown): Promise<T> => answer<T>(child, () => child.send({ question }))
  return {
    pid: child.pid ?? 0,
    ask,
    stats: () => ask<ProcessStats>({ kind: 'stats' }),
    memory: () => readMemory(child.pid ?? 0),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), 5000)
      await exited
      clearTimeout(timer)
    },
  }
}

function answer<T>(child: ChildProcess, send: () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`A process of the bench ended (${code}).`))
    child.once('exit', onExit)
    child.once('message', (message: { answer: T }) => {
      child.off('exit', onExit)
      resolve(message.answer)
    })
    send()
  })
}

/** The other side: says `ready` and answers questions one after the other. */
export function serveParent(handler: (question: unknown) => Promise<unknown>): void {
  process.once('disconnect', () => process.exit(1))
  process.on('message', (message: { question: unknown }) => {
    handler(message.question).then(
      (said) => process.send?.({ answer: said }),
      (error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
        process.exit(1)
      },
    )
  })
  process.send?.({ answer: 'ready' })
}

/** From /proc; the bench runs on Linux. */
function readMemory(pid: number): { nowMb: number; peakMb: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1024
  return { nowMb: megabytes('VmRSS'), peakMb: megabytes('VmHWM') }
}
