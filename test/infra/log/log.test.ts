// No secret and no message text reaches a log line, whichever way it gets there.
import { expect, test } from 'vitest'
import fc from 'fast-check'
import { createLog, toLoggedError } from '#infra/log/log.ts'
import { createScrub } from '#infra/log/redaction.ts'
import { BotError } from '#shared/errors.ts'
import { runs } from '#test/rig/property-runs.ts'

const token = '123456789:AAF-canary_canary_canary_canary_xyz'
const key = 'canary"with\\odd characters'

function record(): { lines: string[]; created: ReturnType<typeof createLog> } {
  const lines: string[] = []
  const created = createLog({
    level: 'trace',
    secrets: [token, key],
    destination: { write: (line) => lines.push(line) },
  })
  return { lines, created }
}

test('hides a secret in messages, fields, nested fields, errors and their causes', () => {
  const { lines, created } = record()
  const { log } = created
  const cause = new Error(`POST https://api.example.org/bot${token}/sendMessage`)
  log.info(`token ${token}`)
  log.info({ header: key, deep: { list: [key] } }, 'fields')
  log.error({ err: new BotError('platform', `calling with ${key} failed`, { cause }) }, 'failed')
  log.child({ key }).warn('child')
  expect(lines).toHaveLength(4)
  for (const line of lines) {
    expect(line).not.toContain('canary')
    expect(() => JSON.parse(line)).not.toThrow()
  }
})

test('hides a secret that became known later', () => {
  const { lines, created } = record()
  created.addSecret('owner-code-77')
  created.log.info('open with owner-code-77')
  expect(lines[0]).not.toContain('owner-code-77')
})

test.each([
  ['a Telegram URL', 'https://x/bot987654321:BBcanarycanarycanarycanary/getUpdates'],
  ['an escaped Telegram URL', 'https://x/bot987654321%3ABBcanarycanarycanarycanary/getUpdates'],
  ['a bare Telegram token', '987654321:BBcanarycanarycanarycanarycanary'],
  ['a Discord token', 'MTEwMDAwMDAwMDAwMDAwMDAwMQ.Gcanar.canarycanarycanarycanarycanary'],
  ['an interaction', '/webhooks/1100000000000000001/aW50ZXJhY3Rpb246canarycanary/messages'],
  ['a model key', 'Incorrect API key provided: sk-canary-12345'],
  ['a bearer header', 'authorization: Bearer canary.canary'],
  ['a Redis URL', 'redis://user:canary@redis.example.org:6379/0'],
  ['a Redis URL with an @ in its password', 'redis://:can@canary@redis.example.org:6379/0'],
  ['a Redis URL with its password in the query', 'redis://redis.example.org:6379/0?db=1&password=canary%21'],
  ['an owner code', '/start canary42'],
])('hides what looks like %s', (_, text) => {
  expect(createScrub([])(text)).not.toContain('canary')
})

test('leaves ordinary text alone', () => {
  const text = 'run telegram:4711:7 took 12:30:45 at https://example.org:8787/health, 3:2'
  expect(createScrub(['abc'])(text)).toBe(text)
})

test('hides every known value whatever surrounds it', () => {
  const alphabet = fc.constantFrom('a', '"', '\\', 'ü', '%', ' ', '\n', '5')
  fc.assert(
    fc.property(
      fc.array(alphabet, { minLength: 8, maxLength: 12 }),
      fc.string(),
      fc.string(),
      (letters, before, after) => {
        const secret = letters.join('')
        const scrubbed = createScrub([secret])(JSON.stringify({ field: before + secret + after }))
        return !String(JSON.parse(scrubbed).field).includes(secret)
      },
    ),
    runs(100),
  )
})

test('logs no message text, only its length', () => {
  const { lines, created } = record()
  created.log.info({ event: { id: 'e1', text: 'PRIVATE' }, messages: [{ content: 'PRIVATE' }] }, 'ingested')
  expect(lines[0]).not.toContain('PRIVATE')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ event: { id: 'e1', text: '[7 characters]' } })
})

test('logs of an error its type, message, code and causes, not the fields that libraries hang on it', () => {
  const error = Object.assign(new Error('refused', { cause: new BotError('model', 'no answer') }), {
    headers: { cookie: 'c' },
  })
  const logged = toLoggedError(error)
  expect(logged).toMatchObject({ type: 'Error', message: 'refused', cause: { type: 'BotError', code: 'model' } })
  expect(logged).not.toHaveProperty('headers')
  expect(toLoggedError(7)).toEqual({ type: 'number', message: 'not an Error' })
})

test('says in the line what went wrong', () => {
  const { lines, created } = record()
  const error = Object.assign(new BotError('platform', 'refused'), { headers: { cookie: 'PRIVATE' } })
  created.log.warn({ err: error }, 'failed')
  created.log.warn(error)
  created.log.warn({ error }, 'failed')
  for (const line of lines) {
    expect(line).not.toContain('PRIVATE')
    const { err, error: other } = JSON.parse(line)
    expect(err ?? other).toMatchObject({ type: 'BotError', message: 'refused', code: 'platform' })
  }
  created.log.warn({ err: { cookie: 'PRIVATE' } }, 'failed')
  expect(lines.at(-1)).not.toContain('PRIVATE')
})

test('does not quote what could not be read as JSON', () => {
  const { lines, created } = record()
  const parse = (): unknown => JSON.parse('my locker code')
  let cause: unknown
  try {
    parse()
  } catch (error) {
    cause = error
  }
  created.log.warn({ err: new BotError('store-corrupt', 'CORRUPT a snapshot', { cause }) }, 'parked')
  expect(lines[0]).toContain('CORRUPT a snapshot')
  expect(lines[0]).toContain('SyntaxError')
  expect(lines[0]).not.toContain('locker')
})
