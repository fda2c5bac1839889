// Processes of one fleet that were started with different settings: real ones, as an operator starts them in two terminals.
import { expect, test } from 'vitest'
import { startRedis } from '#test/rig/redis.ts'
import { startRole } from '#test/rig/role-process.ts'
import { startModelSimulator } from '#test/simulators/model/simulator.ts'

const key = 'sk-first-0123456789'

async function startStage() {
  const stage = new AsyncDisposableStack()
  const redis = stage.use(await startRedis({ aof: true }))
  const model = await startModelSimulator()
  stage.defer(() => model.close())
  const plain = { REDIS_URL: redis.url, FLOTILLA_LEASE_MS: '2000' }
  const real = { ...plain, OPENAI_API_KEY: key, OPENAI_BASE_URL: model.url, FLOTILLA_MODEL: 'sim-main' }
  return { plain, real, model, [Symbol.asyncDispose]: () => stage.disposeAsync() }
}

test('an executor without a model does not start beside one with a model', { timeout: 60_000 }, async () => {
  await using stage = await startStage()
  await using first = await startRole(['executor'], stage.real)
  await first.until(/"msg":"started"/)
  expect(first.said()).toContain('sim-main')
  await using second = await startRole(['executor'], stage.plain)
  expect(await second.exited).toBe(1)
  expect(second.said()).toMatch(/would answer as the offline demo model.*executor \(process \d+ on .*\).*sim-main/)
})

test(
  'an executor with a model starts beside a demo one, says so, and doctor names both',
  { timeout: 60_000 },
  async () => {
    await using stage = await startStage()
    await using demo = await startRole(['executor'], stage.plain)
    await demo.until(/"msg":"started"/)
    await using real = await startRole(['executor'], stage.real)
    await real.until(/"msg":"started"/)
    expect(real.said()).toMatch(/FLOTILLA_MODEL.*sim-main.*the offline demo model/)
    await using doctor = await startRole(['doctor'], stage.real)
    expect(await doctor.exited).toBe(1)
    expect(doctor.said()).toMatch(/FAIL {2}FLOTILLA_MODEL: sim-main .*; the offline demo model .*\n {6}fix: /)
  },
)

test('a difference is logged and fails doctor, secrets by their hash alone', { timeout: 60_000 }, async () => {
  await using stage = await startStage()
  await using one = await startRole(['executor'], { ...stage.real, FLOTILLA_TIME_ZONE: 'Asia/Shanghai' })
  await one.until(/"msg":"started"/)
  const others = { OPENAI_API_KEY: 'sk-second-0123456789', FLOTILLA_TIME_ZONE: 'Europe/Berlin' }
  await using other = await startRole(['executor'], { ...stage.real, ...others })
  await other.until(/"msg":"started"/)
  await using doctor = await startRole(['doctor'], { ...stage.real, FLOTILLA_TIME_ZONE: 'Asia/Shanghai' })
  expect(await doctor.exited).toBe(1)
  for (const text of [other.said(), doctor.said()]) {
    expect(text).toMatch(/FLOTILLA_TIME_ZONE: Asia\/Shanghai .*; Europe\/Berlin /)
    expect(text).toMatch(/OPENAI_API_KEY: sha256 [0-9a-f]{8} .*; sha256 [0-9a-f]{8} /)
    expect(text).not.toContain('0123456789')
  }
})
