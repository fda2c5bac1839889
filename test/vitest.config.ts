// How all tests are run: three files at a time, since many wait for a clock, and the longest first, so that none of them is
// left to run alone at the end. `*-long.test.ts` take their time and seldom change: they run by `npm run test:long` alone. Files share a process, and what is loaded in it: loading everything for each took a fifth of the time.
import path from 'node:path'
import process from 'node:process'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Those of more than ten seconds; the order of the others is vitest's own. */
const longest = [
  'faults/quick',
  'infra/processes/stopping',
  'adapters/web/reading',
  'adapters/web/page',
  'flows/telegram-stops',
  'flows/replayed-webhooks',
  'adapters/web/managing',
  'flows/scene',
  'contracts/kernel-properties',
  'services/router/hostile-texts',
  'adapters/discord/stumbles',
  'infra/doctor/discord',
  'infra/doctor/telegram',
  'queues/workers/bot-overload',
  'queues/workers/sweeper',
  'infra/redis/embedded-redis',
  'flows/groups',
  'infra/processes/failed-start',
  'contracts/channel',
  'shared/model/token-estimate',
  'adapters/telegram/odd-answers',
  'flows/model-failures',
  'adapters/markup/injections',
  'adapters/discord/lost-sessions',
  'queues/kernel/reply-loss',
  'adapters/web/stream',
  'queues/workers/congestion',
  'flows/access',
  'adapters/discord/odd-answers',
  'flows/discord',
  'flows/link-previews',
  'flows/lost-answers',
  'flows/group-streaming',
]

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
    maxWorkers: 3,
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    sequence: { sequencer: LongestFirst },
  },
})
