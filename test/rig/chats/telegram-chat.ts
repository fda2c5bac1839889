// Chats on the simulated Telegram: direct ones, groups, and topics of forums.
import { randomUUID } from 'node:crypto'
import {
  startTelegramSimulator,
  type TelegramSimulator,
  type TelegramSimulatorOptions,
} from '#test/simulators/telegram/simulator.ts'
import type { TgEntity } from '#test/simulators/telegram/types.ts'
import type { VisibleMessage } from '#test/simulators/telegram/visible.ts'
import { bot, toSimulatedChat, type ChatPlatform, type Press, type Seen, type SimulatedChat } from './chat.ts'

export type TelegramOptions = TelegramSimulatorOptions & {
  /** How long people wait for what they expect; 10 s when left out. */
  readonly patienceMs?: number | undefined
  /** The language of each person's app; English when left out. */
  readonly languages?: Readonly<Record<string, string>> | undefined
}

export type TelegramPlatform = ChatPlatform & {
  readonly telegram: TelegramSimulator
  idOf(who: string): number
  chatIdOf(chat: Pick<SimulatedChat, 'conversation'>): number
}

type Place = { readonly chat: number; readonly topic?: number | undefined }

export async function startTelegram({
  languages = {},
  patienceMs = 25_000,
  ...options
}: TelegramOptions = {}): Promise<TelegramPlatform> {
  const telegram = await startTelegramSimulator(options)
  const people = new Map<string, number>()
  let groups = 0
  const idOf = (who: string): number => {
    const id = people.get(who) ?? 1001 + people.size
    if (people.has(who)) return id
    people.set(who, id)
    telegram.addUser({ id, is_bot: false, first_name: who, language_code: languages[who] ?? 'en' })
    return id
  }
  const nameOf = (id: number): string => [...people].find(([, one]) => one === id)?.[0] ?? String(id)
  const open = (place: Place): SimulatedChat => createTelegramChat({ telegram, patienceMs, idOf, nameOf }, place)
  return {
    name: 'telegram',
    telegram,
    env: {
      TELEGRAM_BOT_TOKEN: telegram.token,
      TELEGRAM_API_ROOT: telegram.apiRoot,
      // Only where Telegram has limits does a pace of sending matter.
      ...(options.limits ? {} : { TELEGRAM_RATES: '1000,1000,60000' }),
    },
    maxChars: 4096,
    takesTables: true,
    echoesCommands: false,
    tellsRepliesInThreads: true,
    idOf,
    chatIdOf: ({ conversation }) => Number(conversation.split(':')[1]),
    principal: (who) => `telegram:${idOf(who)}`,
    connected: async () => {},
    direct: (who) => open({ chat: idOf(who) }),
    group({ by, title, admins = [], hasThreads, isBotAdmin }) {
      groups += 1
      const chat = -100_000 - groups
      telegram.addBotToGroup({ chat, by: idOf(by), title, admins: admins.map(idOf), isForum: hasThreads, isBotAdmin })
      return open({ chat })
    },
    [Symbol.asyncDispose]: () => telegram.close(),
  }
}

type Deps = {
  readonly telegram: TelegramSimulator
  readonly patienceMs: number
  idOf(who: string): number
  nameOf(id: number): string
}

