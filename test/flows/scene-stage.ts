// Where a scene is played: a thread of a group on a simulated platform, with three people in it, and a fleet that answers there. Ann owns
// the bot and lets the group in. Whatever becomes visible is logged as a person would have seen it.
import { bot, toSimulatedChat, type ChatPlatform, type Seen, type SimulatedChat } from '#test/rig/chats/chat.ts'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { startDiscord } from '#test/rig/chats/discord-chat.ts'
import { startFeishu } from '#test/rig/chats/feishu-chat.ts'
import { startTelegram } from '#test/rig/chats/telegram-chat.ts'
import type { Fleet } from '#test/rig/fleet.ts'
import { documentedLimits } from '#test/simulators/telegram/faults.ts'

export type Stage = AsyncDisposable & {
  readonly fleet: Fleet
  readonly platform: ChatPlatform
  readonly chat: SimulatedChat
  /** What is said of the Chinese message that is edited, and the button below. */
  readonly edited: readonly [said: string, button: string]
  /** How many messages the group has outside of the thread. */
  outside(): number
  /** The chat, line by line. */
  transcript(): string
}

/** So that the scene does not last minutes. */
const brisk = { ...documentedLimits, perChatPerSecond: 5, perChatPerMinute: 300, perGroupPerMinute: 100 }

export const stages = {
  telegram: async (pace: 'documented' | 'brisk') => {
    const limits = pace === 'brisk' ? brisk : documentedLimits
    const { perSecond, perChatPerSecond, perGroupPerMinute } = limits
    const patienceMs = pace === 'brisk' ? 60_000 : 90_000
    const platform = await startTelegram({ limits, patienceMs, languages: { Chen: 'zh-hans' } })
    return await openStage(platform, { TELEGRAM_RATES: [perSecond, perChatPerSecond, perGroupPerMinute].join() })
  },
  discord: async () => await openStage(await startDiscord({ patienceMs: 60_000 })),
  // Feishu tells nobody's language, so that a command after Chinese words would be answered in Chinese.
  feishu: async () =>
    await openStage(await startFeishu({ patienceMs: 60_000 }), { FEISHU_CALLS: '0,20', FLOTILLA_LANGUAGE: 'en' }),
}

async function openStage(platform: ChatPlatform, env: Readonly<Record<string, string>> = {}): Promise<Stage> {
  const fleet = await startChatFleet([platform], { owner: 'Ann', env })
  const group = platform.group({ by: 'Ann', title: 'Friends', hasThreads: true, isBotAdmin: true })
  const greeting = await group.until(() => group.said()[0])
  // Where a platform does not tell who added the bot.
  if (greeting.text.includes('/allow here')) await group.replyTo(group.ask('Ann', '/allow here'))
  const chat = group.openThread('Ann', 'Trip')
  const log = createSceneLog(chat)
  const watch = { isOver: false }
  const watching = chat.until(() => {
    log.look()
    return watch.isOver || undefined
  }, 300_000)
  return {
    fleet,
    platform,
    chat: toLogged(chat, log),
    edited: env['FLOTILLA_LANGUAGE'] === 'en' ? ['You edited', 'Redo'] : ['你修改了', '重新回答'],
    outside: () => group.seen().length,
    transcript: log.print,
    async [Symbol.asyncDispose]() {
      watch.isOver = true
      await fleet[Symbol.asyncDispose]()
      await watching.catch(() => {})
      await platform[Symbol.asyncDispose]()
    },
  }
}

