// `.env` is read in each form in which editors write it, by what starts a process and by the set-up.
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { readSettingsFile } from '#infra/setup/settings-file.js'

const text = 'FIRST="two words"\r\nSECOND=x$(id)`id`\r\n'
const utf16 = Buffer.from(`\uFEFF${text}`, 'utf16le')
const forms: readonly (readonly [string, Buffer])[] = [
  ['UTF-8', Buffer.from(text)],
  ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${text}`)],
  ['UTF-16, as PowerShell writes it', utf16],
  ['UTF-16 the other way round', Buffer.from(utf16).swap16()],
  ['UTF-16 without a mark', utf16.subarray(2)],
]

test.each(forms)('%s', async (_name, bytes) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'flotilla-env-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(path.join(folder, '.env'), bytes)
  expect(readSettingsFile(path.join(folder, '.env'))).toBe(text)
  cpSync('infra/setup', path.join(folder, 'infra/setup'), { recursive: true })
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(path.join(folder, 'print.js'), 'console.log(JSON.stringify([process.env.FIRST, process.env.SECOND]))')
  const env = {
    ...process.env,
    LAUNCH_ENTRY: 'print.js',
    PATH: `${path.dirname(process.execPath)}:${process.env['PATH']}`,
  }
  const { stdout } = await promisify(execFile)('sh', ['infra/setup/launch.sh', 'web'], { cwd: folder, env })
  expect(JSON.parse(stdout)).toEqual(['two words', 'x$(id)`id`'])
})
