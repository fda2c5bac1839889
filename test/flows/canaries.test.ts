// Threat T5, cross-chat leakage: fifty conversations of the same few people on Telegram and Discord (direct chats, groups, topics,
// threads), a word of its own in each, and random acts by the hundred, or by the thousand. No prompt and no message holds a word of
// another conversation.
import { expect, test } from 'vitest'
import { startFleet, until } from '#test/rig/fleet.ts'
import { startPlatform } from '#test/rig/platform.ts'
import { createRandom } from '#test/faults/rig/scenario.ts'
import { startDiscordSimulator, type DiscordSimulator } from '#test/simulators/discord/simulator.ts'
import { startTelegramSimulator, type TelegramSimulator } from '#test/simulators/telegram/simulator.ts'

/** `ACTS=10000 SEED=1` for a longer look, and the same one again. */
const acts = Number(process.env['ACTS'] ?? 600)
/** Discord lets a bot write once a second into a channel: there is more to see on Telegram. */
const shareOfDiscord = 0.08
const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const people = Array.from({ length: 10 }, (_, i) => i)

type Shown = { readonly id: string; readonly text: string; readonly texts: readonly string[]; readonly data: string[] }
/** One conversation as its people use it. */
type Room = {
  readonly platform: 'telegram' | 'discord'
  say(person: number, text: string, replyTo?: string): string
  edit(person: number, message: string, text: string): void
  react(person: number, message: string): void
  press(person: number, message: string, data: string): void
  shown(): readonly Shown[]
}

function telegramRoom(telegram: TelegramSimulator, chat?: number, topic?: number): (who: number) => Room {
  return (who) => {
    const at = (person: number) => ({ from: 100 + (chat === undefined ? who : person), ...(chat ? { chat } : {}) })
    const call = chat === undefined ? '' : `@${telegram.bot.username} `
    return {
      platform: 'telegram',
      say: (person, text, replyTo) => {
        const more = { ...(topic ? { topic } : {}), ...(replyTo ? { replyTo: Number(replyTo) } : {}) }
        return String(telegram.sendText({ ...at(person), text: call + text, ...more }).message)
      },
      edit: (person, message, text) =>
        void telegram.edit({ ...at(person), message: Number(message), text: call + text }),
      react: (person, message) => telegram.react({ ...at(person), message: Number(message), emoji: '👍' }),
      press: (person, message, data) =>
        void telegram.press({ ...at(person), message: Number(message), data, isForged: true }),
      shown: () =>
        telegram
          .visible(chat ?? 100 + who)
          .filter((one) => one.from === 'bot' && one.topic === topic)
          .map(({ id, text, texts, buttons }) => ({
            id: String(id),
            text,
            texts,
            data: buttons.flat().flatMap(({ data }) => data ?? []),
          })),
    }
  }
}

function discordRoom(discord: DiscordSimulator, channel?: string): (who: number) => Room {
  return (who) => {
    const by = (person: number) => discord.person(`Person ${channel === undefined ? who : person}`)
    const place = channel ?? by(who).dm
    const call = channel === undefined ? '' : `<@${discord.bot.id}> `
    return {
      platform: 'discord',
      say: (person, text, replyTo) => by(person).say(place, call + text, replyTo ? { replyTo } : {}),
      edit: (person, message, text) => by(person).edit(place, message, call + text),
      react: (person, message) => by(person).react(place, message, '👍'),
      press: (person, message, data) => void by(person).press(place, message, data, { isForged: true }),
      shown: () =>
        discord
          .visible(place)
          .filter(({ from }) => from === 'bot')
          .map(({ id, text, texts, buttons }) => ({
            id,
            text,
            texts,
            data: buttons.flat().flatMap(({ customId }) => customId ?? []),
          })),
    }
  }
}

/** Ten direct chats, five groups and ten topics of two more; and on Discord ten direct chats, five channels and ten threads. */
function openRooms(telegram: TelegramSimulator, discord: DiscordSimulator): readonly Room[] {
  const rooms = people.flatMap((who) => [telegramRoom(telegram)(who), discordRoom(discord)(who)])
  const guild = discord.addGuild({ channels: ['a', 'b', 'c', 'd', 'e'] })
  const channels = Object.values(guild.channels)
  rooms.push(...channels.map((channel) => discordRoom(discord, channel)(0)))
  for (let n = 0; n < 10; n++) {
    const thread = discord.person('Person 0').openThread(channels[n % 5] ?? '', `Thread ${n}`)
    rooms.push(discordRoom(discord, thread)(0))
  }
  for (let n = 0; n < 7; n++) {
    const chat = -1000 - n
    telegram.addBotToGroup({ chat, by: 100, isForum: n >= 5 })
    if (n < 5) rooms.push(telegramRoom(telegram, chat)(0))
    else
      for (let t = 0; t < 5; t++) {
        const topic = telegram.createTopic({ chat, by: 100, name: `Topic ${t}` })
        rooms.push(telegramRoom(telegram, chat, topic)(0))
      }
  }
  return rooms
}

