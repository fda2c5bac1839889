// The document of what is automated names tests and scenarios that exist.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { expect, test } from 'vitest'

test('each test and scenario that infra/docs/faults.md names exists', () => {
  const rows = readFileSync('infra/docs/faults.md', 'utf8')
    .split('\n')
    .filter((line) => /^\| T?\d+ /.test(line))
  expect(rows).toHaveLength(54)
  const list = ['faults', 'scenarios']
    .map((kind) => execFileSync(process.execPath, [`test/${kind}/main.ts`, '--list'], { encoding: 'utf8' }))
    .join('\n')
  const scenarios = new Set(list.split('\n').map((line) => line.split(' ', 1)[0]))
  for (const row of rows) {
    const [, , , where = ''] = row.split('|')
    const names = [...where.matchAll(/`([^`]+)`/g)].flatMap(([, name]) =>
      name === undefined || name.includes('=') ? [] : name,
    )
    expect(names.length, row).toBeGreaterThan(0)
    for (const name of names) expect(scenarios.has(name) || existsSync(name), name).toBe(true)
  }
})
