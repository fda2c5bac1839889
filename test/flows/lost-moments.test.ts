// Redis comes back without its last moments, as after a power cut: seqs are given out anew, and nobody's answer is taken for an old one.
import { expect, test } from 'vitest'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { startDiscord } from '#test/rig/chats/discord-chat.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { startFleet, until } from '#test/rig/fleet.ts'

test('an answer is shown though Discord knows one of the same seq', { timeout: 60_000 }, async () => {
  await using platform = await startDiscord()
  await using fleet = await startChatFleet([platform])
  const chat = platform.direct('Ada')
  const answers = (part: string): number => chat.said().filter(({ text }) => text.includes(part)).length
  chat.say('Ada', 'what is the capital of Spain?')
  await until(() => answers('Spain') === 1)
  const rest = () =>
    fleet.runtime.kernel.begin(
      {
        conversation: chat.conversation,
        owner: 'look',
        ttlMs: 1,
        sendTimeoutMs: 1,
        idempotentForMs: 0,
        leave: true,
      },
      'look',
    )
  await until(async () => (await rest()).kind === 'EMPTY')
  await fleet.redis.cli('SAVE')
  for (const command of ['/help', 'what is the capital of France?']) chat.say('Ada', command)
  await until(() => answers('France') === 1)
  await fleet.redis.restart()
  for (const command of ['/help', 'what is the capital of Japan?']) chat.say('Ada', command)
  await until(() => answers('Japan') === 1)
  expect(answers('Spain')).toBe(1)
  // Both times the same list of commands, each a message of its own.
  await until(() => answers('/status') === 2)
})

test('a lease whose end was lost keeps nobody waiting where its process lives', async () => {
  await using fleet = await startFleet()
  const { redis, runtime } = fleet
  const { process } = runtime.liveness
  const lease = `${partitionPrefix(toPartition('web:room'))}lease:web:room`
  await fleet.ask('what is the capital of Spain?')
  await until(async () => (await redis.admin.exists(lease)) === 0)
  await redis.admin.set(lease, `@${process}/who-has-ended`, 'PX', 60_000)
  const askedAtMs = performance.now()
  expect(await fleet.ask('what is the capital of France?')).toMatchObject({
    text: expect.stringContaining('France'),
  })
  expect(performance.now() - askedAtMs).toBeLessThan(10_000)
})
