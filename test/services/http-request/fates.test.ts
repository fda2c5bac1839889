// What the model is told of a request that got no answer: whether anything was sent decides what may be done next.
import { expect, onTestFinished, test } from 'vitest'
import { parseHost } from '#infra/web/request/hosts.ts'
import { openHttpPort } from '#infra/web/request/send-request.ts'
import { startServiceSimulator, type ServiceFault } from '#test/simulators/services/simulator.ts'

async function send(
  method: 'GET' | 'POST',
  fault: ServiceFault,
): Promise<{ readonly told: string; readonly effects: number }> {
  const service = await startServiceSimulator()
  onTestFinished(() => service.close())
  service.fail(fault)
  const host = parseHost(`127.0.0.1:${service.port}`) ?? expect.fail()
  const port = openHttpPort({ hosts: [host], secrets: {} }, { timeoutMs: 300 })
  const request = { method, url: `${service.origin}/a`, headers: {}, key: 'k' }
  const told = await port.send(request, new AbortController().signal).then(
    ({ status }) => String(status),
    (error: unknown) => String(error),
  )
  return { told, effects: service.effects.length }
}

test.each<[ServiceFault['kind'], number, string]>([
  [
    'drop-before',
    0,
    'the connection broke before an answer came (ECONNRESET). It was sent: whether it took effect is unknown',
  ],
  ['drop-after', 1, 'It was sent: whether it took effect is unknown'],
  ['hang', 0, 'no whole answer came within 0.3 s. It was sent: whether it took effect is unknown'],
  ['hang-after', 1, 'It was sent: whether it took effect is unknown'],
  ['fail-after', 1, '500'],
])('a POST that meets %s took effect %i times, and is told so', async (kind, effects, words) => {
  const found = await send('POST', JSON.parse(JSON.stringify({ kind })))
  expect(found.told).toContain(words)
  expect(found.effects).toBe(effects)
})

test('what only reads is told so', async () => {
  expect((await send('GET', { kind: 'hang' })).told).toContain('It only reads.')
})

test('where nobody listens nothing was sent', async () => {
  const service = await startServiceSimulator()
  await service.close()
  const host = parseHost(`127.0.0.1:${service.port}`) ?? expect.fail()
  const port = openHttpPort({ hosts: [host], secrets: {} })
  const request = { method: 'POST', url: `${service.origin}/a`, headers: {}, key: 'k' } as const
  await expect(port.send(request, new AbortController().signal)).rejects.toThrow(/ECONNREFUSED\)\. Nothing was sent\./)
})
