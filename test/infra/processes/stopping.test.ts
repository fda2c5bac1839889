// `npm start` with real processes: however it is told to stop, and however its start fails, everything of it ends in order.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { takeFileLock } from '#infra/redis/file-lock.ts'
import { findIdentity } from '#infra/redis/process-identity.ts'
import { childEnv } from '#test/rig/child-env.ts'
import { startRedis } from '#test/rig/redis.ts'

vi.setConfig({ testTimeout: 60_000 })

const graceMs = 25_000
let folder = ''
let started: ChildProcess[] = []

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'flotilla-stop-'))
})
afterEach(() => {
  for (const child of started) if (isRunning(child)) process.kill(-(child.pid ?? 0), 'SIGKILL')
  started = []
  rmSync(folder, { recursive: true, force: true })
})

type Start = { readonly child: ChildProcess; output(): string; readonly code: Promise<unknown> }

/** In a process group of its own, as a shell or a service manager starts it. */
async function start(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = '.',
): Promise<Start> {
  const [program = '', ...args] = command
  const child = spawn(program, args, {
    cwd,
    detached: true,
    env: {
      ...childEnv,
      HOME: folder,
      FLOTILLA_DATA: path.join(folder, '.flotilla'),
      FLOTILLA_PORT: String(await findQuietPort()),
      OLLAMA_HOST: 'http://127.0.0.1:1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)))
  return { child, output: () => output, code: once(child, 'close').then(([code]) => code) }
}

/** Of those that the system gives to nobody, so that no other test takes it before the fleet does. */
async function findQuietPort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    const server = net.createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    server.close()
    if (isFree) return port
  }
}

const npmStart = (): Promise<Start> => start(['npm', 'start'])

async function untilRunning({ child, output }: Start): Promise<void> {
  while (!output().includes('Flotilla is running')) {
    if (!isRunning(child)) throw new Error(`It ended:\n${output()}`)
    await Promise.race([once(child.stdout ?? child, 'data'), once(child, 'exit')])
  }
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null
}

/** The pid of the folder's server, and of the fleet itself, which is not npm's. */
function pids(): { server: number; fleet: number } {
  const read = (name: string) => JSON.parse(readFileSync(path.join(folder, '.flotilla', name), 'utf8'))
  return { server: read('redis.json').identity.pid, fleet: read('fleet.json').holder.pid }
}

function expectNothingLeft(said = ''): void {
  for (const name of ['fleet', 'redis']) {
    const lock = takeFileLock(path.join(folder, '.flotilla', `${name}.lock`))
    expect(lock, `${name}.lock`).toBeDefined()
    lock?.close()
    expect(existsSync(path.join(folder, '.flotilla', `${name}.json`)), `${name}: ${said}`).toBe(false)
  }
}

/** What gives npm a pid namespace in which it is process 1, as in a container. Only root may, and not everywhere. */
const asFirst = ['unshare', '--pid', '--fork', '--mount-proc'] as const
const mayBeFirst = spawnSync(asFirst[0], [...asFirst.slice(1), 'true']).status === 0

/** Of process 1 of the namespace that `unshare` opened, as it is known out here. */
function findFirst(unshare: number): number {
  return Number(readFileSync(`/proc/${unshare}/task/${unshare}/children`, 'utf8').trim().split(' ')[0])
}

describe('npm start ends in order', () => {
  test.each([
    ['told by a service manager, which knows npm alone', (npm: number) => process.kill(npm, 'SIGTERM')],
    ['interrupted by Ctrl-C, which all in the terminal get', (npm: number) => process.kill(-npm, 'SIGINT')],
    [
      'told with all its processes, the server among them',
      (npm: number, server: number) => {
        process.kill(-npm, 'SIGTERM')
        process.kill(server, 'SIGTERM')
      },
    ],
  ])('%s', async (_, tell) => {
    const running = await npmStart()
    await untilRunning(running)
    const { server, fleet } = pids()
    const atMs = performance.now()
    tell(running.child.pid ?? 0, server)
    expect(await running.code, running.output()).toBe(0)
    expect(performance.now() - atMs).toBeLessThan(graceMs)
    expect(running.output()).toContain('"msg":"stopped"')
    expect([server, fleet].map(findIdentity)).toEqual([undefined, undefined])
    expectNothingLeft(running.output())
  })

  test.skipIf(!mayBeFirst).each(['SIGTERM', 'SIGINT'] as const)(
    'told by %s as process 1 of a container (skipped where this user may open no pid namespace)',
    async (signal) => {
      const running = await start([...asFirst, 'npm', 'start'])
      await untilRunning(running)
      const atMs = performance.now()
      process.kill(findFirst(running.child.pid ?? 0), signal)
      expect(await running.code, running.output()).toBe(0)
      expect(performance.now() - atMs).toBeLessThan(graceMs)
      expect(running.output()).toContain('"msg":"stopped"')
      expectNothingLeft(running.output())
    },
  )

  test('told before it has started', async () => {
    const running = await npmStart()
    const file = path.join(folder, '.flotilla', 'redis.json')
    while (!existsSync(file)) await sleep(2)
    process.kill(running.child.pid ?? 0, 'SIGTERM')
    expect(await running.code, running.output()).toBe(0)
    expectNothingLeft(running.output())
  })
})

describe('a start that fails ends with everything it started', () => {
  const all = [process.execPath, path.resolve('infra/cli.ts'), 'all']

  test('by a port that is taken', async () => {
    const server = net.createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const failing = await start(all, { FLOTILLA_PORT: String(port) }, folder)
    expect(await failing.code).toBe(1)
    expect(failing.output()).toContain(`${port}`)
    server.close()
    expectNothingLeft()
  })

  test('by a rule of routing that cannot be used, with executor and channels running', async () => {
    writeFileSync(path.join(folder, 'flotilla.config.json'), '{"routing":{"nonsense":1}}')
    const failing = await start(all, {}, folder)
    expect(await failing.code).toBe(1)
    expect(failing.output()).toContain('flotilla.config.json has routing rules that cannot be used')
    expectNothingLeft()
  })

  test('by a Redis that goes away half way', async () => {
    await using redis = await startRedis()
    const open = new Set<net.Socket>()
    const front = net.createServer((client) => {
      const upstream = net.connect(redis.port, '127.0.0.1')
      for (const socket of [client, upstream]) open.add(socket.on('error', () => {}))
      // The last thing that a start asks of it.
      client.on('data', (bytes) => {
        if (!bytes.includes('HSETNX')) return void upstream.write(bytes)
        front.close()
        for (const socket of open) socket.destroy()
      })
      upstream.pipe(client)
    })
    await once(front.listen(0, '127.0.0.1'), 'listening')
    const address = front.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const failing = await start(all, { REDIS_URL: `redis://127.0.0.1:${port}` }, folder)
    expect(await failing.code).toBe(1)
    expect(failing.output()).not.toContain('Flotilla is running')
  })
})
