// A new capability is a folder under services, and an import and a line in the list of capabilities: shown in a copy of the tree, in which nothing else
// is touched.
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { childEnv } from '#test/rig/child-env.ts'

const list = 'infra/processes/capabilities.ts'
const folders = ['infra', 'queues', 'services', 'shared', 'adapters', 'test/rig', 'test/simulators']

/** What stands once in the list, and what it becomes. */
const wired: readonly (readonly [string, string])[] = [
  [
    "import type { Capability } from '#shared/feature/capability.ts'\n",
    "import { demoMemoryCapability } from '#services/demo-memory/demo-memory.ts'\nimport type { Capability } from '#shared/feature/capability.ts'\n",
  ],
  ['  showAgain,\n]', '  showAgain,\n  demoMemoryCapability,\n]'],
]

async function copyTree(): Promise<string> {
  const copy = await mkdtemp(path.join(tmpdir(), 'one-line-'))
  onTestFinished(() => rm(copy, { recursive: true }))
  for (const name of [...folders, 'package.json']) await cp(name, path.join(copy, name), { recursive: true })
  await symlink(path.resolve('node_modules'), path.join(copy, 'node_modules'))
  return copy
}

test('a capability with every common part is added by its folder and one list', async () => {
  const copy = await copyTree()
  await mkdir(path.join(copy, 'services/demo-memory'))
  await cp('test/rig/demo-memory.ts', path.join(copy, 'services/demo-memory/demo-memory.ts'))
  let text = await readFile(list, 'utf8')
  for (const [before, after] of wired) {
    expect(text.split(before)).toHaveLength(2)
    text = text.replace(before, after)
  }
  await writeFile(path.join(copy, list), text)
  const words = [path.join(copy, 'test/rig/try-demo.ts')]
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: copy, env: childEnv })
  expect(JSON.parse(stdout)).toEqual({
    listed: true,
    command: 'Kept for an owner: milk is white (Europe/Berlin)',
    prompt: true,
    tool: true,
    card: expect.stringContaining('Shall I keep apples are red?'),
    answered: 'Kept: apples are red',
  })
})
