// `npm run check` turns red for a breach of each kind: every part of it is run on a copy of the tree in which
// something wrong was planted, and must fail naming the planted file. (Whether the real tree is green, `check` says itself.)
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readTree } from '#test/architecture/rules/source-file.ts'

const partTimeoutMs = 180_000
const root = process.cwd()
let copy = ''
let parts: string[] = []

beforeAll(() => {
  copy = mkdtempSync(path.join(tmpdir(), 'flotilla-check-'))
  for (const file of readTree(root)) write(file.path, file.text)
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'))
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  parts = Object.entries<string>(scripts).flatMap(([name, part]) => (name.startsWith('check:') ? [part] : []))
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(copy, file)), { recursive: true })
  writeFileSync(path.join(copy, file), text)
}

/** Plants the files, runs the part of `check` as it stands in package.json, and takes the plants away. */
function checkPart(part: string, plants: Readonly<Record<string, string>>): { red: boolean; output: string } {
  expect(parts).toContain(part)
  for (const [file, text] of Object.entries(plants)) write(file, text)
  const [program = '', ...args] = part.split(' ')
  const found = spawnSync(path.join(root, 'node_modules', '.bin', program), args, { cwd: copy, encoding: 'utf8' })
  for (const file of Object.keys(plants)) rmSync(path.join(copy, file))
  return { red: found.status !== 0, output: found.stdout + found.stderr }
}

test(
  'tsc refuses a wrong type, a possibly missing element and syntax that cannot be erased',
  { timeout: partTimeoutMs },
  () => {
    const { red, output } = checkPart('tsc --noEmit', {
      'infra/planted-type.ts': "// A plant.\nexport const port: number = 'many'\n",
      'infra/planted-element.ts': '// A plant.\nexport const first = (list: readonly string[]): string => list[0]\n',
      'infra/planted-enum.ts': '// A plant.\nexport enum Kind {\n  One,\n}\n',
      'infra/setup/planted.js': '// A plant.\n/** @type {number} */\nexport const port = "many"\n',
    })
    expect(red).toBe(true)
    for (const name of ['planted-type', 'planted-element', 'planted-enum', 'setup/planted'])
      expect(output).toContain(`infra/${name}`)
  },
)

