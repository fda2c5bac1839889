// Each rule finds what is planted for it and leaves the permitted neighbour alone, so that none can pass vacuously.
import { describe, expect, test } from 'vitest'
import { allRules } from '#test/architecture/rules/all-rules.ts'
import type { RuleName } from '#test/architecture/rules/all-rules.ts'
import { mostPairs } from '#test/architecture/rules/imports.ts'
import { mostExecutorLines } from '#test/architecture/rules/sizes.ts'
import type { SourceFile } from '#test/architecture/rules/source-file.ts'

/** Written apart, so that no rule takes the plants in this very file for real. */
const up = ['.', '/'].join('.')
const aNumber = '30'
const numberType = 'number'
const opening = '// A file.\n'
const clean = manifest({ dependencies: { zod: '4.6.7' } })

type Plant = { readonly breach: readonly SourceFile[]; readonly fine: readonly SourceFile[] }

function file(path: string, text: string): SourceFile {
  return { path, text: opening + text }
}

function importing(path: string, target: string): SourceFile {
  return file(path, `import type { X } from '${target}'\n`)
}

function lines(path: string, count: number): SourceFile {
  return { path, text: 'f()\n'.repeat(count) }
}

/** Imports so many modules. */
function knowing(path: string, count: number): SourceFile {
  return file(path, Array.from({ length: count }, (_, i) => `import { a${i} } from './a${i}.ts'\n`).join(''))
}

/** So many pairs of folders that import each other, below this one. */
function pairs(folder: string, count: number): SourceFile[] {
  return Array.from({ length: count }, (_, i) => [
    importing(`${folder}/a${i}/a.ts`, `#${folder}/b${i}/b.ts`),
    importing(`${folder}/b${i}/b.ts`, `#${folder}/a${i}/c.ts`),
  ]).flat()
}

function manifest(content: object): SourceFile {
  return { path: 'package.json', text: JSON.stringify(content) }
}

function lock(version: string, integrity: string | undefined): SourceFile {
  return {
    path: 'package-lock.json',
    text: JSON.stringify({ packages: { '': {}, 'node_modules/zod': { version, integrity } } }),
  }
}

