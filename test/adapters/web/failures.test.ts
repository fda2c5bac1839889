// What the HTTP interface says when something fails: only the store's failures are told as the store's, and one conversation hides no other.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Kernel } from '#queues/kernel/kernel.ts'
import { BotError } from '#shared/errors.ts'
import { startWebRig, toJson, type WebRig } from './web-rig.ts'

let rig: WebRig
beforeAll(async () => {
  rig = await startWebRig()
})
afterAll(() => rig[Symbol.asyncDispose]())

const failingFor =
  (conversation: string, failure: Error) =>
  (kernel: Kernel): Kernel => ({
    ...kernel,
    readOut: async (one, ...rest) => {
      if (one === `web:${conversation}`) throw failure
      return await kernel.readOut(one, ...rest)
    },
  })

test.each([
  [new TypeError('CANARY is not a function'), 500, 'internal', true],
  [new RangeError('Maximum call stack size exceeded'), 500, 'internal', true],
  [new BotError('store-corrupt', 'CANARY'), 500, 'store-corrupt', false],
  [new BotError('store-newer', 'CANARY'), 500, 'store-newer', false],
  [new BotError('store-unavailable', 'CANARY', { retry: { afterMs: 1 } }), 503, 'store-unavailable', false],
])('%s is %d, %s', async (failure, status, code, isTold) => {
  const said: unknown[][] = []
  const server = await rig.start({ kernel: failingFor('room', failure), say: (...told) => said.push(told) })
  const response = await server.call('/api/conversations/room/messages')
  const { error } = await toJson<{ error: { code: string; message: string } }>(response)
  expect([response.status, error.code]).toEqual([status, code])
  expect(error.message).not.toContain('CANARY')
  expect(error.message.includes('store cannot be reached')).toBe(status === 503)
  expect(said).toEqual(isTold ? [['A request failed: GET /api/conversations/room/messages', failure]] : [])
  await server.close()
})

test.each(['store-newer', 'store-corrupt'] as const)(
  'a conversation that is %s hides none of the list',
  async (code) => {
    const server = await rig.start({ kernel: failingFor('broken', new BotError(code, 'x')) })
    for (const id of ['whole', 'broken'])
      expect((await server.post(`/api/conversations/${id}/messages`, { text: `in ${id}` })).status).toBe(202)
    const listed = async () =>
      await toJson<{ conversations: { id: string; title: string }[] }>(await server.call('/api/conversations'))
    await expect
      .poll(async () => (await listed()).conversations.map(({ id, title }) => `${id}: ${title}`))
      .toEqual(expect.arrayContaining(['broken: ', 'whole: in whole']))
    await server.close()
  },
)

test('with Redis away the list says that the store cannot be reached', async () => {
  const away = await startWebRig()
  try {
    const server = await away.start()
    await away.redis.kill()
    const response = await server.call('/api/conversations')
    expect(response.status).toBe(503)
    expect((await toJson<{ error: { code: string } }>(response)).error.code).toBe('store-unavailable')
  } finally {
    await away[Symbol.asyncDispose]()
  }
})
