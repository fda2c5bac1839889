// How all tests are run: six files at a time, since most wait more than they compute, and the longest first, so that none of them is
// left to run alone at the end. `*-long.test.ts` take their time and seldom change: they run by `npm run test:long` alone. Files share a
// process and the modules loaded in it: loading everything for each file took a fifth of the time.
import { existsSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Those of more than twelve seconds; the order of the others is vitest's own. */
const longest = [
  'flows/forget-canaries',
  'flows/whose-answers',
  'flows/where-texts-stand',
  'faults/quick',
  'flows/questions-script',
  'adapters/web/tabs',
  'flows/busy-groups',
  'adapters/web/deeds',
  'flows/forget-hints',
  'flows/forgotten-words',
  'flows/plans',
  'infra/processes/failed-start',
  'adapters/web/questions',
  'flows/telegram-stops',
  'flows/answers-by-words',
  'queues/workers/follow-records',
  'queues/fleet/liveness',
  'infra/processes/stopping',
  'flows/scene',
  'adapters/web/page',
  'adapters/web/reading',
  'flows/forgotten-summaries',
  'contracts/channel',
  'adapters/discord/stumbles',
  'infra/doctor/feishu',
  'contracts/kernel-cluster',
  'queues/fleet/send-budget',
  'flows/groups',
  'contracts/kernel',
  'flows/context',
  'infra/doctor/telegram',
  'flows/feishu-calls',
  'adapters/discord/lost-sessions',
  'queues/fleet/model-gate',
  'flows/quiet',
]

const gone = longest.filter((name) => !existsSync(path.join(import.meta.dirname, `${name}.test.ts`)))
if (gone.length > 0) throw new Error(`The list of the longest tests names ${gone.join(', ')}, which is not there.`)

const isLong = process.env['TESTS'] === 'long'

// Also for the processes that tests start.
process.env['NODE_COMPILE_CACHE'] ??= path.resolve('node_modules/.cache/flotilla-tests')

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const found = longest.findIndex((name) => moduleId.endsWith(`test/${name}.test.ts`))
      return found < 0 ? longest.length : found
    }
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own method, not an array's
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
  }
}

export default defineConfig({
  test: {
    root: path.dirname(import.meta.dirname),
    include: [isLong ? 'test/**/*-long.test.ts' : 'test/**/*.test.ts'],
    exclude: isLong ? [] : ['test/**/*-long.test.ts'],
    maxWorkers: 6,
    isolate: false,
    // Node runs the files as it runs the project's. Vite's own module runner took a fifth of the time.
    experimental: { viteModuleRunner: false },
    // Waiting ends a test that fails; on a busy machine a second is not long.
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 45_000,
    hookTimeout: 60_000,
    sequence: { sequencer: LongestFirst },
  },
})
