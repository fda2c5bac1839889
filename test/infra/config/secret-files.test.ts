// Secrets that a file has.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadSettings } from '#infra/config/settings.ts'

async function write(text: string): Promise<{ folder: string; file: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'secret-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = path.join(folder, 'key')
  await writeFile(file, text)
  return { folder, file }
}

test('a secret is read from its file, without the line end, and counts as a secret', async () => {
  const { folder, file } = await write('sk-from-a-file\n')
  for (const named of [file, 'key']) {
    const settings = loadSettings({ OPENAI_API_KEY_FILE: named }, folder)
    expect(settings.model.apiKey).toBe('sk-from-a-file')
    expect(settings.secrets).toContain('sk-from-a-file')
  }
})

test('a file that is not there, is empty or is a folder, and a secret given twice, are told apart', async () => {
  const { folder, file } = await write(' \n')
  const say = (env: Record<string, string>) => () => loadSettings(env, folder)
  expect(say({ OPENAI_API_KEY_FILE: 'kez' })).toThrow('OPENAI_API_KEY_FILE names a file that does not exist')
  expect(say({ OPENAI_API_KEY_FILE: file })).toThrow('is empty')
  expect(say({ REDIS_URL_FILE: folder })).toThrow('is no file')
  expect(say({ OPENAI_API_KEY_FILE: file, OPENAI_API_KEY: 'sk-x' })).toThrow('are both set')
})

test('what the file has is checked like the value itself, and is not shown', async () => {
  const { folder } = await write('no token at all')
  expect(() => loadSettings({ TELEGRAM_BOT_TOKEN_FILE: 'key' }, folder)).toThrow(/TELEGRAM_BOT_TOKEN has 15 characters/)
  expect(() => loadSettings({ FLOTILLA_PORT_FILE: 'key' }, folder)).toThrow('FLOTILLA_PORT_FILE is not a setting')
})
