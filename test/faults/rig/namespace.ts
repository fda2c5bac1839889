// A pid namespace, as a container has one: processes in it do not see those of others, nor are they seen. Everything in it ends with it.
// Linux only, and only where `unshare` may make one: otherwise `openNamespace` throws, and says so.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import process from 'node:process'

export type Inside = {
  /** All that it has written. */
  output(): string
  /** Resolves once the text is in the output; rejects when the process ends without it. */
  says(text: string): Promise<void>
  /** Resolves with its exit code, null after a signal. */
  readonly ended: Promise<number | null>
  signal(name: NodeJS.Signals): void
}

export type Namespace = Disposable & {
  /** Starts a Node program in the namespace. */
  run(args: readonly string[], options: { cwd: string; env: Readonly<Record<string, string>> }): Inside
  /** Kills all of it at once, as a machine does that kills a container. */
  kill(): Promise<void>
}

export async function openNamespace(): Promise<Namespace> {
  const own = process.getuid?.() === 0 ? [] : ['--map-root-user']
  const flags = [...own, '--pid', '--fork', '--mount-proc']
  const tried = spawnSync('unshare', [...flags, 'true'], { encoding: 'utf8' })
  if (tried.status !== 0) {
    const why = tried.error?.message ?? tried.stderr.trim()
    throw new Error(`This machine makes no pid namespaces, so nothing is shown here: ${why}`)
  }
  const holder = spawn('unshare', [...flags, 'sh', '-c', 'echo ready; exec sleep 3600'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(holder, 'exit')
  await once(holder.stdout, 'data')
  const first = findChild(holder.pid ?? 0)
  // The first process of a namespace takes all others with it.
  const reap = (): void => {
    if (holder.exitCode === null && holder.signalCode === null) process.kill(first, 'SIGKILL')
  }
  process.once('exit', reap)
  return {
    run: (args, options) => runInside(first, args, options),
    async kill() {
      reap()
      await ended
      process.removeListener('exit', reap)
    },
    [Symbol.dispose]: reap,
  }
}

function runInside(
  first: number,
  args: readonly string[],
  { cwd, env }: { cwd: string; env: Readonly<Record<string, string>> },
): Inside {
  const own = process.getuid?.() === 0 ? [] : ['--user', '--preserve-credentials']
  const enter = ['--target', String(first), ...own, '--pid', '--mount', `--wdns=${cwd}`, process.execPath]
  const child = spawn('nsenter', [...enter, ...args], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const watchers = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      watchers.forEach((look) => look())
    })
  }
  const ended = once(child, 'close').then(() => child.exitCode)
  return {
    output: () => output,
    ended,
    // nsenter forks to be inside: the program is its child.
    signal: (name) => void process.kill(findChild(child.pid ?? 0), name),
    says: async (text) => {
      const said = new Promise<void>((resolve) => {
        const look = (): void => {
          if (output.includes(text)) resolve()
        }
        watchers.add(look)
        look()
      })
      const over = ended.then((code) => {
        throw new Error(`It ended (${code}) without saying "${text}":\n${output}`)
      })
      await Promise.race([said, over])
    },
  }
}

function findChild(pid: number): number {
  const [child = ''] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  if (child === '') throw new Error(`Process ${pid} has no child.`)
  return Number(child)
}
