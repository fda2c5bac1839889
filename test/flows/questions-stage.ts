// Where the questions are played: a fleet behind one channel, a service whose ledger counts what took effect, and a model whose every answer was
// written for it. Ann owns the bot; where a channel has more people, Bob and Chen are with her in a group with threads.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { words as consoleWords } from '#adapters/console/words.ts'
import { pressTexts } from '#adapters/press/texts.ts'
import { createWebChannel } from '#adapters/web/web-channel.ts'
import { openDeskCount } from '#infra/processes/open-desk.ts'
import { listPages } from '#infra/processes/list-pages.ts'
import type { Language } from '#shared/chat/message.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import type { ChatPlatform, Seen, SimulatedChat } from '#test/rig/chats/chat.ts'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { startDiscord } from '#test/rig/chats/discord-chat.ts'
import { hear, toRoom, toWebRoom, type Room } from '#test/rig/chats/room.ts'
import { startFeishu } from '#test/rig/chats/feishu-chat.ts'
import { startTelegram } from '#test/rig/chats/telegram-chat.ts'
import { openTerminal, type TerminalRoom } from '#test/rig/chats/terminal-room.ts'
import { createWebChat } from '#test/rig/chats/web-chat.ts'
import { startFleet, until, type Fleet, type FleetOptions } from '#test/rig/fleet.ts'
import { startServiceSimulator, type ServiceSimulator } from '#test/simulators/services/simulator.ts'
import { planModel, type PlannedModel } from './planned-model.ts'
import { questionWords, type QuestionWords } from './questions-words.ts'
import { createRoomLog, type RoomLog } from './room-log.ts'

export type QuestionStage = AsyncDisposable & {
  readonly fleet: Fleet
  readonly ledger: ServiceSimulator
  readonly model: PlannedModel
  readonly language: Language
  /** What is said, in the language of all people here. */
  readonly words: QuestionWords
  /** Whether others than the owner are there; on the web page and in a terminal nobody else is. */
  readonly hasOthers: boolean
  /** What a presser is told, as this channel says it. */
  readonly told: Readonly<Record<'won' | 'stale' | 'forbidden', string>>
  /** A place where nothing was said yet: a thread of the group, a group, or a conversation of its own. */
  open(title: string): Promise<Room>
  /** A person alone with the bot. Throws where that is not told apart. */
  direct(who: string): Room
  /** The time that a card may be answered is over. */
  runOut(room: Room): Promise<void>
  /** Says in the transcript what happens behind the scene. */
  note(room: Room, what: string): void
  transcript(): Promise<string>
  /** Every text and label that the bot has shown anywhere. */
  shown(): Promise<readonly string[]>
}

export type Act = (stage: QuestionStage) => Promise<void>

type Place = Pick<QuestionStage, 'hasOthers' | 'told' | 'open' | 'direct'> & {
  readonly fleet: Fleet
  readonly log: RoomLog
  print(): Promise<string>
  shown(): Promise<readonly string[]>
  close(): Promise<void>
}

const { won, stale, forbidden } = pressTexts
type Env = Record<string, string>
/** What the fleet has beside what every stage has. */
export type MoreOfFleet = Pick<FleetOptions, 'features'>
type Opening = { readonly env: Env; readonly language: Language; readonly more: MoreOfFleet }

export const questionStages = {
  telegram: async (language: Language = 'en', more: MoreOfFleet = {}) =>
    await openStage({ language, more }, async (how) => {
      const languages = { Ann: how.language, Bob: how.language, Chen: how.language }
      return await openGroup(await startTelegram({ patienceMs: 20_000, languages }), how)
    }),
  discord: async (language: Language = 'en', more: MoreOfFleet = {}) =>
    await openStage(
      { language, more },
      async (how) => await openGroup(await startDiscord({ patienceMs: 20_000, limits: 'off' }), how),
    ),
  feishu: async (language: Language = 'en', more: MoreOfFleet = {}) =>
    await openStage({ language, more }, async (how) => await openGroup(await startFeishu({ patienceMs: 20_000 }), how)),
  web: async (language: Language = 'en', more: MoreOfFleet = {}) => await openStage({ language, more }, openPage),
  console: async (language: Language = 'en', more: MoreOfFleet = {}) =>
    await openStage({ language, more }, openTerminals),
} satisfies Record<string, (language?: Language, more?: MoreOfFleet) => Promise<QuestionStage>>

