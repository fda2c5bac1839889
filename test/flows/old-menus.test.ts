// Menus that outlive the fleet that showed them (faults.md row 40), on Telegram and Discord: pressed after a restart a week later they
// work; after two weeks the presser is told so, and the buttons go. Each press is acknowledged once.
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

/** Everything that is forgotten after some time is so much nearer to it. */
async function letPass(ms: number): Promise<void> {
  for (const key of await redis.admin.keys('fl:*')) {
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
] as const)(
  'a menu on %s works a week and a restart later, and is told to be over after two',
  async (_, start, won) => {
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
    await letPass(7 * days)
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
    await letPass(14 * days)
    await withFleet(async () => {
      const late = chat.press('Ada', id, 'Language')
      expect(await late.notice()).toBe('This message is out of date: its buttons no longer work.')
      const over = await chat.when(id, (one) => labels(one).length === 0)
      expect(late.acknowledged()).toBe(1)
      expect(over.text).toContain('Default depth: deep')
      return over
    })
  },
)
