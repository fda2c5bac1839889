// Threat T5 for memory: fifty chats of the same few people on Telegram, Discord and Feishu, a word of its own in each, and random acts: things are ordered to be
// kept, noticed, asked for, looked up by the model, listed, explained and forgotten. No word stands in a prompt or a message of another chat, and none in a log.
import { expect, test } from 'vitest'
import type { ChatPlatform, SimulatedChat } from '#test/rig/chats/chat.ts'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { startDiscord } from '#test/rig/chats/discord-chat.ts'
import { startFeishu } from '#test/rig/chats/feishu-chat.ts'
import { startTelegram } from '#test/rig/chats/telegram-chat.ts'
import { createRandom } from '#test/faults/rig/scenario.ts'
import { until, type Fleet } from '#test/rig/fleet.ts'
import { hasReadAll, startReflection } from '#test/rig/reflection.ts'

/** `ACTS=10000 SEED=1` for a longer look, and the same one again. */
const acts = Number(process.env['ACTS'] ?? 500)
const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))
/** Discord lets a bot write once a second into a channel. */
const shares = { telegram: 0.5, feishu: 0.4 }

type Room = { readonly platform: ChatPlatform; readonly chat: SimulatedChat; who(person: number): string }

const name = (person: number): string => `Person ${person}`
const canaryOf = (n: number): string => `Canary${n}x`
const numbersIn = (text: string): number[] => [...text.matchAll(/(?:canary|room)(\d+)x/gi)].map(([, n]) => Number(n))

function openRooms(platform: ChatPlatform, groups: readonly SimulatedChat[], directs: number): readonly Room[] {
  return [
    ...Array.from({ length: directs }, (_, n) => ({
      platform,
      chat: platform.direct(name(n)),
      who: () => name(n),
    })),
    ...groups.map((chat) => ({ platform, chat, who: name })),
  ]
}

const modes = ['semantic', 'graph', 'hybrid'] as const

/** Looks into memory where it is asked to, and finds the word of the chat whenever it is asked for people and things. */
function decide({ model }: Fleet): void {
  let asked = 0
  model.decideBy(({ messages }) => {
    const last = JSON.stringify(messages.findLast(({ role }) => role === 'user'))
    const [n] = numbersIn(last)
    if (last.includes('of SPEAKER')) {
      const relations = [{ type: 'sails on', to: canaryOf(n ?? 0), confidence: 0.9 }]
      const entities = [{ entity: 'SPEAKER', type: 'person', relations }]
      return { answer: { kind: 'text', text: JSON.stringify({ entities }) } }
    }
    const isAsked = last.includes('look up') && messages.findLast(({ role }) => role !== 'system')?.role === 'user'
    if (!isAsked) return { answer: { kind: 'text', text: `I see, room${n ?? 'none'}x.` } }
    const input = { query: `boat horse kayak cat sails Canary SPEAKER`, mode: modes[(asked += 1) % modes.length] }
    return { answer: { kind: 'tools', calls: [{ name: 'memory_query', arguments: JSON.stringify(input) }] } }
  })
}

const things = ['boat', 'horse', 'kayak', 'cat', 'garden', 'team', 'car', 'dog']
const commands = [
  '/memory',
  '/memory find boat horse',
  '/memory recent',
  '/memory waiting',
  'what do you know about me?',
  '/memory why 1',
  '/memory why 2',
  '/why',
  '/log',
  '/forget 1',
  '/forget 2',
  '/memory keep 1',
]

/** What is said there next, but for the word that addresses the bot. */
function toSaid(n: number, isGroup: boolean, random: () => number): string {
  const thing = things[Math.floor(random() * things.length)] ?? 'boat'
  const kind = random()
  if (kind < 0.25) return `remember that my ${thing} in room${n}x is called ${canaryOf(n)}`
  // What somebody says of themselves is theirs, and is known in their direct chat wherever it was said.
  if (kind < 0.45 && isGroup) return `We decided to sail with ${canaryOf(n)} in room${n}x.`
  if (kind < 0.45) return `I like to sail with ${canaryOf(n)} in room${n}x.`
  if (kind < 0.65) return `What is my ${thing} called, in room${n}x?`
  if (kind < 0.75) return `Please look up my ${thing} of room${n}x, what is it called?`
  return commands[Math.floor(random() * commands.length)] ?? '/memory'
}

