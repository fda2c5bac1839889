// A failure that nobody caught, in a process of its own: what is logged of it, and who goes on.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'

/** Runs a process with one part, in which `then` happens once it runs; told to stop after that, it ends in order. */
async function run(atException: 'end' | 'go-on', then: string): Promise<{ lines: string[]; code: unknown }> {
  const script = `
    import { setImmediate as turn } from 'node:timers/promises'
    import { runParts } from '#infra/processes/lifecycle.ts'
    import { createLog } from '#infra/log/log.ts'
    const { log } = createLog({ level: 'warn', secrets: [] })
    const fail = (Kind = Error) => { throw new Kind('CANARY\\n    at CANARY (of a person)') }
    const later = async () => fail(TypeError)
    setInterval(() => {}, 1000)
    const part = { name: 'a', stop: async () => console.log('stopped in order') }
    setTimeout(async () => {
      ${then}
      for (let i = 0; i < 100; i++) await turn()
      process.kill(process.pid, 'SIGTERM')
    }, 50)
    process.exit(await runParts(log, async ({ add }) => [add(part)], '${atException}'))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  expect(said).not.toContain('CANARY')
  // The log and the console write each for itself: what the log says comes first here.
  const lines = said.split('\n').filter((line) => line !== '')
  return { lines: [...lines.filter(isLogged), ...lines.filter((line) => !isLogged(line))], code }
}

const isLogged = (line: string): boolean => line.startsWith('{')
const throwOne = 'setTimeout(fail); await new Promise((resolve) => setTimeout(resolve, 5))'

test.each(['end', 'go-on'] as const)('a promise that nobody waited for ends no process, which would %s', async (at) => {
  const { lines, code } = await run(at, 'later(); later()')
  expect(code).toBe(0)
  expect(lines).toHaveLength(2)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'error',
    type: 'TypeError',
    msg: expect.stringContaining('goes on'),
  })
  expect(JSON.parse(lines[0] ?? '').frames[0]).toMatch(/^at fail /)
  expect(lines[1]).toBe('stopped in order')
})

test('an exception ends a worker at once, and what it did counts as begun', async () => {
  const { lines, code } = await run('end', throwOne)
  expect(code).toBe(1)
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'fatal',
    type: 'Error',
    msg: expect.stringContaining('ends'),
  })
})

test('a process that people are connected to goes on, unless exceptions do not end', async () => {
  const few = await run('go-on', throwOne)
  expect([few.code, few.lines.at(-1)]).toEqual([0, 'stopped in order'])
  const many = await run('go-on', `for (let i = 0; i < 21; i++) { ${throwOne} }`)
  expect(many.code).toBe(1)
  expect(many.lines).toHaveLength(2)
})