const words = (text: string): number[] => [...text.matchAll(/canary(\d+)x/g)].map(([, n]) => Number(n))

test('no word of one conversation is in a prompt or a message of another', { timeout: 120_000 }, async () => {
  const random = createRandom(seed)
  const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)]
  const [telegram, discord] = await Promise.all([startTelegramSimulator(), startDiscordSimulator({ limits: 'off' })])
  await using fleet = await startFleet({
    env: {
      TELEGRAM_BOT_TOKEN: telegram.token,
      TELEGRAM_API_ROOT: telegram.apiRoot,
      TELEGRAM_RATES: '1000,1000,60000',
      DISCORD_BOT_TOKEN: discord.token,
      DISCORD_API_ROOT: discord.apiRoot,
      FLOTILLA_ALLOW: '*',
      FLOTILLA_DAILY_TOKENS_PERSON: '1000000000',
      FLOTILLA_DAILY_TOKENS_CHAT: '1000000000',
      FLOTILLA_DAILY_TOKENS_TOTAL: '1000000000',
    },
  })
  const stops = [await startPlatform(fleet.runtime, 'telegram'), await startPlatform(fleet.runtime, 'discord')]
  await discord.ledger.waitForGateway(({ kind }) => kind === 'identify')
  const rooms = openRooms(telegram, discord)
  expect(rooms).toHaveLength(50)
  const of = (platform: Room['platform']): number[] =>
    rooms.flatMap((room, n) => (room.platform === platform ? [n] : []))
  const [onTelegram, onDiscord] = [of('telegram'), of('discord')]
  const said = rooms.map((): { person: number; message: string }[] => [])
  const word = (n: number): string => `canary${n}x`
  const say = (n: number, text: string): void => {
    const person = Math.floor(random() * 3)
    const replyTo = random() < 0.2 ? pick(rooms[n]?.shown() ?? [])?.id : undefined
    const message = rooms[n]?.say(person, `${text} ${word(n)}?`, replyTo)
    if (message) said[n]?.push({ person, message })
  }
  const act = (n: number): void => {
    const room = rooms[n]
    const own = pick(said[n] ?? [])
    const kind = random()
    if (!room || !own || kind < 0.45) say(n, pick(['what is', 'why is it', 'please explain', 'tell me all of']) ?? '')
    else if (kind < 0.6) room.edit(own.person, own.message, `what was rather meant by ${word(n)}?`)
    else if (kind < 0.65) room.react(own.person, own.message)
    else if (kind < 0.75) room.say(own.person, pick(['/status', '/depth', '/config', '/retry', '/new', '/stop']) ?? '')
    else {
      const card = pick(room.shown())
      // Its own buttons, and those of any other conversation.
      const from = kind < 0.9 ? room : pick(rooms)
      const data = pick(from?.shown().flatMap((one) => one.data) ?? [])
      if (card && data) room.press(own.person, card.id, data)
    }
  }
  const prompts = () => fleet.model.ledger.entries
  for (let n = 0; n < rooms.length; n++) say(n, 'our secret is')

  for (let done = 0; done < acts; done += 50) {
    const before = prompts().length
    for (let i = 0; i < 50; i++) act(pick(random() < shareOfDiscord ? onDiscord : onTelegram) ?? 0)
    await until(() => prompts().length > before)
  }
  for (const [n, room] of rooms.entries()) room.say(0, `what is last in ${word(n)}?`)
  await until(() => rooms.every((room) => room.shown().some(({ text }) => text.includes('last in'))))
  for (const { messages } of prompts())
    expect(new Set(words(JSON.stringify(messages))).size, `seed ${seed}`).toBeLessThanOrEqual(1)
  for (const [n, room] of rooms.entries())
    expect(new Set(room.shown().flatMap(({ texts }) => words(texts.join()))), `seed ${seed}`).toEqual(new Set([n]))
  expect(prompts().length).toBeGreaterThan(acts / 10)
  for (const stop of stops) await stop()
  await Promise.all([telegram.close(), discord.close()])
})