/** Several plants per rule: each breach alone must be found. */
const plants: Record<RuleName, readonly Plant[]> = {
  'imports go from infra to adapters to queues to services to shared': [
    {
      breach: [importing('shared/ids.ts', '#services/router/route.ts')],
      fine: [importing('services/router/route.ts', '#shared/ids.ts')],
    },
    {
      breach: [importing('services/router/a.ts', '#queues/kernel/b.ts')],
      fine: [importing('queues/kernel/b.ts', '#services/router/a.ts')],
    },
    {
      breach: [importing('queues/jobs/a.ts', '#adapters/web/b.ts')],
      fine: [importing('adapters/web/b.ts', '#queues/jobs/a.ts')],
    },
    {
      breach: [importing('adapters/web/b.ts', '#infra/log.ts')],
      fine: [importing('infra/processes/a.ts', '#adapters/web/b.ts')],
    },
    {
      breach: [importing('services/router/a.ts', '#services/executor/b.ts')],
      fine: [importing('services/router/a.ts', '#services/router/b.ts')],
    },
    {
      breach: [importing('adapters/web/a.ts', '#adapters/telegram/b.ts')],
      fine: [importing('adapters/web/a.ts', '#adapters/markup/b.ts')],
    },
    { breach: [importing('infra/a.ts', '#test/flows/b.ts')], fine: [importing('test/flows/b.ts', '#infra/a.ts')] },
  ],
  'imports are written #folder/… or ./ with an extension': [
    { breach: [importing('infra/redis/a.ts', `${up}log.ts`)], fine: [importing('infra/redis/a.ts', '#infra/log.ts')] },
    { breach: [importing('infra/a.ts', './redis/b.ts')], fine: [importing('infra/a.ts', './b.ts')] },
    { breach: [importing('infra/a.ts', './b')], fine: [importing('infra/a.ts', 'pino')] },
  ],
  'packages stay in infra, adapters and queues': [
    { breach: [importing('services/router/a.ts', 'ioredis')], fine: [importing('services/router/a.ts', 'zod')] },
    {
      breach: [importing('shared/a.ts', '@hono/node-server')],
      fine: [importing('adapters/web/a.ts', '@hono/node-server')],
    },
    { breach: [importing('adapters/web/page/a.js', 'zod')], fine: [importing('adapters/web/page/a.js', './b.js')] },
    { breach: [importing('services/memory/page/a.js', 'zod')], fine: [importing('services/memory/a.ts', 'zod')] },
  ],
  'only queues knows BullMQ': [
    { breach: [importing('infra/a.ts', 'bullmq')], fine: [importing('queues/jobs/a.ts', 'bullmq')] },
  ],
  'only queues runs Lua': [
    { breach: [file('infra/redis/a.lua', '')], fine: [file('queues/kernel/a.lua', '')] },
    {
      breach: [file('adapters/web/a.ts', "await redis.eval('return 1', 0)")],
      fine: [file('queues/kernel/a.ts', "await redis.eval('return 1', 0)")],
    },
  ],
  'services and shared do no I/O': [
    {
      breach: [importing('services/router/a.ts', 'node:fs')],
      fine: [importing('services/router/a.ts', 'node:crypto')],
    },
    {
      breach: [file('shared/a.ts', 'const home = process.env.HOME')],
      fine: [file('infra/a.ts', 'const home = process.env.HOME')],
    },
  ],
  'texts are normalised in one place': [
    {
      breach: [file('services/router/a.ts', "const folded = text.normalize('NFKC')")],
      fine: [file('shared/chat/normal-form.ts', "const folded = text.normalize('NFKC')")],
    },
    {
      breach: [file('adapters/web/page/a.js', 'const all = texts.map((one) => one.normalize())')],
      fine: [file('adapters/web/page/a.js', "const all = texts.map((one) => toNormalForm(one, 'NFC'))")],
    },
  ],
  'there are no import cycles, type imports included': [
    {
      breach: [importing('shared/a.ts', './b.ts'), importing('shared/b.ts', './a.ts')],
      fine: [importing('shared/a.ts', './b.ts'), file('shared/b.ts', '')],
    },
    {
      breach: [
        importing('infra/a.ts', '#infra/b/c.ts'),
        importing('infra/b/c.ts', './d.ts'),
        importing('infra/b/d.ts', '#infra/a.ts'),
      ],
      fine: [importing('infra/a.ts', './b.ts'), importing('infra/c.ts', './b.ts')],
    },
    {
      breach: [
        file('infra/a.js', "/** @type {import('./b.js').X} */"),
        file('infra/b.js', "/** @type {import('./a.js').X} */"),
      ],
      fine: [file('infra/a.js', "/** @type {import('./b.js').X} */")],
    },
  ],
  'a file imports at most 25 modules': [
    { breach: [knowing('infra/a.ts', 26)], fine: [knowing('infra/a.ts', 25), knowing('test/a.ts', 26)] },
  ],
  'hardly two folders import each other': [
    {
      breach: pairs('infra', mostPairs + 1),
      fine: [...pairs('infra', mostPairs), ...pairs('test', 1), ...pairs('services/executor', 1)],
    },
    {
      breach: [...pairs('infra', mostPairs), ...pairs('queues', 1)],
      fine: pairs('infra', mostPairs + 1).filter(({ path }) => path.includes('/a')),
    },
  ],
  'files are small': [
    { breach: [lines('infra/a.ts', 301)], fine: [lines('infra/a.ts', 300)] },
    { breach: [lines('test/a.test.ts', 501)], fine: [lines('test/a.test.ts', 500)] },
    { breach: [lines('shared/a.ts', 201)], fine: [lines('shared/a.ts', 200)] },
    { breach: [lines('queues/kernel/a.lua', 301)], fine: [lines('infra/docs/a.md', 301)] },
  ],
  'the executor stays small': [
    {
      breach: [lines('services/executor/run/a.ts', mostExecutorLines - 5), lines('services/executor/serve/b.ts', 6)],
      fine: [
        lines('services/executor/run/a.ts', mostExecutorLines),
        lines('services/memory/a.ts', mostExecutorLines + 1),
        { path: 'services/executor/serve/a.ts', text: '// why\n\n'.repeat(1200) },
      ],
    },
  ],
  'folders of the executor import from those below them': [
    {
      breach: [importing('services/executor/state/a.ts', '#services/executor/run/b.ts')],
      fine: [importing('services/executor/run/b.ts', '#services/executor/state/a.ts')],
    },
    {
      breach: [importing('services/executor/events/a.ts', '#services/executor/serve/b.ts')],
      fine: [
        importing('services/executor/serve/b.ts', './c.ts'),
        importing('queues/a.ts', '#services/executor/serve/b.ts'),
      ],
    },
    {
      breach: [importing('services/executor/a.ts', '#shared/b.ts')],
      fine: [importing('services/router/a.ts', '#shared/b.ts')],
    },
  ],
  'shared is at most 15 % of the source': [
    {
      breach: [lines('shared/a.ts', 460), lines('infra/a.ts', 2540)],
      fine: [lines('shared/a.ts', 450), lines('infra/a.ts', 2550), lines('test/a.ts', 10)],
    },
    {
      breach: [lines('shared/a.ts', 460), lines('infra/a.ts', 2540), lines('test/a.ts', 9000)],
      fine: [lines('shared/a.ts', 2000)],
    },
  ],
  'files lie where they belong': [
    { breach: [file('src/a.ts', '')], fine: [file('infra/a.ts', '')] },
    { breach: [file('notes.md', '')], fine: [file('README.md', '')] },
    { breach: [file('infra/a/b/c/d.ts', '')], fine: [file('infra/a/b/d.ts', '')] },
    { breach: [file('test/a/b/c/d/e.ts', '')], fine: [file('test/a/b/c/e.ts', '')] },
  ],
  'names say what is inside, in kebab-case': [
    { breach: [file('infra/redis-utils.ts', '')], fine: [file('infra/redis-probe.ts', '')] },
    { breach: [file('services/common/a.ts', '')], fine: [file('services/memory/a.ts', '')] },
    { breach: [file('shared/index.ts', '')], fine: [file('adapters/web/page/index.html', '')] },
    { breach: [file('infra/redisProbe.ts', '')], fine: [file('infra/README.md', '')] },
    { breach: [file('infra/RedisStore/a.ts', '')], fine: [file('infra/redis-store/a.test.ts', '')] },
    { breach: [file('queues/lock_manager.ts', '')], fine: [file('.ci/run', '')] },
    { breach: [file('infra/bot.py', '')], fine: [file('test/simulators/feishu-python-bot.py', '')] },
    { breach: [file('test/simulators/pythonBot.py', '')], fine: [file('test/simulators/python-bot.py', '')] },
  ],
  'code opens with a comment': [
    {
      breach: [{ path: 'infra/a.ts', text: 'export const a = 1' }],
      fine: [{ path: 'infra/a.js', text: '#!/usr/bin/env node\n// What.' }],
    },
    {
      breach: [{ path: 'queues/kernel/a.lua', text: 'return 1' }],
      fine: [{ path: 'queues/kernel/a.lua', text: '-- Claims.\nreturn 1' }],
    },
  ],
  'the executor alone says whose words are kept': [
    {
      breach: [file('services/a/a.ts', "import { keeper } from '#shared/feature/kept.ts'")],
      fine: [file('services/executor/a.ts', "import { keeper } from '#shared/feature/kept.ts'")],
    },
  ],
  'a timer never waits for less than nothing': [
    {
      breach: [file('infra/a.ts', 'setTimeout(wake, untilMs - deps.now())')],
      fine: [file('infra/a.ts', 'setTimeout(wake, Math.max(0, untilMs - deps.now()))')],
    },
    {
      breach: [file('infra/a.ts', 'const timer = setTimeout(() => end(), at + limits.wallMs - performance.now())')],
      fine: [
        file('infra/a.ts', 'const timer = setTimeout(() => end(), retryMs[retryMs.length - 1])'),
        file('test/a.ts', 'setTimeout(wake, untilMs - performance.now())'),
      ],
    },
  ],
  'time has a unit': [
    { breach: [file('infra/a.ts', `const timeout = ${aNumber}`)], fine: [file('infra/a.ts', 'const timeoutMs = 30')] },
    {
      breach: [file('infra/a.ts', `let retryDelay = ${aNumber}`)],
      fine: [file('infra/a.ts', 'queue.add(job, { delay: 5 })')],
    },
    {
      breach: [file('infra/a.ts', `type T = { ttl?: ${numberType} }`)],
      fine: [
        file('infra/a.ts', 'type T = { ttlSeconds?: number }'),
        file('test/simulators/a.ts', `type T = { ttl?: ${numberType} }`),
      ],
    },
    {
      breach: [file('infra/a.ts', `function f(interval = ${aNumber}) {}`)],
      fine: [file('infra/a.ts', 'function f(intervalMs = 5) {}')],
    },
  ],
  'versions are exact': [
    { breach: [manifest({ dependencies: { zod: '^4.6.7' } })], fine: [clean] },
    {
      breach: [manifest({ devDependencies: { zod: 'latest' } })],
      fine: [manifest({ devDependencies: { zod: '4.0.0-beta.1' } })],
    },
    { breach: [manifest({ optionalDependencies: { zod: '4' } })], fine: [manifest({})] },
  ],
  'the lockfile fits and has hashes': [
    { breach: [clean, lock('4.6.6', 'sha512-x')], fine: [clean, lock('4.6.7', 'sha512-x')] },
    { breach: [clean, lock('4.6.7', undefined)], fine: [manifest({}), lock('4.6.7', 'sha512-x')] },
    { breach: [clean], fine: [clean, lock('4.6.7', 'sha512-x')] },
  ],
  'nothing runs at install time': [
    { breach: [manifest({ scripts: { postinstall: 'x' } })], fine: [manifest({ scripts: { test: 'x' } })] },
    { breach: [manifest({ scripts: { prepare: 'x' } })], fine: [manifest({ scripts: { prepared: 'x' } })] },
  ],
  'no registry, no machine path, nothing undone': [
    {
      breach: [file('README.md', ['https://registry', 'npmjs.org/'].join('.'))],
      fine: [file('README.md', 'https://example.org/')],
    },
    {
      breach: [file('infra/a.ts', ['see /home', 'ann/notes'].join('/'))],
      fine: [file('infra/a.ts', 'see /home or a network/home/x')],
    },
    { breach: [file('infra/a.ts', ['// TO', 'DO: later'].join(''))], fine: [file('infra/a.ts', '// kind: todo')] },
  ],
}

describe.each(Object.entries(plants))('%s', (name, cases) => {
  const rule = Object.entries(allRules).find(([known]) => known === name)?.[1] ?? (() => [])
  test.each(cases.map((plant, at) => [at + 1, plant] as const))(
    'finds plant %i, and not its permitted neighbour',
    (_, plant) => {
      expect(rule(plant.breach)).not.toEqual([])
      expect(rule(plant.fine)).toEqual([])
    },
  )
})