async function openStage<P extends Place>(
  { language, more }: Pick<Opening, 'language' | 'more'>,
  open: (how: Opening) => Promise<P>,
): Promise<QuestionStage & { readonly place: P }> {
  const ledger = await startServiceSimulator()
  const env = { FLOTILLA_HTTP_HOSTS: `127.0.0.1:${ledger.port}+key`, FLOTILLA_TIME_ZONE: 'Europe/Berlin' }
  const place = await open({ env, language, more })
  const { fleet, log, hasOthers } = place
  return {
    place,
    fleet,
    ledger,
    model: planModel(fleet.model),
    language,
    words: questionWords[language],
    hasOthers,
    told: place.told,
    open: place.open,
    direct: place.direct,
    note: ({ title }, what) => log.note(title, `   (${what})`),
    async runOut({ conversation, title }) {
      log.note(title, '   (the time to answer is over)')
      const { redis } = fleet.runtime
      const key = `${partitionPrefix(toPartition(conversation))}timers`
      const due = await until(async () => {
        const all = await redis.zrange(key, '0', '-1')
        const own = all.filter((one) => one.startsWith(`${conversation} q.`))
        return own.length > 0 && own
      })
      for (const one of due) await redis.zadd(key, 1, one)
    },
    transcript: () => place.print(),
    shown: () => place.shown(),
    async [Symbol.asyncDispose]() {
      await log.stop()
      await place.close()
      await ledger.close()
    },
  }
}

/** A group for one act: in topics Feishu tells of no message which one it quotes. */
async function openOwn(platform: ChatPlatform, title: string): Promise<SimulatedChat> {
  const group = platform.group({ by: 'Ann', title, hasThreads: false, isBotAdmin: true })
  await letIn(group)
  return group
}

async function letIn(group: SimulatedChat): Promise<void> {
  const greeting = await group.until(() => group.said()[0])
  // Where a platform does not tell who added the bot.
  if (greeting.text.includes('/allow here')) await group.replyTo(group.ask('Ann', '/allow here'))
}

/** Ann has let the group in, and Bob alone; all three have spoken to the bot alone, so that it may write to them there. */
async function openGroup(platform: ChatPlatform, { env, language, more }: Opening): Promise<Place> {
  const fleet = await startChatFleet([platform], { owner: 'Ann', env, ...more })
  const group = platform.group({ by: 'Ann', title: 'Friends', hasThreads: true, isBotAdmin: true })
  await letIn(group)
  for (const who of ['Ann', 'Bob', 'Chen']) {
    if (who !== 'Ann') await group.replyTo(group.ask('Ann', `/allow ${platform.principal(who)}`))
    const direct = platform.direct(who)
    await direct.answerTo(who, '/status')
    await until(async () => (await fleet.runtime.people.find(platform.principal(who))).direct[platform.name])
  }
  const log = createRoomLog()
  const direct = new Map(
    ['Ann', 'Bob', 'Chen'].map((who) => [
      who,
      log.watch(toRoom(`${who} alone with the bot`, platform.direct(who)), { from: 'now' }),
    ]),
  )
  return {
    fleet,
    log,
    hasOthers: true,
    // On Discord who chose sees it by the card alone.
    told: {
      won: platform.name === 'discord' ? '' : won[language],
      stale: stale[language],
      forbidden: forbidden[language],
    },
    open: async (title) =>
      platform.name === 'feishu'
        ? log.watch(toRoom(title, await openOwn(platform, title)), { from: 'now' })
        : log.watch(toRoom(title, group.openThread('Ann', title))),
    direct(who) {
      const room = direct.get(who)
      if (!room) throw new Error(`${who} is nobody here.`)
      return room
    },
    print: async () => log.print(),
    shown: async () => log.shown(),
    async close() {
      await fleet[Symbol.asyncDispose]()
      await platform[Symbol.asyncDispose]()
    },
  }
}