test(
  'no word that one chat had kept is in a prompt, a message or a log of another',
  { timeout: 180_000 + acts * 50 },
  async () => {
    const random = createRandom(seed)
    const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)]
    let logged = ''
    await using telegram = await startTelegram()
    await using discord = await startDiscord({ limits: 'off' })
    await using feishu = await startFeishu()
    const tokens = ['PERSON', 'CHAT', 'TOTAL'].map((whose) => [`FLOTILLA_DAILY_TOKENS_${whose}`, '1000000000'])
    const env = { ...Object.fromEntries(tokens), FLOTILLA_LOG_LEVEL: 'trace' }
    await using fleet = await startChatFleet([telegram, discord, feishu], { env, onLog: (line) => (logged += line) })
    await using _ = await startReflection(fleet)
    decide(fleet)
    const channels = Object.values(discord.discord.addGuild({ channels: ['a', 'b', 'c', 'd'] }).channels)
    const groups = (platform: typeof telegram | typeof feishu) =>
      Array.from({ length: 5 }, () => platform.group({ by: name(0) }))
    const rooms = [
      ...openRooms(telegram, groups(telegram), 14),
      ...openRooms(
        discord,
        channels.map((id) => discord.channel(id)),
        8,
      ),
      ...openRooms(feishu, groups(feishu), 14),
    ]
    expect(rooms).toHaveLength(50)
    const of = (platform: ChatPlatform): number[] => rooms.flatMap((room, n) => (room.platform === platform ? [n] : []))
    const [onTelegram, onDiscord, onFeishu] = [of(telegram), of(discord), of(feishu)]
    const somewhere = (): readonly number[] => {
      const where = random()
      if (where < shares.telegram) return onTelegram
      return where < shares.telegram + shares.feishu ? onFeishu : onDiscord
    }
    const said = rooms.map((): { who: string; message: string }[] => [])
    const act = (n: number): void => {
      const room = rooms[n]
      if (!room) return
      const who = room.who(Math.floor(random() * 3))
      const own = pick(said[n] ?? [])
      const card = pick(room.chat.said())
      const kind = random()
      if (own && kind < 0.05) return void room.chat.ask(own.who, '/forget', { replyTo: own.message })
      if (card && kind < 0.2) {
        // Its own buttons, and those of any other chat.
        const from = kind < 0.15 ? room : pick(rooms)
        const data = pick(from?.chat.said().flatMap(({ buttons }) => buttons.flat()) ?? [])?.data
        if (data !== undefined) return void room.chat.forge(who, card.id, data)
      }
      said[n]?.push({ who, message: room.chat.ask(who, toSaid(n, room.who === name, random)) })
    }
    for (const [n, room] of rooms.entries())
      room.chat.ask(room.who(0), `remember that my boat in room${n}x is called ${canaryOf(n)}`)
    const prompts = () => fleet.model.ledger.entries
    for (let done = 0; done < acts; done += 50) {
      const before = prompts().length
      for (let i = 0; i < 50; i += 1) act(pick(somewhere()) ?? 0)
      await until(() => prompts().length > before)
    }
    for (const [n, room] of rooms.entries()) room.chat.ask(room.who(0), `What is my boat called at last, in room${n}x?`)
    const isHeard = (n: number): boolean =>
      prompts().some(({ messages }) => JSON.stringify(messages).includes(`called at last, in room${n}x`))
    await until(() => rooms.every((_room, n) => isHeard(n)))
    await until(async () => await hasReadAll(fleet))

    let given = 0
    for (const { messages } of prompts()) {
      const text = JSON.stringify(messages)
      expect(new Set(numbersIn(text)).size, `seed ${seed}: ${text.slice(-2000)}`).toBeLessThanOrEqual(1)
      if (/said by [^:]{0,80}: [^"]{0,80}Canary/.test(text)) given += 1
    }
    for (const [n, room] of rooms.entries()) {
      const found = new Set(room.chat.said().flatMap(({ texts }) => numbersIn(texts.join('\n'))))
      expect(
        [...found].filter((one) => one !== n),
        `seed ${seed}, room ${n}`,
      ).toEqual([])
    }
    expect(/canary\d/i.test(logged), `seed ${seed}: a log has words`).toBe(false)
    // Else nothing is shown by this.
    expect(given).toBeGreaterThan(acts / 20)
  },
)
