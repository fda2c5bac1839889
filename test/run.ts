// `npm run test:run`: all tests, and those files once more by themselves in which some failed. A busy machine makes a test wait in vain that has nothing
// wrong; a test that fails by itself, too, is wrong. Which ones needed that is told at the end (infra/decisions/100).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { z } from 'zod'

/** Where more fail, it is no accident. */
const mostFiles = 8

const outcome = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
})
type Failed = { readonly file: string; readonly tests: readonly string[] }

const vitest = path.resolve('node_modules/vitest/vitest.mjs')

async function run(args: readonly string[], into: string): Promise<number> {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${into}`]
  const given = ['run', '--config', 'test/vitest.config.ts', ...reporters, ...args]
  const child = spawn(process.execPath, [vitest, ...given], { stdio: 'inherit' })
  const [code] = z.tuple([z.number().nullable(), z.unknown()]).parse(await once(child, 'exit'))
  return code ?? 1
}

/** Undefined where it is not known what failed. */
async function readFailed(file: string): Promise<readonly Failed[] | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const { testResults } = outcome.parse(JSON.parse(text))
  return testResults.flatMap(({ name, status, assertionResults }) =>
    status === 'failed'
      ? [
          {
            file: path.relative(process.cwd(), name),
            tests: assertionResults.flatMap((one) => (one.status === 'failed' ? [one.fullName] : [])),
          },
        ]
      : [],
  )
}

async function main(args: readonly string[]): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'flotilla-tests-'))
  try {
    const first = await run(args, path.join(folder, 'first.json'))
    if (first === 0) return 0
    const failed = await readFailed(path.join(folder, 'first.json'))
    if (!failed || failed.length === 0 || failed.length > mostFiles) return first
    const files = failed.map(({ file }) => file)
    process.stdout.write(`\nBy themselves, once more: ${files.join(', ')}\n\n`)
    const again = await run(['--maxWorkers=1', ...files], path.join(folder, 'again.json'))
    if (again !== 0) return again
    const lines = failed.map(({ file, tests }) => `  ${file}${tests.map((test) => `\n    ${test}`).join('')}\n`)
    process.stdout.write(`\nThese failed beside the others, and passed by themselves:\n${lines.join('')}`)
    return 0
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

process.exitCode = await main(process.argv.slice(2))
