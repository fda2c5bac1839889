// One operating system process of a fault test: started, stopped, killed, frozen and thawed by its pid, its output kept.
// Whatever is still alive when the test process ends is killed with it.
import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { childEnv } from '#test/rig/child-env.ts'
import { toHoldKey, type Hold, type HoldNews } from './holds.ts'

export type Child = {
  readonly name: string
  readonly pid: number
  readonly startedAtMs: number
  /** What it says it holds. */
  holds(): readonly Hold[]
  /** Resolves when it has ended: an exit code, or the signal that ended it. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>
  isRunning(): boolean
  /** Resolves with the first line of output, past or future, that contains the text. Rejects when the process ends or after `timeoutMs`. */
  line(text: string, timeoutMs?: number): Promise<string>
  /** SIGTERM; resolves with its exit code. */
  stop(): Promise<number | null>
  /** SIGKILL, waits. */
  kill(): Promise<void>
  freeze(): void
  thaw(): void
  /** Resident memory in MB, 0 when it is gone. */
  rssMb(): number
  /** Processor time used so far in ms, 0 when it is gone. */
  cpuMs(): number
  /** The last lines it wrote. */
  tail(lines?: number): string
}

export type ChildOptions = {
  readonly name: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Gets all that it says of its work. */
  readonly onNews?: ((news: HoldNews) => void) | undefined
}

const keptLines = 400

export function startChild({ name, args, cwd, env, onNews }: ChildOptions): Child {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    cwd,
    env: { ...childEnv, HOME: process.env['HOME'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const lines: string[] = []
  const watchers = new Set<() => void>()
  const holds = new Map<string, Hold>()
  child.on('message', (news: HoldNews) => {
    if (news.set) holds.set(toHoldKey(news.set), news.set)
    onNews?.(news)
    if (news.gone) holds.delete(toHoldKey(news.gone))
  })
  const reap = (): void => void child.kill('SIGKILL')
  process.once('exit', reap)
  keepLines(child, lines, () => watchers.forEach((look) => look()))
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('close', (code, signal) => {
      process.removeListener('exit', reap)
      resolve({ code, signal })
      watchers.forEach((look) => look())
    })
  })
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null
  const pid = child.pid ?? 0
  const tail = (count = 20): string => lines.slice(-count).join('\n')
  return {
    name,
    pid,
    holds: () => [...holds.values()],
    startedAtMs: Date.now(),
    ended,
    isRunning,
    tail,
    line: (text, timeoutMs = 20_000) =>
      new Promise((resolve, reject) => {
        const finish = (act: () => void): void => {
          clearTimeout(timer)
          watchers.delete(look)
          act()
        }
        const fail = (why: string): void =>
          finish(() => reject(new Error(`${name} (${pid}) ${why} "${text}":\n${tail()}`)))
        const look = (): void => {
          const found = lines.find((line) => line.includes(text))
          if (found !== undefined) finish(() => resolve(found))
          else if (!isRunning()) fail('ended without writing')
        }
        const timer = setTimeout(() => fail(`did not within ${timeoutMs} ms write`), timeoutMs)
        watchers.add(look)
        look()
      }),
    async stop() {
      child.kill('SIGTERM')
      return (await ended).code
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    rssMb: () => readRssMb(pid),
    cpuMs: () => readCpuMs(pid),
  }
}

function keepLines(child: ChildProcess, lines: string[], onLine: () => void): void {
  for (const stream of [child.stdout, child.stderr]) {
    let rest = ''
    stream?.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n')
      rest = parts.pop() ?? ''
      lines.push(...parts)
      if (lines.length > keptLines) lines.splice(0, lines.length - keptLines)
      onLine()
    })
  }
}

function readRssMb(pid: number): number {
  try {
    const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Math.round(Number(kb ?? 0) / 1024)
  } catch {
    return 0
  }
}

function readCpuMs(pid: number): number {
  try {
    // Behind the name, which may hold anything: user and system time are the 12th and 13th fields, in hundredths of a second.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return 10 * (Number(fields[11]) + Number(fields[12]))
  } catch {
    return 0
  }
}