/** Notes what people do. */
function toLogged(chat: SimulatedChat, log: SceneLog): SimulatedChat {
  const noting =
    <A extends readonly string[]>(act: (...given: A) => void, words: (...given: A) => string) =>
    (...given: A): void => {
      log.note(words(...given))
      act(...given)
    }
  return {
    ...toSimulatedChat({
      ...chat,
      say(who, text, how) {
        const message = chat.say(who, text, how)
        log.look()
        return message
      },
      react: noting(chat.react, (who, message, emoji) => `${who} reacts ${emoji} to ${log.nameOf(message)}`),
      command: noting(chat.command, (who, name) => `${who} uses /${name}`),
      askToWait(seconds) {
        log.note(`   (the next edit is answered 429: wait ${seconds} s)`)
        chat.askToWait(seconds)
      },
    }),
    press(who, message, label) {
      log.note(`${who} presses [ ${label} ]`)
      const pressed = chat.press(who, message, label)
      const notice = async (): Promise<string> => {
        const text = await pressed.notice()
        if (text) log.note(`   (only ${who} sees: ${text})`)
        return text
      }
      return { ...pressed, notice }
    },
  }
}

type SceneLog = {
  look(): void
  note(line: string): void
  /** Who said what, in short. */
  nameOf(message: string | undefined): string
  print(): string
}

type Entry = { readonly atMs: number; readonly lines: () => readonly string[] }
type Known = { text: string; buttons: string; reaction: string | undefined }

const longChars = 300

function createSceneLog(chat: SimulatedChat): SceneLog {
  const startedAtMs = Date.now()
  const entries: Entry[] = []
  const known = new Map<string, Known>()
  let typing: number | undefined
  const add = (lines: Entry['lines']): void => void entries.push({ atMs: Date.now(), lines })
  const nameOf = (id: string | undefined): string => {
    const found = chat.seen().find((one) => one.id === id)
    return found ? `${found.by}: "${cut(found.texts[0] ?? '', 40)}"` : 'a message elsewhere'
  }
  const finalText = (id: string): string | undefined => chat.seen().find((one) => one.id === id)?.text

  function lookAt(one: Seen): void {
    const buttons = toButtons(one)
    const before = known.get(one.id)
    known.set(one.id, { text: one.text, buttons, reaction: one.reaction })
    if (!before) {
      const head = one.replyTo === undefined ? '' : `   ┌ in reply to ${nameOf(one.replyTo)}`
      const files = one.files.map(({ name }) => `[${name}]`).join(' ')
      add(() => [head, `${one.by}: ${[files, one.text].filter(Boolean).join(' ')}`, buttons].filter(Boolean))
      return
    }
    if (before.text !== one.text) {
      const isGrowing = (): boolean => one.text.length > longChars && finalText(one.id) !== one.text
      const brief = `${one.by} edits: … (${one.text.length} characters) … ${cut(one.text.slice(-60), 60)}`
      add(() => [isGrowing() ? brief : `${one.by} edits: ${one.text}`, buttons].filter(Boolean))
    } else if (before.buttons !== buttons) {
      add(() => [`   (buttons under "${cut(one.text, 40)}": ${buttons.trim() || 'gone'})`])
    }
    if (before.reaction !== one.reaction) add(() => [`${one.by} gets ${one.reaction ?? 'no reaction'} from ${bot}`])
  }

  return {
    look() {
      const at = chat.typingAtMs()
      if (at !== undefined && at !== typing) add(() => [`   (${bot} is typing …)`])
      typing = at
      for (const one of chat.seen()) lookAt(one)
    },
    note: (line) => add(() => [line]),
    nameOf,
    print: () => entries.flatMap(({ atMs, lines }) => indent(atMs - startedAtMs, lines())).join('\n'),
  }
}

function indent(ms: number, lines: readonly string[]): string[] {
  const time = `${(ms / 1000).toFixed(1).padStart(6)} s  `
  return lines.flatMap((line) => line.split('\n')).map((line, i) => `${i === 0 ? time : ' '.repeat(10)}${line}`)
}

function toButtons({ buttons }: Seen): string {
  return buttons.map((row) => `   ${row.map(({ label }) => `[ ${label} ]`).join(' ')}`).join('\n')
}

const cut = (text: string, chars: number): string =>
  text.length > chars ? `${text.slice(0, chars).replaceAll('\n', ' ')}…` : text.replaceAll('\n', ' ')
