// Chats on the simulated Discord: direct ones, channels of guilds, and their threads.
import {
  startDiscordSimulator,
  type DiscordSimulator,
  type DiscordSimulatorOptions,
} from '#test/simulators/discord/simulator.ts'
import type { VisibleMessage } from '#test/simulators/discord/visible.ts'
import { bot, toSimulatedChat, type ChatPlatform, type Press, type Seen, type SimulatedChat } from './chat.ts'

export type DiscordPlatform = ChatPlatform & {
  readonly discord: DiscordSimulator
  /** The chat in a channel, or, with its parent's id, in a thread. */
  channel(id: string, parent?: string): SimulatedChat
}

export type DiscordOptions = DiscordSimulatorOptions & {
  /** How long people wait for what they expect; 10 s when left out. */
  readonly patienceMs?: number | undefined
}

export async function startDiscord({ patienceMs = 25_000, ...options }: DiscordOptions = {}): Promise<DiscordPlatform> {
  const discord = await startDiscordSimulator(options)
  const deps = { discord, patienceMs }
  let sessions = 0
  const channel = (id: string, parent?: string): SimulatedChat =>
    createDiscordChat(deps, { id, parent, mention: `<@${discord.bot.id}>` })
  return {
    name: 'discord',
    discord,
    env: { DISCORD_BOT_TOKEN: discord.token, DISCORD_API_ROOT: discord.apiRoot },
    maxChars: 2000,
    takesTables: false,
    echoesCommands: true,
    tellsRepliesInThreads: true,
    principal: (who) => `discord:${discord.person(who).id}`,
    async connected() {
      const { gateway, waitForGateway } = discord.ledger
      const begun = (): number => gateway.filter(({ kind }) => kind === 'identify' || kind === 'resume').length
      await waitForGateway(() => begun() > sessions)
      sessions = begun()
    },
    direct: (who) => createDiscordChat(deps, { id: discord.person(who).dm, parent: undefined, mention: '' }),
    group: ({ by, title, admins = [] }) => channel(discord.addGuild({ owner: by, name: title, admins }).channel),
    channel,
    [Symbol.asyncDispose]: () => discord.close(),
  }
}

type Place = { readonly id: string; readonly parent: string | undefined; readonly mention: string }

type Deps = { readonly discord: DiscordSimulator; readonly patienceMs: number }

function createDiscordChat(deps: Deps, { id, parent, mention }: Place): SimulatedChat {
  const { discord, patienceMs } = deps
  const seen = (): Seen[] => discord.visible(id).map((one) => toSeen(one, discord.bot))
  return toSimulatedChat({
    conversation: `discord:${parent === undefined ? '' : `${parent}:`}${id}`,
    mention,
    say(who, text, { replyTo, pictures = [] } = {}) {
      const files = pictures.map((name) => ({ name, content: name, type: 'image/jpeg' }))
      return discord.person(who).say(id, text, { replyTo, files })
    },
    edit: (who, message, text) => discord.person(who).edit(id, message, text),
    react: (who, message, emoji) => discord.person(who).react(id, message, emoji),
    command: (who, name, args) => void discord.person(who).slash(id, name, args === undefined ? {} : { text: args }),
    forge: (who, message, data) => toPress(deps, discord.person(who).press(id, message, data, { isForged: true })),
    seen,
    growing: () => seen().findLast(({ by }) => by === bot)?.text,
    repeat: () => discord.repeat('MESSAGE_CREATE'),
    loseAnswer: () =>
      discord.fault({
        when: { route: 'createMessage', channel: id },
        times: 1,
        fault: { kind: 'no-answer', accepted: true },
      }),
    typingAtMs: () => discord.typing(id),
    askToWait: (seconds) =>
      discord.fault({
        when: { route: 'editMessage', channel: id },
        times: 1,
        fault: { kind: 'rate-limit', retryAfterS: seconds },
      }),
    requests: () =>
      discord.ledger.entries
        .filter(({ channel, isDuringWait }) => channel === id || isDuringWait)
        .map(({ n, at, status, description = '', isDuringWait }) => ({
          n,
          at,
          waitMs: status === 429 ? Number(/retry after ([\d.]+) ms/.exec(description)?.[1] ?? 0) : undefined,
          isDuringWait,
        })),
    openThread(who, name) {
      const thread = discord.person(who).openThread(id, name)
      return createDiscordChat(deps, { id: thread, parent: id, mention })
    },
    until: (find, timeoutMs = patienceMs) => discord.until(find, timeoutMs),
  })
}

function toPress({ discord, patienceMs }: Deps, id: string): Press {
  return {
    async notice() {
      const { state, answers } = await discord.until(() => {
        const found = discord.interaction(id)
        return found.state === 'waiting' ? undefined : found
      }, patienceMs)
      if (state === 'failed') throw new Error('The presser was shown "This interaction failed".')
      return answers.flatMap(({ text, isEphemeral }) => (isEphemeral ? [text] : [])).join('\n')
    },
    acknowledged: () => discord.ledger.of('answerInteraction').filter(({ call }) => call.includes(id)).length,
  }
}

function toSeen(one: VisibleMessage, self: DiscordSimulator['bot']): Seen {
  const { id, name, from, texts, replyTo, pings } = one
  return {
    id,
    by: from === 'bot' ? bot : name,
    // As Discord shows a mention, and what stands behind a backslash.
    text: one.text.replaceAll(`<@${self.id}>`, `@${self.username}`).replaceAll(/\\([^\p{L}\p{N}\s])/gu, '$1'),
    texts,
    buttons: one.buttons.map((row) => row.map(({ label, customId = '' }) => ({ label, data: customId }))),
    replyTo,
    files: one.files.map((file, i) => ({ name: file, text: one.fileTexts[i] ?? '' })),
    reaction: Object.entries(one.reactions).find(([, names]) => names.includes(self.username))?.[0],
    pings: [...pings.users, ...pings.roles, ...(pings.everyone ? ['everyone'] : [])],
    previews: one.previews.length > 0,
  }
}
