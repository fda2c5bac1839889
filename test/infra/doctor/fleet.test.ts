// What doctor says of a fleet that lacks somebody, or whose model cannot be asked.
import { expect, test } from 'vitest'
import { openStore } from '#test/rig/store.ts'
import { createLiveness } from '#queues/fleet/liveness.ts'
import { loadSettings } from '#infra/config/settings.ts'
import { checkModel } from '#infra/doctor/model-checks.ts'
import { startFleet } from '#test/rig/fleet.ts'
import { startRedis } from '#test/rig/redis.ts'
import { startModelSimulator } from '#test/simulators/model/simulator.ts'
import { askDoctor } from './connecting.ts'

const told = async (env: Readonly<Record<string, string>>, level: string): Promise<readonly string[]> =>
  (await askDoctor(env)).filter((one) => one.level === level).map(({ about, found }) => `${about}: ${found}`)

test('a Redis without any process is no fleet', async () => {
  await using redis = await startRedis({ aof: true })
  expect(await told({ REDIS_URL: redis.url }, 'error')).toEqual([
    'processes: none runs, so nothing is read or answered',
  ])
})

test('a fleet without an executor fails at once, and more so when somebody waits', async () => {
  await using fleet = await startFleet({ parts: ['router'], redis: { aof: true } })
  const env = { REDIS_URL: fleet.redis.url }
  expect(await told(env, 'error')).toEqual(['executor: no executor process runs, so nothing is answered'])
  await fleet.tell('is anybody there?')
  await expect
    .poll(async () => await told(env, 'error'))
    .toEqual(['executor: no executor process runs, so nothing is answered, and one conversation waits'])
})

test('one process with all roles lacks nobody', async () => {
  await using store = await openStore()
  const { redis, call } = store
  const does = ['router', 'executor', 'reflection', 'web']
  const one = await createLiveness({ redis, call, lifeMs: 2000, told: { role: 'all', does, settings: {} } })
  const found = await told({ REDIS_URL: store.server.url }, 'error')
  expect(found.filter((text) => !text.startsWith('persistence'))).toEqual([])
  await one.stop()
})

test('a base URL without /v1, and a model that the endpoint does not have', async () => {
  await using redis = await startRedis()
  const model = await startModelSimulator({ models: ['sim-main'] })
  const ask = async (url: string, name: string) => {
    const env = { REDIS_URL: redis.url, OPENAI_BASE_URL: url, OPENAI_API_KEY: 'sk-test', FLOTILLA_MODEL: name }
    return (await askDoctor(env)).find(({ about }) => about === `model ${name}`)
  }
  const base = model.url.replace(/\/v1$/, '')
  expect(await ask(base, 'sim-main')).toMatchObject({
    level: 'error',
    fix: expect.stringContaining('did you forget /v1'),
  })
  expect(await ask(`${base}/`, 'sim-main')).toMatchObject({ fix: expect.stringContaining('did you forget /v1') })
  expect(await ask(model.url, 'sim-main')).toMatchObject({ level: 'ok' })
  expect(await ask(model.url, 'sim-mian')).toMatchObject({ fix: expect.stringContaining('FLOTILLA_MODEL=sim-main?') })
  await model.close()
})

const lists = [
  [{ max_model_len: 8192 }, 8192],
  [{ meta: { n_ctx: 4096, n_ctx_train: 131_072 } }, 4096],
  [{ loaded_context_length: 16_384, max_context_length: 131_072 }, 16_384],
  [{ context_length: 1_000_000 }, undefined],
  [{ max_model_len: 'many', meta: 'none' }, undefined],
  [{}, undefined],
] as const
test.for(lists)('a list of models with %o warns of the window %s', async ([listed, window]) => {
  const model = await startModelSimulator({ models: ['sim-main'], listed })
  const endpoint = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'sk-test', FLOTILLA_MODEL: 'sim-main' }
  const fixes = (await checkModel(loadSettings(endpoint, '/'))).flatMap(({ fix }) => fix ?? [])
  expect(fixes).toEqual(window === undefined ? [] : [`Set FLOTILLA_CONTEXT_TOKENS=${window}.`])
  await model.close()
})
