// Chats on the simulated Feishu: direct ones, groups, and their topics.
import {
  startFeishuSimulator,
  type FeishuSimulator,
  type FeishuSimulatorOptions,
} from '#test/simulators/feishu/simulator.ts'
import type { VisibleMessage } from '#test/simulators/feishu/visible.ts'
import { bot, toSimulatedChat, type ChatPlatform, type Press, type Seen, type SimulatedChat } from './chat.ts'

export type FeishuPlatform = ChatPlatform & {
  readonly feishu: FeishuSimulator
  /** The chat of this id, or, with a topic's id, what is said in that topic. */
  chat(id: string, thread?: string): SimulatedChat
  chatIdOf(chat: Pick<SimulatedChat, 'conversation'>): string
}

export type FeishuOptions = FeishuSimulatorOptions & {
  /** How long people wait for what they expect; 10 s when left out. */
  readonly patienceMs?: number | undefined
}

export async function startFeishu({ patienceMs = 10_000, ...options }: FeishuOptions = {}): Promise<FeishuPlatform> {
  const feishu = await startFeishuSimulator(options)
  const deps = { feishu, patienceMs }
  let connections = 0
  const chat = (id: string, thread?: string): SimulatedChat =>
    createFeishuChat(deps, { id, thread, mention: `@${feishu.bot.name}` })
  return {
    name: 'feishu',
    feishu,
    env: {
      FEISHU_APP_ID: feishu.appId,
      FEISHU_APP_SECRET: feishu.appSecret,
      FEISHU_API_ROOT: feishu.apiRoot,
    },
    // Its limit is 30 KB for a whole card.
    maxChars: 28_000,
    takesTables: false,
    echoesCommands: false,
    principal: (who) => `feishu:${feishu.person(who).openId}`,
    async connected() {
      // What comes before its first ping, a client of the vendor's does not hear yet.
      const opened = (): number =>
        new Set(feishu.ledger.connections.flatMap(({ kind, connection }) => (kind === 'ping' ? [connection] : []))).size
      await feishu.ledger.waitForConnection(() => opened() > connections)
      connections = opened()
    },
    direct: (who) => createFeishuChat(deps, { id: feishu.person(who).dm, thread: undefined, mention: '' }),
    group: ({ by, title, admins = [], hasThreads }) =>
      chat(feishu.addGroup({ owner: by, name: title, admins, isTopics: hasThreads })),
    chat,
    chatIdOf: ({ conversation }) => conversation.split(':')[1] ?? '',
    [Symbol.asyncDispose]: () => feishu.close(),
  }
}

type Place = { readonly id: string; readonly thread: string | undefined; readonly mention: string }

type Deps = { readonly feishu: FeishuSimulator; readonly patienceMs: number }

const sends = ['createMessage', 'replyMessage']
const edits = ['patchMessage', 'editMessage', 'updateCard', 'updateCardContent']

function createFeishuChat(deps: Deps, { id, thread, mention }: Place): SimulatedChat {
  const { feishu, patienceMs } = deps
  const seen = (): Seen[] => feishu.visible(id, thread).map((one) => toSeen(one, feishu))
  const say: SimulatedChat['say'] = (who, text, { replyTo, pictures = [] } = {}) => {
    const person = feishu.person(who)
    if (pictures.length === 0) return person.say(id, text, { replyTo, thread })
    const images = pictures.map((name) => [{ tag: 'img', image_key: person.picture(name) }])
    return person.sayPost(id, [...(text === '' ? [] : [[{ tag: 'text', text }]]), ...images], { replyTo, thread })
  }
  return toSimulatedChat({
    conversation: `feishu:${id}${thread === undefined ? '' : `:${thread}`}`,
    mention,
    say,
    edit: (who, message, text) => feishu.person(who).edit(id, message, text),
    react: (who, message, emoji) => feishu.person(who).react(id, message, emojis[emoji] ?? emoji),
    // Only a direct chat has the bot's menu, whose entries take no words.
    command: (who, name, args) =>
      void (mention === '' && args === undefined
        ? feishu.person(who).menu(name)
        : say(who, `${mention} /${name} ${args ?? ''}`.trim())),
    forge: (who, message, data) =>
      toPress(deps, feishu.person(who).press(id, message, toValue(data), { isForged: true })),
    seen,
    growing: () => seen().findLast(({ by }) => by === bot)?.text,
    repeat: () => feishu.repeat('im.message.receive_v1'),
    loseAnswer: () =>
      feishu.fault({ when: { route: sends, chat: id }, times: 1, fault: { kind: 'no-answer', accepted: true } }),
    // Feishu shows nobody typing; bots put a reaction of that name below what they answer.
    typingAtMs: () =>
      feishu.ledger
        .of('addReaction')
        .findLast(({ chat, accepted, body }) => chat === id && accepted && JSON.stringify(body).includes('"Typing"'))
        ?.at,
    askToWait: (seconds) =>
      feishu.fault({ when: { route: edits, chat: id }, times: 1, fault: { kind: 'rate-limit', resetS: seconds } }),
    requests: () =>
      feishu.ledger.entries
        .filter(({ chat, isDuringWait }) => chat === id || isDuringWait)
        .map(({ n, at, waitMs, isDuringWait }) => ({ n, at, waitMs: isDuringWait ? undefined : waitMs, isDuringWait })),
    openThread: (who, name) => createFeishuChat(deps, { id, thread: feishu.person(who).openThread(id, name), mention }),
    until: (find, timeoutMs = patienceMs) => feishu.until(find, timeoutMs),
  })
}

const emojis: Readonly<Record<string, string>> = { '👍': 'THUMBSUP', '👎': 'ThumbsDown', '❤️': 'HEART', '👀': 'GLANCE' }

/** What comes back of a button is a text or an object; a text that is no object stays a text. */
function toValue(data: string): unknown {
  if (!data.startsWith('{')) return data
  const value: unknown = JSON.parse(data)
  return value
}

function toPress({ feishu, patienceMs }: Deps, token: string): Press {
  const settled = () => [feishu.pressed(token)].find(({ state }) => state !== 'waiting')
  return {
    async notice() {
      const { error, toast = '' } = await feishu.until(settled, patienceMs)
      if (error !== undefined) throw new Error(`The presser was shown the error ${error}.`)
      return toast
    },
    acknowledged: () => (feishu.pressed(token).state === 'answered' ? 1 : 0),
  }
}

function toSeen(one: VisibleMessage, feishu: FeishuSimulator): Seen {
  const { id, name, from, texts, replyTo, pings, type, files } = one
  return {
    id,
    by: from === 'bot' ? bot : name,
    text: one.text.replaceAll(/<at (?:id|user_id)="?([\w]+)"?>[^<]*<\/at>/g, (_, who: string) =>
      who === 'all' ? '@all' : `@${who === feishu.bot.openId ? feishu.bot.name : feishu.person(who).name}`,
    ),
    texts,
    buttons: one.buttons.map((row) =>
      row.map(({ label, value }) => ({
        label,
        data: value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value),
      })),
    ),
    replyTo,
    files,
    reaction: Object.entries(one.reactions).find(([, names]) => names.includes(feishu.bot.name))?.[0],
    pings,
    // Addresses in cards are not looked at.
    previews: (type === 'text' || type === 'post') && /https?:\/\//.test(one.text),
  }
}
