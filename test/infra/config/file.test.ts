// flotilla.config.json: read if present, refused by path.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { configFileName, loadConfigFile } from '#infra/config/file.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'flotilla-config-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(text: string): void {
  writeFileSync(path.join(folder, configFileName), text)
}

test('is empty without a file', () => {
  expect(loadConfigFile(folder)).toEqual({})
})

test('passes routing on unchecked', () => {
  write('{"routing":{"social":["hi"]}}')
  expect(loadConfigFile(folder)).toEqual({ routing: { social: ['hi'] } })
})

test('refuses an unknown key by its path', () => {
  write('{"routnig":{},"port":1}')
  expect(() => loadConfigFile(folder)).toThrow(/routnig is not a setting[^]*port is not a setting/)
})

test('refuses what is not JSON, naming the file', () => {
  write('{routing')
  expect(() => loadConfigFile(folder)).toThrow(/flotilla\.config\.json is not JSON/)
})

test('refuses what is not an object', () => {
  write('[]')
  expect(() => loadConfigFile(folder)).toThrow(/cannot be used/)
})
