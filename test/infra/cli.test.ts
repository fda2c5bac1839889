// The program's own words: help everywhere, and what was probably meant.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

async function run(...args: readonly string[]): Promise<{ out: string; err: string; code: unknown }> {
  const child = spawn(process.execPath, ['infra/cli.ts', ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { out, err, code }
}

test('lists the commands when asked for help', async () => {
  expect(await run('--help')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/Usage:[^]*console[^]*doctor/),
    err: '',
  })
})

test.each(['console', 'doctor', 'route', 'context', 'confidence', 'curiosity', 'memory', 'all', 'web'])(
  'explains %s when asked for help, and does not start it',
  async (name) => {
    expect(await run(name, '--help')).toMatchObject({ code: 0, out: expect.stringContaining(`flotilla ${name}: `) })
  },
)

test.each([
  ['cosole', 'Did you mean "console"?'],
  ['docter', 'Did you mean "doctor"?'],
  ['toString', 'There is no command "toString".'],
])('names what was meant by %s', async (name, told) => {
  expect(await run(name)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(told) })
})

test.each(['router', 'telegram', 'all'])('%s takes no further words, and does not start with one', async (name) => {
  const told = `"${name}" takes no further words, such as "curioisty".\n`
  expect(await run(name, 'curioisty')).toEqual({ code: 2, out: '', err: told })
})

test('curiosity names its further words, asked for help or given another one, and does not start', async () => {
  const told = /curiosity gaps --jsonl[^]*curiosity report/
  expect(await run('curiosity', 'help')).toMatchObject({ code: 0, out: expect.stringMatching(told), err: '' })
  const { code, out, err } = await run('curiosity', 'curioisty')
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(/^"curiosity" does not know "curioisty": /)
  expect(err).toMatch(told)
})
