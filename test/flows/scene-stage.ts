// Where a scene is played: a chat on a simulated platform with three people in it, and a fleet that answers there. A driver for each
// platform makes one; the scene knows only this. Whatever becomes visible is logged as a person would have seen it.
import type { Fleet } from '#test/rig/fleet.ts'

export type Who = 'Ann' | 'Bob' | 'Chen'
export const bot = 'Flotilla'

/** A message in the topic or thread, as it stands now. */
export type Seen = {
  readonly id: string
  readonly by: Who | typeof bot
  /** With marks for what is bold, code and so on, whatever the platform has for it. */
  readonly text: string
  /** Every text it has had, the first one first. */
  readonly texts: readonly string[]
  readonly buttons: readonly (readonly string[])[]
  readonly replyTo: string | undefined
  readonly files: readonly string[]
  /** What the bot put under it. */
  readonly reaction: string | undefined
}

export type Stage = AsyncDisposable & {
  readonly fleet: Fleet
  /** How people address the bot. */
  readonly mention: string
  /** The longest text a message may have. */
  readonly maxChars: number
  /** Whether an answer somewhat longer than that still is one message, since it holds a table. */
  readonly takesTables: boolean
  /** Messages that the platform itself makes the bot send for a command: Discord shows a slash command as the bot's. */
  readonly echoesCommands: boolean
  say(who: Who, text: string, replyTo?: string): string
  /** Several pictures at once, with a caption; the id is that of the message with the caption. */
  sendAlbum(who: Who, caption: string, files: readonly string[]): string
  edit(who: Who, message: string, text: string): void
  react(who: Who, message: string, emoji: string): void
  /** Such as `config`. */
  command(who: Who, name: string): void
  /** Resolves with the notice that the presser alone sees; empty without one. */
  press(who: Who, message: string, label: string): Promise<string>
  /** Oldest first. */
  seen(): readonly Seen[]
  until<T>(find: () => T | undefined): Promise<T>
  /** The platform refuses the bot's next edit there and asks it to wait. */
  askToWait(seconds: number): void
  /** How often it asked, and how many requests came into the chat before the time was over. */
  waits(): { readonly asked: number; readonly broken: number }
  /** Notes that the log cannot see, such as a press. */
  note(line: string): void
  /** The chat, line by line. */
  transcript(): string
}

/** What a driver gives to have its chat watched. */
export type Watched = {
  seen(): readonly Seen[]
  /** When the bot last showed that it is writing. */
  typingAtMs(): number | undefined
}

export type SceneLog = {
  look(): void
  note(line: string): void
  /** Who said what, in short. */
  nameOf(message: string | undefined): string
  print(): string
}

type Entry = { readonly atMs: number; readonly lines: () => readonly string[] }
type Known = { text: string; buttons: string; reaction: string | undefined }

const longChars = 300

export function createSceneLog(watched: Watched): SceneLog {
  const startedAtMs = Date.now()
  const entries: Entry[] = []
  const known = new Map<string, Known>()
  let typing: number | undefined
  const add = (lines: Entry['lines']): void => void entries.push({ atMs: Date.now(), lines })
  const nameOf = (id: string | undefined): string => {
    const found = watched.seen().find((one) => one.id === id)
    return found ? `${found.by}: "${cut(found.texts[0] ?? '', 40)}"` : 'a message elsewhere'
  }
  const finalText = (id: string): string | undefined => watched.seen().find((one) => one.id === id)?.text

  function lookAt(one: Seen): void {
    const buttons = toButtons(one)
    const before = known.get(one.id)
    known.set(one.id, { text: one.text, buttons, reaction: one.reaction })
    if (!before) {
      const head = one.replyTo === undefined ? '' : `   ┌ in reply to ${nameOf(one.replyTo)}`
      const files = one.files.map((file) => `[${file}]`).join(' ')
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
      const at = watched.typingAtMs()
      if (at !== undefined && at !== typing) add(() => [`   (${bot} is typing …)`])
      typing = at
      for (const one of watched.seen()) lookAt(one)
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
  return buttons.map((row) => `   ${row.map((label) => `[ ${label} ]`).join(' ')}`).join('\n')
}

const cut = (text: string, chars: number): string =>
  text.length > chars ? `${text.slice(0, chars).replaceAll('\n', ' ')}…` : text.replaceAll('\n', ' ')