/** A conversation's name takes few letters. */
const toName = (title: string): string =>
  /[a-z]/i.test(title)
    ? title.toLowerCase().replaceAll(/[^a-z]+/g, '-')
    : Buffer.from(title).toString('hex').slice(0, 40)

const nobodyAlone = (): never => {
  throw new Error('Here every conversation is one of the owner alone.')
}

export type Page = { readonly origin: string; readonly tokenFile: string }

async function openPage({ env, more }: Opening): Promise<Place & { readonly page: Page }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'flotilla-web-'))
  const fleet = await startFleet({ env, ...more })
  const { kernel, live, redis, ingest } = fleet.runtime
  const tokenFile = path.join(folder, 'web-token')
  const channel = await createWebChannel(
    { tokenFile, closeGraceMs: 200 },
    {
      kernel,
      live,
      redis,
      findMissing: async () => [],
      pages: listPages(fleet.runtime),
      countDesk: openDeskCount(fleet.runtime),
    },
  )
  const port = await channel.listen(0)
  const stopping = new AbortController()
  const running = channel.start(ingest, stopping.signal)
  const log = createRoomLog()
  return {
    page: { origin: `http://127.0.0.1:${port}`, tokenFile },
    fleet,
    log,
    hasOthers: false,
    // The page has words of its own for these.
    told: { won: 'won', stale: 'stale', forbidden: 'forbidden' },
    open: async (title) => {
      const name = toName(title)
      return log.watch(toWebRoom(title, createWebChat({ port, tokenFile, name })))
    },
    direct: nobodyAlone,
    print: async () => log.print(),
    shown: async () => log.shown(),
    async close() {
      stopping.abort()
      await running
      await fleet[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** What somebody typed, and the arguments of calls, which are a block of code. */
const isTyped = /^(?:>|#\d| {4})/

async function openTerminals({ env, language, more }: Opening): Promise<Place> {
  const fleet = await startFleet({ env, ...more })
  const rooms: TerminalRoom[] = []
  return {
    fleet,
    log: createRoomLog(),
    hasOthers: false,
    // Who chose sees it by what comes of it.
    told: { won: '', stale: consoleWords.stale[language], forbidden: consoleWords.gone[language] },
    open: async (title) => {
      const room = await openTerminal(fleet.runtime, title, { name: toName(title), language })
      rooms.push(room)
      return room
    },
    direct: nobodyAlone,
    async print() {
      const screens = await Promise.all(rooms.map(async ({ title, screen }) => [`== ${title}`, ...(await screen())]))
      return screens.map((lines) => lines.join('\n')).join('\n\n')
    },
    async shown() {
      const screens = await Promise.all(rooms.map(({ screen }) => screen()))
      return screens.flat().filter((line) => !isTyped.test(line))
    },
    async close() {
      for (const room of rooms) await room.close()
      await fleet[Symbol.asyncDispose]()
    },
  }
}

/** Its buttons are gone. */
export const isBare = ({ buttons }: Pick<Seen, 'buttons'>): boolean => buttons.length === 0

/** Waits for the bot's newest card with this text, until it may be answered. */
export async function card(stage: QuestionStage, room: Room, part: string) {
  const found = await hear(
    room,
    ({ text, buttons }) => buttons.length > 0 && text.includes(part),
    `a card with "${part}"`,
  )
  // A person is slower than the platform, which has yet to tell that it took the card.
  await until(async () => (await stage.fleet.runtime.kernel.findCards(room.conversation, [])).cards.length > 0)
  return found
}
