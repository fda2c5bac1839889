// The life of a process whose start ends half way: all that had begun is stopped, and the exit code tells a failure from an order.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'

/** Runs a start in a process of its own; it has `part(name)`, `add`, `addAll` and `tell`, which sends the process a signal. */
async function run(start: string): Promise<{ stopped: string[]; code: unknown }> {
  const script = `
    import { runParts } from '#infra/processes/lifecycle.ts'
    const log = { info() {}, warn() {}, error() {} }
    const part = (name, ms = 0) => ({
      name,
      stop: () => new Promise((resolve) => setTimeout(() => (console.log(name), resolve()), ms)),
    })
    const tell = async () => {
      const told = new Promise((resolve) => process.once('SIGTERM', resolve))
      process.kill(process.pid, 'SIGTERM')
      await told
    }
    setInterval(() => {}, 1000) // as a connection would keep it running
    const code = await runParts(log, async ({ add, addAll, signal }) => { ${start} }).catch((error) => {
      if (error.message !== 'of its own') throw error
      return 1
    })
    process.exit(code)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { stopped: [...new Set(said.split('\n').filter(Boolean))], code }
}

const fail = "throw new Error('of its own')"

test('a start that throws stops what had begun, the last first', async () => {
  const { stopped, code } = await run(`add(part('a')); addAll([part('b'), part('c')]); ${fail}`)
  expect(stopped).toEqual(['c', 'b', 'a'])
  expect(code).toBe(1)
})

test('a start that is told to stop stops all that began together, and has not failed', async () => {
  const { stopped, code } = await run(
    `add(part('a')); await tell(); addAll([part('b'), part('c')]); add(part('never'))`,
  )
  expect(stopped.toSorted()).toEqual(['a', 'b', 'c'])
  expect(code).toBe(0)
})

test('a start that throws after it was told has failed all the same', async () => {
  const { stopped, code } = await run(`add(part('a')); await tell(); ${fail}`)
  expect(stopped).toEqual(['a'])
  expect(code).toBe(1)
})

test('a start that throws and is told while it stops has failed all the same', async () => {
  const { stopped, code } = await run(`add(part('a', 100)); setTimeout(tell, 20); ${fail}`)
  expect(stopped).toEqual(['a'])
  expect(code).toBe(1)
})

test('all parts get their time to stop, though the clock is set forward meanwhile', async () => {
  const { stopped } = await run(`
    const asked = (name) => ({ name, stop: async (graceMs) => console.log(name, graceMs > 10_000) })
    const sets = { name: 'sets', stop: async () => void (Date.now = () => performance.timeOrigin + 3_600_000) }
    addAll([asked('first'), sets])
    setTimeout(tell)
    return [asked('first'), sets]`)
  expect(stopped).toContain('first true')
  expect(stopped).not.toContain('first false')
})
