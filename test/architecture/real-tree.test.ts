// Every architecture rule holds on the files as they are.
import { readFileSync, statSync } from 'node:fs'
import process from 'node:process'
import { expect, test } from 'vitest'
import { environment } from '#infra/config/variables.ts'
import { allRules } from '#test/architecture/rules/all-rules.ts'
import { readTree } from '#test/architecture/rules/source-file.ts'

const files = readTree(process.cwd())

test('sees the tree', () => {
  expect(files.map((file) => file.path)).toEqual(
    expect.arrayContaining(['package.json', 'infra/config/settings.ts', 'shared/errors.ts']),
  )
})

test.each(Object.entries(allRules))('%s', (_, rule) => {
  expect(rule(files)).toEqual([])
})

test('there are at most 55 settings', () => {
  expect(Object.keys(environment.shape).length).toBeLessThanOrEqual(55)
})

test('the continuous integration runs the test command of the README, and nothing else', () => {
  const commands = readFileSync('.ci/run', 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !/^(#|set |cd )/.test(line))
  expect(commands).toEqual(['npm test'])
  expect(readFileSync('README.md', 'utf8')).toMatch(/^npm test\b/m)
  expect(statSync('.ci/run').mode & 0o111).not.toBe(0)
})
