// Every architecture rule holds on the files as they are.
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

test('there are at most 50 settings', () => {
  expect(Object.keys(environment.shape).length).toBeLessThanOrEqual(50)
})
