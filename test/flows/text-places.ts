// One person alone with the bot on each channel, and how they have it forget a message there: by the platform's own deletion, by /forget in
// reply to it, by the page's button, which says the same, or, where nothing can be pointed at, by /forget last.
import { PassThrough } from 'node:stream'
import { createConsoleChannel } from '#adapters/console/console-channel.ts'
import { labels, type ChatPlatform, type SimulatedChat } from '#test/rig/chats/chat.ts'
import { startChatFleet, type ChatFleetOptions } from '#test/rig/chats/chat-fleet.ts'
import { startDiscord } from '#test/rig/chats/discord-chat.ts'
import { startTelegram } from '#test/rig/chats/telegram-chat.ts'
import { createWebChat } from '#test/rig/chats/web-chat.ts'
import { startFleet, until, type Fleet } from '#test/rig/fleet.ts'
import { startPage } from '#test/rig/web-page.ts'

export type TextPlace = AsyncDisposable & {
  readonly fleet: Fleet
  readonly conversation: string
  /** Of the web: where its page is. */
  readonly page?: { readonly origin: string; readonly tokenFile: string }
  /** What can be done here beyond saying something. */
  readonly can: {
    /** Whether one message can be pointed at; else only the last question can be forgotten. */
    readonly point: boolean
    readonly edit?: (message: string, text: string) => void
    /** The platform refuses the next message that has this text. */
    readonly refuse?: (text: string) => void
  }
  /** Gives the message's id. */
  say(text: string, replyTo?: string): Promise<string>
  /** Waits until the bot has said something with this text. */
  hear(part: string, times?: number): Promise<void>
  /** What the bot has said, oldest first. */
  said(): Promise<readonly string[]>
  /** Presses a button of the newest message that has it. */
  press(label: string): Promise<void>
  /** What a reply to the newest message with this button names. */
  card(label: string): Promise<string>
  /** Whether some message shows this button. */
  shows(label: string): Promise<boolean>
  /** Has it forgotten, and waits until that is done. */
  forget(message: string): Promise<void>
}

type Open = (options: ChatFleetOptions) => Promise<TextPlace>
const who = 'Ada'

export const textPlaces = {
  'Telegram, by /forget': async (options) => {
    const platform = await startTelegram({ patienceMs: 30_000 })
    const chat = platform.direct(who)
    return await openPlatform(platform, {
      options,
      chat,
      refuse: (text) => {
        const fault = { kind: 'error', status: 400, description: 'Bad Request: message is too odd' } as const
        platform.telegram.fault({ when: { method: 'sendMessage', text }, times: 5, fault })
      },
    })
  },
  'Discord, by /forget': async (options) => await openOnDiscord(options, false),
  'Discord, by deletion': async (options) => await openOnDiscord(options, true),
  'the web, by the page’s button': async (options) => {
    const fleet = await startFleet(options)
    const page = await startPage(fleet)
    const { port, tokenFile } = page
    const chat = createWebChat({ port, tokenFile, name: 'texts' })
    return openStream(fleet, chat.conversation, {
      say: async (text, replyTo) => await chat.say(who, text, { replyTo }),
      press: async (data) => void (await chat.forge(who, '', data).notice()),
      canPoint: true,
      page: { origin: `http://127.0.0.1:${port}`, tokenFile },
      close: () => page[Symbol.asyncDispose](),
    })
  },
  'a terminal, by /forget last': async (options) => {
    const fleet = await startFleet(options)
    const input = new PassThrough()
    const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80 })
    output.resume()
    const { kernel, live, ingest } = fleet.runtime
    const deps = { kernel, live, name: 'texts', language: 'en', waitMs: 1000, commands: [] } as const
    const stopping = new AbortController()
    const running = createConsoleChannel(deps, { input, output }).start(ingest, stopping.signal)
    return openStream(fleet, 'console:texts', {
      async say(text) {
        input.write(`${text}\r`)
        return text
      },
      press: async () => {
        throw new Error('A terminal presses by numbers.')
      },
      canPoint: false,
      async close() {
        stopping.abort()
        input.end()
        await running
      },
    })
  },
} satisfies Record<string, Open>

async function openOnDiscord(options: ChatFleetOptions, byDeletion: boolean): Promise<TextPlace> {
  const platform = await startDiscord({ patienceMs: 30_000, limits: 'off' })
  const chat = platform.direct(who)
  return await openPlatform(platform, {
    options,
    chat,
    refuse: (text) => {
      const fault = { kind: 'error', status: 400, code: 50035, message: 'Invalid Form Body' } as const
      platform.discord.fault({ when: { route: 'createMessage', text }, times: 5, fault })
    },
    ...(byDeletion
      ? { remove: (message: string) => platform.discord.person(who).delete(platform.discord.person(who).dm, message) }
      : {}),
  })
}

