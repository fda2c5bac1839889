// Chats on the simulated Feishu: direct ones, groups, and their topics.
import {
  startFeishuSimulator,
  type FeishuSimulator,
  type FeishuSimulatorOptions,
} from '#test/simulators/feishu/simulator.ts'
import type { ConversationId } from '#shared/chat/conversation.ts'
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

export async function startFeishu({ patienceMs = 25_000, ...options }: FeishuOptions = {}): Promise<FeishuPlatform> {
  const feishu = await startFeishuSimulator(options)
  const deps = { feishu, patienceMs, topics: new Set<string>() }
  let connections = 0
  const chat = (id: string, thread?: string): SimulatedChat =>
    createFeishuChat(deps, {
      id,
      thread,
      mention: `@${feishu.bot.name}`,
      conversation: toConversation(feishu, id, thread),
    })
  return {
    name: 'feishu',
    feishu,
    env: {
      FEISHU_APP_ID: feishu.appId,
      FEISHU_APP_SECRET: feishu.appSecret,
      FEISHU_DOMAIN: feishu.apiRoot,
    },
    // Its limit is 30 KB for a whole card, in which a Chinese sign takes three.
    maxChars: 7000,
    takesTables: false,
    echoesCommands: false,
    // Whatever somebody replies to in a topic, Feishu names the message that began it.
    tellsRepliesInThreads: false,
    principal: (who) => `feishu:${feishu.person(who).openId}`,
    // The SDK listens a moment after the connection is open, and pings first.
    async connected() {
      const pinging = (): number =>
        new Set(feishu.ledger.connections.flatMap(({ kind, connection }) => (kind === 'ping' ? [connection] : []))).size
      await feishu.ledger.waitForConnection(() => pinging() > connections)
      connections = pinging()
    },
    direct: (who) => {
      const { dm: id, openId } = feishu.person(who)
      return createFeishuChat(deps, { id, thread: undefined, mention: '', conversation: `feishu:${openId}` })
    },
    group: ({ by, title, admins = [], hasThreads }) =>
      chat(feishu.addGroup({ owner: by, name: title, admins, isTopics: hasThreads })),
    chat,
    chatIdOf({ conversation }) {
      const [, id = ''] = conversation.split(':')
      return id.startsWith('ou_') ? feishu.person(id).dm : id
    },
    [Symbol.asyncDispose]: () => feishu.close(),
  }
}

type Place = {
  readonly id: string
  readonly thread: string | undefined
  readonly mention: string
  readonly conversation: ConversationId
}

/** A topic goes by the message that began it. */
function toConversation(feishu: FeishuSimulator, id: string, thread: string | undefined): ConversationId {
  const opening = thread === undefined ? undefined : feishu.visible(id, thread)[0]?.id
  return opening === undefined ? `feishu:${id}` : `feishu:${id}:${opening}`
}

type Deps = {
  readonly feishu: FeishuSimulator
  readonly patienceMs: number
  /** Opened here; what is said in them is not seen in their group. */
  readonly topics: Set<string>
}

const sends = ['createMessage', 'replyMessage']
const edits = ['patchMessage', 'editMessage', 'updateCard', 'updateCardContent']

function createFeishuChat(deps: Deps, { id, thread, mention, conversation }: Place): SimulatedChat {
  const { feishu, patienceMs, topics } = deps
  const isHere = (one: VisibleMessage): boolean => thread !== undefined || !topics.has(one.thread ?? '')
  const seen = (): Seen[] => withFiles(feishu.visible(id, thread).filter(isHere)).map((one) => toSeen(one, feishu))
  const say: SimulatedChat['say'] = (who, text, { replyTo, pictures = [] } = {}) => {
    const person = feishu.person(who)
    if (pictures.length === 0) return person.say(id, text, { replyTo, thread })
    const images = pictures.map((name) => [{ tag: 'img', image_key: person.picture(name) }])
    const isNaming = mention !== '' && text.startsWith(mention)
    const words = [
      ...(isNaming ? [{ tag: 'at', user_id: feishu.bot.openId }] : []),
      { tag: 'text', text: isNaming ? text.slice(mention.length) : text },
    ]
    return person.sayPost(id, [...(text === '' ? [] : [words]), ...images], { replyTo, thread })
  }
  return toSimulatedChat({
    conversation,
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
    openThread(who, name) {
      const opened = feishu.person(who).openThread(id, name)
      topics.add(opened)
      return createFeishuChat(deps, { id, thread: opened, mention, conversation: toConversation(feishu, id, opened) })
    },
    until: (find, timeoutMs = patienceMs) => feishu.until(find, timeoutMs),
  })
}

const emojis: Readonly<Record<string, string>> = { '👍': 'THUMBSUP', '👎': 'ThumbsDown', '❤️': 'HEART', '👀': 'GLANCE' }

const toSign = (emoji: string | undefined): string | undefined =>
  Object.entries(emojis).find(([, type]) => type === emoji)?.[0] ?? emoji

/** What comes back of a button is a text or an object; a text that is no object stays a text. */
function toValue(data: string): unknown {
  if (!data.startsWith('{')) return data
  const value: unknown = JSON.parse(data)
  return value
}

/** A card shows a character for each reference to one. */
const toRead = ({ type, text }: VisibleMessage): string =>
  type === 'interactive'
    ? text.replaceAll(/&#(\d{1,7});/g, (_, code: string) => String.fromCodePoint(Number(code)))
    : text

/** A file is a message of its own below its caption; people take both for one. */
function withFiles(all: readonly VisibleMessage[]): VisibleMessage[] {
  return all.reduce<VisibleMessage[]>((shown, one) => {
    const before = shown.at(-1)
    const isBelow = one.from === 'bot' && one.type === 'file' && before?.from === 'bot' && before.type === 'interactive'
    return isBelow ? [...shown.slice(0, -1), { ...before, files: [...before.files, ...one.files] }] : [...shown, one]
  }, [])
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
    text: toRead(one).replaceAll(/<at (?:id|user_id)="?([\w]+)"?>[^<]*<\/at>/g, (_, who: string) =>
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
    reaction: toSign(Object.entries(one.reactions).find(([, names]) => names.includes(feishu.bot.name))?.[0]),
    pings,
    // Addresses in cards are not looked at.
    previews: (type === 'text' || type === 'post') && /https?:\/\//.test(one.text),
  }
}
