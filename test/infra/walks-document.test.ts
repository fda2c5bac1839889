// The walks through the house name files and functions that exist.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('each name in infra/docs/walks.md is one of the code', () => {
  const listed = execFileSync('git', ['ls-files', 'adapters', 'services', 'queues', 'shared', 'infra'], {
    encoding: 'utf8',
  })
  const files = listed.split('\n').filter((file) => /\.(ts|lua)$/.test(file))
  const code = files.map((file) => readFileSync(file, 'utf8')).join('\n')
  const document = readFileSync('infra/docs/walks.md', 'utf8')
  const names = [...new Set([...document.matchAll(/`([^`]+)`/g)].flatMap(([, name]) => name ?? []))]
  expect(names.length).toBeGreaterThan(50)
  const unknown = names.filter((name) => {
    if (/\.(ts|lua)$/.test(name)) return !files.some((file) => file === name || file.endsWith(`/${name}`))
    if (name.includes('/')) return !files.some((file) => file.startsWith(name))
    const [last = name] = name.split('.').slice(-1)
    return !new RegExp(String.raw`\b${last}\b`).test(code)
  })
  expect(unknown).toEqual([])
})
