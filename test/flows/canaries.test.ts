// Threat T5, cross-chat leakage: 75 conversations of the same few people on Telegram, Discord and Feishu (direct chats, groups, topics,
// threads), a word of its own in each, and random acts by the hundred, or by the thousand. No prompt and no message holds a word of
// another conversation.
import { expect, test } from 'vitest'
import type { ChatPlatform, SimulatedChat } from '#test/rig/chats/chat.ts'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { startDiscord } from '#test/rig/chats/discord-chat.ts'
import { startFeishu } from '#test/rig/chats/feishu-chat.ts'
import { startTelegram } from '#test/rig/chats/telegram-chat.ts'
import { until } from '#test/rig/fleet.ts'
import { createRandom } from '#test/faults/rig/scenario.ts'

/** `ACTS=10000 SEED=1` for a longer look, and the same one again. */
const acts = Number(process.env['ACTS'] ?? 600)
/** Discord lets a bot write once a second into a channel: there is more to see on the others. */
const shareOfDiscord = 0.08
const shareOfFeishu = 0.4
const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const people = Array.from({ length: 10 }, (_, i) => i)

/** One conversation, and who talks in it; in a direct chat it is always the same person. */
type Room = { readonly platform: ChatPlatform; readonly chat: SimulatedChat; who(person: number): string }

const name = (person: number): string => `Person ${person}`

/** Ten direct chats, the groups, and ten threads of the parents. */
function openRooms(
  platform: ChatPlatform,
  groups: readonly SimulatedChat[],
  parents: readonly SimulatedChat[],
): readonly Room[] {
  const threads = people.flatMap((n) => parents[n % parents.length]?.openThread(name(0), `Thread ${n}`) ?? [])
  return [
    ...people.map((n) => ({ platform, chat: platform.direct(name(n)), who: () => name(n) })),
    ...[...groups, ...threads].map((chat) => ({ platform, chat, who: name })),
  ]
}

const words = (text: string): number[] => [...text.matchAll(/canary(\d+)x/g)].map(([, n]) => Number(n))

test('no word of one conversation is in a prompt or a message of another', { timeout: 120_000 }, async () => {
  const random = createRandom(seed)
  const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)]
  await using telegram = await startTelegram()
  await using discord = await startDiscord({ limits: 'off' })
  await using feishu = await startFeishu()
  const tokens = ['PERSON', 'CHAT', 'TOTAL'].map((whose) => [`FLOTILLA_DAILY_TOKENS_${whose}`, '1000000000'])
  await using fleet = await startChatFleet([telegram, discord, feishu], { env: Object.fromEntries(tokens) })
  const channels = Object.values(discord.discord.addGuild({ channels: ['a', 'b', 'c', 'd', 'e'] }).channels)
  const inGuild = channels.map((id) => discord.channel(id))
  const groups = channels.map(() => telegram.group({ by: name(0) }))
  const forums = [0, 1].map(() => telegram.group({ by: name(0), hasThreads: true }))
  const onFeishuToo = channels.map(() => feishu.group({ by: name(0) }))
  const topics = [0, 1].map(() => feishu.group({ by: name(0), hasThreads: true }))
  const rooms = [
    ...openRooms(telegram, groups, forums),
    ...openRooms(discord, inGuild, inGuild),
    ...openRooms(feishu, onFeishuToo, topics),
  ]
  expect(rooms).toHaveLength(75)
  const of = (platform: ChatPlatform): number[] => rooms.flatMap((room, n) => (room.platform === platform ? [n] : []))
  const [onTelegram, onDiscord, onFeishu] = [of(telegram), of(discord), of(feishu)]
  const somewhere = (): readonly number[] => {
    const where = random()
    return where < shareOfDiscord ? onDiscord : where < shareOfDiscord + shareOfFeishu ? onFeishu : onTelegram
  }
  const said = rooms.map((): { person: number; message: string }[] => [])
  const word = (n: number): string => `canary${n}x`
  const say = (n: number, text: string): void => {
    const person = Math.floor(random() * 3)
    const replyTo = random() < 0.2 ? pick(rooms[n]?.chat.said() ?? [])?.id : undefined
    const message = rooms[n]?.chat.ask(rooms[n].who(person), `${text} ${word(n)}?`, { replyTo })
    if (message) said[n]?.push({ person, message })
  }
  const act = (n: number): void => {
    const room = rooms[n]
    const own = pick(said[n] ?? [])
    const kind = random()
    if (!room || !own || kind < 0.45) say(n, pick(['what is', 'why is it', 'please explain', 'tell me all of']) ?? '')
    else if (kind < 0.6)
      room.chat.edit(room.who(own.person), own.message, `${room.chat.mention} what was rather meant by ${word(n)}?`)
    else if (kind < 0.65) room.chat.react(room.who(own.person), own.message, '👍')
    else if (kind < 0.75)
      room.chat.ask(room.who(own.person), pick(['/status', '/depth', '/config', '/retry', '/new', '/stop']) ?? '')
    else {
      const card = pick(room.chat.said())
      // Its own buttons, and those of any other conversation.
      const from = kind < 0.9 ? room : pick(rooms)
      const data = pick(from?.chat.said().flatMap(({ buttons }) => buttons.flat()) ?? [])?.data
      if (card && data) room.chat.forge(room.who(own.person), card.id, data)
    }
  }
  const prompts = () => fleet.model.ledger.entries
  for (let n = 0; n < rooms.length; n++) say(n, 'our secret is')

  for (let done = 0; done < acts; done += 50) {
    const before = prompts().length
    for (let i = 0; i < 50; i++) act(pick(somewhere()) ?? 0)
    await until(() => prompts().length > before)
  }
  for (const [n, room] of rooms.entries()) room.chat.ask(room.who(0), `what is last in ${word(n)}?`)
  await until(() => rooms.every((room) => room.chat.said().some(({ text }) => text.includes('last in'))))
  for (const { messages } of prompts())
    expect(new Set(words(JSON.stringify(messages))).size, `seed ${seed}`).toBeLessThanOrEqual(1)
  for (const [n, room] of rooms.entries())
    expect(new Set(room.chat.said().flatMap(({ texts }) => words(texts.join()))), `seed ${seed}`).toEqual(new Set([n]))
  expect(prompts().length).toBeGreaterThan(acts / 10)
})
