// Redis at its `maxmemory`: what was taken before is answered, only what is new is refused, and all goes on as soon as there is room.
import { expect, test } from 'vitest'
import { startFleet } from '#test/rig/fleet.ts'

test('answers what was taken before the memory was full', { timeout: 60_000 }, async () => {
  await using fleet = await startFleet({ parts: [] })
  const limit = (bytes: number): Promise<unknown> => fleet.redis.admin.config('SET', 'maxmemory', String(bytes))
  const asked = await fleet.tell('what is one?')
  await limit(1)
  fleet.startRouter()
  await fleet.startExecutor()
  expect(await fleet.replyTo(asked)).toMatchObject({ kind: 'send', answers: [asked] })
  await expect(fleet.tell('what is two?')).rejects.toMatchObject({ code: 'store-unavailable' })
  await limit(0)
  expect(await fleet.ask('what is three?')).toMatchObject({ kind: 'send' })
})