test('tsc refuses a wrong type in the browser page, and Node in it', { timeout: partTimeoutMs }, () => {
  const { red, output } = checkPart('tsc --noEmit -p adapters/web/page', {
    'adapters/web/page/planted.js': '// A plant.\ndocument.title = 5\nconsole.log(process.argv)\n',
  })
  expect(red).toBe(true)
  expect(output).toMatch(/planted\.js\(2|planted\.js:2/)
  expect(output).toContain('process')
})

test('oxlint refuses each forbidden pattern', { timeout: partTimeoutMs }, () => {
  const up = ['.', '/'].join('.')
  const longFunction = `// A plant.\nexport function add(to: number[]): void {\n${'  to.push(1)\n'.repeat(59)}}\n`
  const { red, output } = checkPart('oxlint --type-aware', {
    'infra/planted-any.ts': '// A plant.\nexport const anything = (value: any): unknown => value\n',
    'infra/planted-bang.ts': '// A plant.\nexport const first = (list: readonly string[]): string => list[0]!\n',
    'infra/planted-as.ts': '// A plant.\nexport const name = (value: unknown): string => value as string\n',
    'infra/planted-floating.ts': '// A plant.\nexport function start(work: () => Promise<void>): void {\n  work()\n}\n',
    'infra/planted-void.ts':
      '// A plant.\nexport function start(work: () => Promise<void>): void {\n  void work()\n}\n',
    'infra/planted-cycle-a.ts':
      "// A plant.\nimport type { B } from '#infra/planted-cycle-b.ts'\nexport type A = { b?: B }\n",
    'infra/planted-cycle-b.ts':
      "// A plant.\nimport type { A } from './planted-cycle-a.ts'\nexport type B = { a?: A }\n",
    'infra/redis/planted-climb.ts': `// A plant.\nimport { createLog } from '${up}log/log.ts'\nexport const create = createLog\n`,
    'infra/planted-long.ts': `// A plant.\n${'export {}\n'.repeat(301)}`,
    'infra/planted-params.ts':
      '// A plant.\nexport const sum = (a: number, b: number, c: number, d: number, e: number): number =>\n  a + b + c + d + e\n',
    'infra/planted-default.ts': '// A plant.\nexport default 1\n',
    'test/planted-long.test.ts': `// A plant.\n${'export {}\n'.repeat(501)}`,
    'services/planted-function.ts': longFunction,
    'infra/planted-function.ts': longFunction,
  })
  expect(red).toBe(true)
  const found = [
    ['no-explicit-any', 'infra/planted-any.ts'],
    ['no-non-null-assertion', 'infra/planted-bang.ts'],
    ['no-unsafe-type-assertion', 'infra/planted-as.ts'],
    ['no-floating-promises', 'infra/planted-floating.ts'],
    ['no-floating-promises', 'infra/planted-void.ts'],
    ['no-void', 'infra/planted-void.ts'],
    ['no-cycle', 'infra/planted-cycle-a.ts'],
    ['no-restricted-imports', 'infra/redis/planted-climb.ts'],
    ['max-lines', 'infra/planted-long.ts'],
    ['max-lines', 'test/planted-long.test.ts'],
    ['max-lines-per-function', 'services/planted-function.ts'],
    ['max-lines-per-function', 'infra/planted-function.ts'],
    ['max-params', 'infra/planted-params.ts'],
    ['no-default-export', 'infra/planted-default.ts'],
  ].filter(
    ([rule = '', file = '']) => !new RegExp(`\\(${rule}\\)[^]{0,600}${file.replaceAll('.', '\\.')}`).test(output),
  )
  expect(found, output).toEqual([])
})

test('oxfmt refuses a badly formatted file', { timeout: partTimeoutMs }, () => {
  const { red, output } = checkPart('oxfmt --check', {
    'infra/planted-format.ts': '// A plant.\nexport const a = {b:1};\n',
  })
  expect(red).toBe(true)
  expect(output).toContain('infra/planted-format.ts')
})

test('knip refuses a file, an export and a package that nobody uses', { timeout: partTimeoutMs }, () => {
  const manifest = readFileSync(path.join(root, 'package.json'), 'utf8')
  const errors = readFileSync(path.join(root, 'infra/setup/report.js'), 'utf8')
  try {
    write('package.json', manifest.replace('"dependencies": {', '"dependencies": {\n    "planted-package": "1.0.0",'))
    write('infra/setup/report.js', `${errors}\nexport const plantedExport = 1\n`)
    const { red, output } = checkPart('knip', { 'infra/planted-unused.ts': '// A plant.\nexport const unused = 1\n' })
    expect(red).toBe(true)
    expect(output).toContain('infra/planted-unused.ts')
    expect(output).toContain('plantedExport')
    expect(output).toContain('planted-package')
  } finally {
    write('package.json', manifest)
    write('infra/setup/report.js', errors)
  }
})

test('the search for slow regular expressions refuses one', { timeout: partTimeoutMs }, () => {
  const { red, output } = checkPart('node test/architecture/patterns/main.ts', {
    'adapters/web/page/planted-slow.js': '// A plant.\nexport const slow = /^(?:a|b|ab)*$/\n',
  })
  expect(red).toBe(true)
  expect(output).toContain('adapters/web/page/planted-slow.js:2')
})

test('every part of check has a breach here', () => {
  expect(parts).toEqual([
    'oxlint --type-aware',
    'node test/architecture/patterns/main.ts',
    'tsc --noEmit',
    'knip',
    'tsc --noEmit -p adapters/web/page',
    'oxfmt --check',
  ])
})
