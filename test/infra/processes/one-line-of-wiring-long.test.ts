// A new capability is a folder under services, and an import and a line in the list of capabilities: shown in a copy of the tree, in which nothing else
// is touched.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { childEnv } from '#test/rig/child-env.ts'
import { findFreePort, startRedis } from '#test/rig/redis.ts'

const folders = ['infra', 'queues', 'services', 'shared', 'adapters', 'test/rig', 'test/simulators']
const list = 'infra/processes/capabilities.ts'
const demo = 'services/demo-memory/demo-memory.ts'
/** What stands once in the list, and what it becomes. */
const wired: readonly (readonly [string, string])[] = [
  [
    "import type { Capability } from '#shared/feature/capability.ts'\n",
    "import { demoMemoryCapability } from '#services/demo-memory/demo-memory.ts'\nimport type { Capability } from '#shared/feature/capability.ts'\n",
  ],
  ['  showAgain,\n]', '  showAgain,\n  demoMemoryCapability,\n]'],
]

let copy: string
beforeAll(async () => {
  copy = await mkdtemp(path.join(tmpdir(), 'one-line-'))
  for (const name of [...folders, 'package.json']) await cp(name, path.join(copy, name), { recursive: true })
  await symlink(path.resolve('node_modules'), path.join(copy, 'node_modules'))
  await cp('test/rig/demo-memory', path.join(copy, path.dirname(demo)), { recursive: true })
  for (const [before, after] of wired) await edit(list, before, after)
})
afterAll(() => rm(copy, { recursive: true }))

async function edit(file: string, before: string, after: string): Promise<void> {
  const text = await readFile(path.join(copy, file), 'utf8')
  expect(text.split(before)).toHaveLength(2)
  await writeFile(
    path.join(copy, file),
    text.replace(before, () => after),
  )
}

test('a capability with every common part is added by its folder and one list', async () => {
  const words = [path.join(copy, 'test/rig/try-demo.ts')]
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: copy, env: childEnv })
  expect(JSON.parse(stdout)).toEqual({
    listed: true,
    command: 'Kept for an owner: milk is white (Europe/Berlin)',
    prompt: true,
    tool: true,
    card: expect.stringContaining('Shall I keep apples are red?'),
    answered: 'Kept: apples are red',
    own: 'My facts in groups: are not used.',
  })
})

test('its page is served by a process that loads no model, and its routes are loaded when they are asked for', async () => {
  const loaded = 'The routes are loaded.\n'
  const routes = path.join(path.dirname(demo), 'demo-memory-routes.ts')
  await edit(routes, 'export const toRoutes', `process.stdout.write(${JSON.stringify(loaded)})\nexport const toRoutes`)
  const redis = await startRedis()
  const [port, data] = [await findFreePort(), path.join(copy, 'web-data')]
  const env = { ...childEnv, REDIS_URL: redis.url, FLOTILLA_DATA: data, FLOTILLA_PORT: String(port) }
  const child = spawn(process.execPath, ['infra/cli.ts', 'web'], {
    cwd: copy,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await redis.stop()
  })
  let said = ''
  const started = Promise.withResolvers<void>()
  child.stdout.setEncoding('utf8').on('data', (piece) => {
    said += String(piece)
    if (said.includes('"started"')) started.resolve()
  })
  await started.promise
  const headers = {
    Authorization: `Bearer ${(await readFile(path.join(data, 'web-token'), 'utf8')).trim()}`,
    'Content-Type': 'application/json',
  }
  const call = async (route: string, init: RequestInit = {}): Promise<Response> =>
    await fetch(`http://127.0.0.1:${port}${route}`, { headers, ...init })
  expect(await (await call('/')).text()).toContain('&quot;name&quot;:&quot;memo&quot;')
  expect(await (await call('/page/memo/page.js')).text()).toContain('export async function open')
  expect(said).not.toContain(loaded)
  const keep = await call('/api/memo/zone', { method: 'POST', body: JSON.stringify({ zone: 'Asia/Tokyo' }) })
  expect(await keep.json()).toEqual({ zone: 'Asia/Tokyo' })
  expect(await (await call('/api/memo/zone')).json()).toEqual({ zone: 'Asia/Tokyo' })
  expect(said).toContain(loaded)
})

test('the whole fleet in one process makes each feature once', async () => {
  const made = 'The demo memory is made.\n'
  const creation = 'createDemoMemory(access, clock, toGroups(people)),'
  await edit(demo, creation, `(process.stdout.write(${JSON.stringify(made)}), ${creation.slice(0, -1)}),`)
  const env = {
    ...childEnv,
    FLOTILLA_DATA: path.join(copy, 'data'),
    FLOTILLA_PORT: String(await findFreePort()),
    OLLAMA_HOST: 'http://127.0.0.1:1',
  }
  const child = spawn(process.execPath, ['infra/cli.ts', 'all'], {
    cwd: copy,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const closed = once(child, 'close')
  let said = ''
  for await (const piece of child.stdout.setEncoding('utf8')) {
    said += String(piece)
    if (said.includes('Flotilla is running')) child.kill('SIGTERM')
  }
  await closed
  expect(said).toContain('Flotilla is running')
  expect(said.split(made)).toHaveLength(2)
})
