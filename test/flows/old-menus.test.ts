// Menus that outlive the fleet that showed them (faults.md row 40), on Telegram and Discord: pressed after a restart six days later they
// work; a week after the last press they are over: the buttons go by themselves. Each press is acknowledged once.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { labels, type Seen } from '#test/rig/chats/chat.ts'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { startDiscord } from '#test/rig/chats/discord-chat.ts'
import { startTelegram } from '#test/rig/chats/telegram-chat.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'

let redis: PrivateRedis
beforeAll(async () => void (redis = await startRedis()))
afterAll(() => redis.stop())

const days = 86_400_000

/** Everything that is forgotten, or due, after some time is so much nearer to it. */
async function letPass(ms: number): Promise<void> {
  for (const key of await redis.admin.keys('fl:*')) {
    if (key.endsWith(':timers'))
      for (const timer of await redis.admin.zrange(key, '0', '-1')) await redis.admin.zincrby(key, String(-ms), timer)
    const leftMs = await redis.admin.pttl(key)
    if (leftMs < 0) continue
    if (leftMs <= ms) await redis.admin.del(key)
    else await redis.admin.pexpire(key, leftMs - ms)
  }
}

test.each([
  // On Discord the card itself tells the winner.
  ['telegram', startTelegram, 'Got it.'],
  ['discord', startDiscord, ''],
] as const)('a menu on %s works six days and a restart later, and is over a week after that', async (_, start, won) => {
  await redis.admin.flushall()
  await using platform = await start()
  const chat = platform.direct('Ada')
  const withFleet = async (act: () => Promise<Seen>): Promise<Seen> => {
    const fleet = await startChatFleet([platform], { redisUrl: redis.url })
    try {
      return await act()
    } finally {
      await fleet[Symbol.asyncDispose]()
    }
  }
  const { id } = await withFleet(async () => {
    chat.say('Ada', '/config')
    return await chat.hear('Default depth: automatic')
  })
  await letPass(6 * days)
  await withFleet(async () => {
    const first = chat.press('Ada', id, 'Default depth')
    expect(await first.notice()).toBe(won)
    await chat.when(id, (one) => labels(one).includes('deep'))
    const second = chat.press('Ada', id, 'deep')
    const set = await chat.hear('Default depth: deep, set by')
    expect(set.id).toBe(id)
    expect([first.acknowledged(), second.acknowledged()]).toEqual([1, 1])
    return set
  })
  await letPass(8 * days)
  await withFleet(async () => {
    const over = await chat.when(id, (one) => labels(one).length === 0)
    expect(over.text).toContain('Default depth: deep')
    return over
  })
})