function createTelegramChat(deps: Deps, place: Place): SimulatedChat {
  const { telegram, patienceMs, idOf, nameOf } = deps
  const { chat, topic } = place
  const isDirect = chat > 0
  const pictures = new Map<number, string>()
  let lastUpdate = 0
  const seen = (): Seen[] =>
    telegram
      .visible(chat)
      .filter((one) => one.topic === topic)
      .map((one) => ({
        ...toSeen(one, pictures.get(one.id)),
        by: one.from === 'bot' ? bot : nameOf(one.from),
      }))
  return toSimulatedChat({
    conversation: `telegram:${chat}${topic === undefined ? '' : `:${topic}`}`,
    mention: isDirect ? '' : `@${telegram.bot.username}`,
    say(who, text, { replyTo, pictures: names = [] } = {}) {
      const at = { from: idOf(who), ...place, ...(replyTo === undefined ? {} : { replyTo: Number(replyTo) }) }
      const album = { ...at, kind: 'photo', extra: { media_group_id: randomUUID() } } as const
      const sent = names.map((name, i) => {
        const one = telegram.sendMedia({ ...album, name, ...(i === 0 && text ? { caption: text } : {}) })
        pictures.set(one.message, name)
        return one
      })
      const [{ message, update } = telegram.sendText({ ...at, text })] = sent
      lastUpdate = update ?? 0
      return String(message)
    },
    edit: (who, message, text) => void telegram.edit({ from: idOf(who), chat, message: Number(message), text }),
    react: (who, message, emoji) => telegram.react({ from: idOf(who), chat, message: Number(message), emoji }),
    command(who, name, args = '') {
      const text = `/${name}${isDirect ? '' : `@${telegram.bot.username}`} ${args}`.trim()
      telegram.sendText({ from: idOf(who), ...place, text })
    },
    forge(who, message, data) {
      const { id } = telegram.press({ from: idOf(who), chat, message: Number(message), data, isForged: true })
      return toPress(deps, id)
    },
    seen,
    growing: () => (isDirect ? telegram.drafts(chat).at(-1) : seen().findLast(({ by }) => by === bot)?.text),
    repeat: () => telegram.replay(lastUpdate),
    // Not of what says that it types.
    loseAnswer: () =>
      telegram.fault({
        when: { method: 'sendMessage', chat },
        times: 1,
        fault: { kind: 'no-answer', accepted: true },
      }),
    typingAtMs() {
      const action = telegram.action(chat)
      return action?.topic === topic ? action?.at : undefined
    },
    askToWait: (seconds) =>
      telegram.fault({
        when: { method: 'editMessageText', chat },
        times: 1,
        fault: { kind: 'rate-limit', retryAfterS: seconds },
      }),
    requests: () =>
      telegram.ledger.entries
        .filter(({ params }) => params['chat_id'] === chat)
        .map(({ n, at, status, description = '', isDuringWait }) => ({
          n,
          at,
          waitMs: status === 429 ? Number(/retry after (\d+)/.exec(description)?.[1] ?? 0) * 1000 : undefined,
          isDuringWait,
        })),
    openThread(who, name) {
      const made = telegram.createTopic({ chat, by: idOf(who), name })
      return createTelegramChat(deps, { chat, topic: made })
    },
    until: (find, timeoutMs = patienceMs) => telegram.until(find, timeoutMs),
  })
}

function toPress({ telegram, patienceMs }: Deps, id: string): Press {
  return {
    notice: async () => (await telegram.until(() => telegram.pressAnswer(id), patienceMs)).text ?? '',
    acknowledged: () =>
      telegram.ledger.of('answerCallbackQuery').filter(({ params }) => params['callback_query_id'] === id).length,
  }
}

function toSeen(one: VisibleMessage, picture: string | undefined): Omit<Seen, 'by'> {
  const { document, documentText = '', entities } = one
  const names = [picture ?? document].filter((name) => name !== undefined)
  return {
    id: String(one.id),
    text: withMarks(one.text, entities),
    texts: one.texts,
    buttons: one.buttons.map((row) => row.map(({ text, data = '' }) => ({ label: text, data }))),
    replyTo: one.replyTo === undefined ? undefined : String(one.replyTo),
    files: names.map((name) => ({ name, text: documentText })),
    reaction: one.reaction,
    // A name with an @ is found by Telegram itself, and there is none for everybody.
    pings: entities.filter(({ type }) => type === 'text_mention').map(({ type }) => type),
    previews: one.hasLinkPreview && document === undefined,
  }
}

const marks: Readonly<Record<string, readonly [before: string, after: string]>> = {
  bold: ['**', '**'],
  italic: ['_', '_'],
  code: ['`', '`'],
  strikethrough: ['~~', '~~'],
  underline: ['__', '__'],
  blockquote: ['❝', '❞'],
}

/** Entities as marks in the text, so that a transcript shows them. */
function withMarks(text: string, entities: readonly TgEntity[]): string {
  const toMarks = ({ type, language = '', url = '' }: TgEntity): readonly [string, string] | undefined => {
    if (type === 'pre') return [`\`\`\`${language}\n`, '\n```']
    return type === 'text_link' ? ['[', `](${url})`] : marks[type]
  }
  return entities
    .flatMap((entity) => {
      const [before, after] = toMarks(entity) ?? ['', '']
      const { offset, length } = entity
      return [
        { at: offset, put: before },
        { at: offset + length, put: after },
      ]
    })
    .toSorted((a, b) => b.at - a.at)
    .reduce((marked, { at, put }) => marked.slice(0, at) + put + marked.slice(at), text)
}
