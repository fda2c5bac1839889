// Which settings processes compare: each is listed, or is that of one process alone.
import { expect, test } from 'vitest'
import { isDemo, toAgreed } from '#infra/config/agreed-settings.ts'
import { loadSettings } from '#infra/config/settings.ts'
import { environment } from '#infra/config/variables.ts'
import { createDemoModel } from '#infra/models/demo-model.ts'

/** What each process may have its own way. A Redis of its own is another fleet; another number of queues is refused by a lock. */
const ownWay = [
  'REDIS_URL',
  'FLOTILLA_QUEUE_SHARDS',
  'FLOTILLA_PORT',
  'FLOTILLA_LISTEN',
  'FLOTILLA_DATA',
  'FLOTILLA_LOG_LEVEL',
  'FLOTILLA_EXECUTOR_CONCURRENCY',
]

const roles = ['router', 'executor', 'reflection', 'web', 'telegram', 'discord', 'feishu']
const model = createDemoModel({ pieceDelayMs: 0 })
const agree = (env: Readonly<Record<string, string>>) => toAgreed(loadSettings(env, '/nonexistent'), { roles, model })

test('every setting is compared, or may differ', () => {
  const names = new Set([...Object.keys(agree({})), ...ownWay])
  names.delete('flotilla.config.json')
  expect([...names].toSorted()).toEqual(Object.keys(environment.shape).toSorted())
})

test('a secret shows as a hash, a long list too, and both tell two values apart', () => {
  const of = (key: string, hosts: number) =>
    agree({
      OPENAI_API_KEY: key,
      FLOTILLA_HTTP_HOSTS: Array.from({ length: hosts }, (_, n) => `host${n}.example.org`).join(','),
    })
  const [one, other] = [of('sk-one-secret', 20), of('sk-other-secret', 21)]
  for (const name of ['OPENAI_API_KEY', 'FLOTILLA_HTTP_HOSTS']) {
    expect(one[name]).toMatch(/^sha256 [0-9a-f]{8}/)
    expect(one[name]).not.toBe(other[name])
  }
  expect(JSON.stringify(one)).not.toContain('secret')
})

test('the demo model is known as such, and a process that calls no model has none to compare', () => {
  expect(isDemo(agree({}))).toBe(true)
  expect(toAgreed(loadSettings({}, '/nonexistent'), { roles: ['web'] })).not.toHaveProperty('FLOTILLA_MODEL')
})
