// `node test/mutants.ts --room executor [--seed 1] [--count 100]`: whether the tests notice when a room of services changes. It makes small
// changes, one at a time, and runs the room's tests on each; a change that no test notices is either a gap or changes nothing that matters.
// A change is made as the file is loaded: the files themselves are never touched.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { BaseSequencer, startVitest, type TestSpecification } from 'vitest/node'
import { findMutants, type Mutant } from '#test/rig/find-mutants.ts'

const root = path.dirname(import.meta.dirname)
const { values } = parseArgs({
  options: {
    room: { type: 'string', default: '' },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '100' },
    /** The change to run the tests on; what the other processes of a run are given. */
    change: { type: 'string' },
  },
})
if (values.change === undefined) await main()
else await runTests(JSON.parse(values.change))

async function main(): Promise<void> {
  const beganMs = performance.now()
  const sample = pick(
    findMutants(root, `services/${values.room}/`),
    Number(values.count),
    toRandom(Number(values.seed)),
  )
  if (sample.length === 0)
    throw new Error(`There is nothing to change in services/${values.room}; name a room, for example --room executor.`)
  const unchanged = await tryOne(undefined, 600_000)
  if (unchanged !== undefined) throw new Error(`The tests are red without any change: ${unchanged}`)
  // Much longer than without a change, also on a machine that is busy by then: it hangs.
  const limitMs = Math.ceil(8 * (performance.now() - beganMs)) + 30_000
  const survivors: Mutant[] = []
  const rest = sample.values()
  const work = async (): Promise<void> => {
    for (const mutant of rest) {
      const noticed = await tryOne(mutant, limitMs)
      if (noticed === undefined) survivors.push(mutant)
      const { file, line, was, now } = mutant
      process.stdout.write(`${file}:${line} \`${short(was)}\` -> \`${short(now)}\` ${noticed ?? 'SURVIVED'}\n`)
    }
  }
  await Promise.all(Array.from({ length: Math.min(2, os.availableParallelism()) }, work))
  const killed = sample.length - survivors.length
  const seconds = Math.round((performance.now() - beganMs) / 1000)
  process.stdout.write(`${killed} of ${sample.length} noticed, ${seconds} s.\n`)
}

/** What noticed the change; undefined when nothing did. Tests that hang have noticed too. */
async function tryOne(mutant: Mutant | undefined, timeoutMs: number): Promise<string | undefined> {
  const args = [import.meta.filename, '--room', values.room, '--change', JSON.stringify(mutant ?? null)]
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  })
  os.setPriority(child.pid ?? 0, 10)
  const output: string[] = []
  child.stdout.setEncoding('utf8').on('data', (piece: string) => output.push(piece))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  const name = /^noticed by (.*)$/mu.exec(output.join(''))?.[1]
  return code === 0 ? undefined : (name ?? (code === null ? 'hangs' : 'fails as a whole'))
}

/** Runs the room's tests, but for those that look at a clock and are slow or red when the machine is busy. */
async function runTests(mutant: Mutant | null): Promise<void> {
  const change = {
    name: 'change',
    enforce: 'pre',
    transform: (code: string, id: string) =>
      mutant && id === path.join(root, mutant.file)
        ? code.slice(0, mutant.at) + mutant.now + code.slice(mutant.at + mutant.was.length)
        : undefined,
  } as const
  // The tests of the same folder first, and of these the one of the same name: they are the likeliest to notice.
  const near = ({ moduleId }: TestSpecification): number => {
    const { dir, name } = path.parse(mutant?.file ?? '')
    return (
      (path.dirname(moduleId) === path.join(root, 'test', dir) ? 0 : 1) +
      (moduleId.endsWith(`/${name}.test.ts`) ? 0 : 2)
    )
  }
  class NearestFirst extends BaseSequencer {
    override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      return Promise.resolve(files.toSorted((a, b) => near(a) - near(b)))
    }
  }
  const vitest = await startVitest(
    'test',
    [`test/services/${values.room}/`],
    {
      config: path.join(root, 'test/vitest.config.ts'),
      exclude: ['**/*-long.test.ts', '**/hostile-texts.test.ts'],
      testNamePattern: '^(?!.*(?:quick|millisecond))',
      watch: false,
      cache: false,
      bail: 1,
      pool: 'threads',
      maxWorkers: 1,
      testTimeout: 20_000,
      reporters: [{}],
      sequence: { sequencer: NearestFirst },
    },
    { plugins: [change] },
  )
  const modules = vitest.state.getTestModules()
  const [red] = modules.flatMap(({ children }) => [...children.allTests('failed')])
  const broken = modules.find((module) => module.errors().length > 0)
  const name = red?.fullName ?? (broken && `loading ${broken.moduleId}`)
  if (name) process.stdout.write(`noticed by ${name}\n`)
  process.exit(name || modules.length === 0 || vitest.state.getUnhandledErrors().length > 0 ? 1 : 0)
}

/** As many of each file as its share of the lines asks for. */
function pick(byFile: ReadonlyMap<string, readonly Mutant[]>, count: number, random: () => number): readonly Mutant[] {
  const files = [...byFile].map(([file, mutants]) => ({
    lines: readFileSync(path.join(root, file), 'utf8').split('\n').length,
    left: mutants.map((mutant) => ({ mutant, place: random() })).toSorted((a, b) => a.place - b.place),
  }))
  const picked: Mutant[] = []
  while (picked.length < count) {
    const open = files.filter(({ left }) => left.length > 0)
    let at = random() * open.reduce((sum, { lines }) => sum + lines, 0)
    const next = open.find(({ lines }) => (at -= lines) < 0)?.left.pop()
    if (!next) break
    picked.push(next.mutant)
  }
  return picked
}

/** Mulberry32: https://gist.github.com/tommyettinger/46a874533244883189143505d203312c */
function toRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function short(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').replace(/^(.{60}).+$/u, '$1…')
}