type Given = {
  readonly options: ChatFleetOptions
  readonly chat: SimulatedChat
  readonly refuse: (text: string) => void
  readonly remove?: (message: string) => void
}

async function openPlatform(platform: ChatPlatform, { options, chat, refuse, remove }: Given): Promise<TextPlace> {
  const fleet = await startChatFleet([platform], options)
  const heard = (part: string): number => chat.said().filter(({ text }) => text.includes(part)).length
  const hear: TextPlace['hear'] = async (part, times = 1) =>
    void (await chat
      .until(() => (heard(part) >= times ? true : undefined))
      .catch((cause: unknown) => {
        throw new Error(
          `Nobody said "${part}": ${chat
            .said()
            .map(({ text }) => text)
            .join(' | ')}`,
          { cause },
        )
      }))
  return {
    fleet,
    conversation: chat.conversation,
    can: { point: true, edit: (message, text) => chat.edit(who, message, text), refuse },
    say: async (text, replyTo) => chat.ask(who, text, { replyTo }),
    hear,
    said: async () => chat.said().map(({ text }) => text),
    async press(label) {
      const card = await chat.until(() => chat.said().findLast((one) => labels(one).includes(label)))
      await chat.press(who, card.id, label).notice()
    },
    card: async (label) => (await chat.until(() => chat.said().findLast((one) => labels(one).includes(label)))).id,
    shows: async (label) => chat.said().some((one) => labels(one).includes(label)),
    async forget(message) {
      const before = heard('orgotten')
      if (remove) {
        remove(message)
        // What comes behind a deletion is answered after it.
        chat.ask(who, '/forget last')
        return await hear('There is no last question to forget.', heard('There is no last question to forget.') + 1)
      }
      chat.ask(who, '/forget', { replyTo: message })
      await hear('orgotten', before + 1)
    },
    async [Symbol.asyncDispose]() {
      await fleet[Symbol.asyncDispose]()
      await platform[Symbol.asyncDispose]()
    },
  }
}

type Stream = {
  say(text: string, replyTo?: string): Promise<string>
  press(data: string): Promise<void>
  readonly canPoint: boolean
  readonly page?: TextPlace['page']
  close(): Promise<void>
}

/** What web and console show is read from the stream itself. */
function openStream(fleet: Fleet, conversation: string, { say, press, canPoint, page, close }: Stream): TextPlace {
  const heard = async (part: string): Promise<number> =>
    (await fleet.said(conversation)).filter(({ text }) => text.includes(part)).length
  const hear: TextPlace['hear'] = async (part, times = 1) =>
    void (await until(async () => (await heard(part)) >= times))
  /** The bot's messages with the buttons that they still have. */
  const shown = async (): Promise<{ row: string; labels: readonly string[] }[]> => {
    const items = await fleet.runtime.kernel.readOut(conversation, '0', 1000)
    const bodies = items.flatMap((item) => (item.role === 'bot' ? [item.body] : []))
    const replaced = bodies.flatMap((body) => ('replaces' in body && body.replaces ? [body.replaces] : []))
    return bodies.flatMap((body) =>
      body.kind === 'send' && !replaced.includes(body.row ?? '')
        ? [{ row: body.row ?? '', labels: (body.buttons ?? []).flat().map(({ label }) => label) }]
        : [],
    )
  }
  return {
    fleet,
    conversation,
    ...(page ? { page } : {}),
    can: { point: canPoint },
    say,
    hear,
    said: async () => (await fleet.said(conversation)).map(({ text }) => text),
    async press(label) {
      const find = async () =>
        (await fleet.said(conversation))
          .flatMap(({ buttons = [] }) => buttons.flat())
          .findLast((one) => one.label === label)
      await press((await until(find)).id)
    },
    card: async (label) => (await until(async () => (await shown()).findLast((one) => one.labels.includes(label)))).row,
    shows: async (label) => (await shown()).some((one) => one.labels.includes(label)),
    async forget(message) {
      const before = await heard('orgotten')
      await (canPoint ? say('/forget', message) : say('/forget last'))
      await hear('orgotten', before + 1)
    },
    async [Symbol.asyncDispose]() {
      await close()
      await fleet[Symbol.asyncDispose]()
    },
  }
}

/** Nobody replies as fast as a test: the fleet learns a moment after it that a card has arrived, and by which message. */
export async function untilArrived({ fleet, conversation }: TextPlace): Promise<void> {
  const { admin } = fleet.redis
  const isArrived = async (key: string): Promise<boolean> => {
    const [state, deadline, receipt] = await admin.hmget(key, 's', 'deadline', 'receipt')
    if (deadline === null || state === 'answered') return true
    return state === 'asked' && (receipt !== null || conversation.startsWith('web:'))
  }
  await until(async () => {
    const keys = await admin.keys('*:q:p*')
    return (await Promise.all(keys.map(isArrived))).every(Boolean)
  })
}
