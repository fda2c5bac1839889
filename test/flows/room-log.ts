// What people do and see in several rooms, in the order in which it happened, as lines to read.
import { setTimeout as sleep } from 'node:timers/promises'
import { bot, labels, type Seen } from '#test/rig/chats/chat.ts'
import type { Room } from '#test/rig/chats/room.ts'

export type RoomLog = {
  /** Gives the room, in which from now on what is done and seen is noted. `from`: what was said there before is left out. */
  watch(room: Room, how?: { readonly from: 'now' }): Room
  note(room: string, line: string): void
  print(): string
  /** Every text and label of the bot's that was to be seen. */
  shown(): readonly string[]
  stop(): Promise<void>
}

type Known = { readonly text: string; readonly buttons: string }
type Watched = { readonly room: Room; readonly known: Map<string, Known>; isQuiet: boolean }

const lookEveryMs = 25

export function createRoomLog(): RoomLog {
  const lines: string[] = []
  const watched: Watched[] = []
  const shown = new Set<string>()
  const stopping = new AbortController()
  let latest = ''
  const add = (room: string, more: readonly string[]): void => {
    if (room !== latest) lines.push('', `== ${room}`)
    latest = room
    lines.push(...more.flatMap((one) => one.split('\n')))
  }
  const lookAt = ({ room, known, isQuiet }: Watched, one: Seen, all: readonly Seen[]): void => {
    const buttons = one.buttons.map((row) => `   ${row.map(({ label }) => `[ ${label} ]`).join(' ')}`).join('\n')
    const before = known.get(one.id)
    known.set(one.id, { text: one.text, buttons })
    if (isQuiet || (before?.text === one.text && before.buttons === buttons)) return
    if (one.by === bot) for (const text of [one.text, ...labels(one)]) shown.add(text)
    const answered = all.find(({ id }) => id === one.replyTo)
    const quoted = answered && !before ? [`   ┌ ${answered.by}: ${toBrief(answered.text)}`] : []
    const file = one.files.map(({ name }) => `[${name}] `).join('')
    if (before?.text === one.text)
      add(room.title, [`   (buttons under "${toBrief(one.text)}": ${buttons.trim() || 'gone'})`])
    else
      add(room.title, [
        ...quoted,
        `${one.by}${before ? ' edits' : ''}: ${file}${one.text}`,
        ...(buttons ? [buttons] : []),
      ])
  }
  const look = async (one: Watched): Promise<readonly Seen[]> => {
    const all = await one.room.seen()
    for (const each of all) lookAt(one, each, all)
    one.isQuiet = false
    return all
  }
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      for (const one of watched) await look(one).catch(() => {})
      await sleep(lookEveryMs)
    }
  })()
  return {
    watch(room, how) {
      const one = { room, known: new Map<string, Known>(), isQuiet: how !== undefined }
      watched.push(one)
      const said = async (saying: Promise<string>): Promise<string> => {
        const id = await saying
        await look(one)
        return id
      }
      return {
        ...room,
        say: async (...given) => await said(room.say(...given)),
        ask: async (...given) => await said(room.ask(...given)),
        async press(who, message, label) {
          await look(one)
          add(room.title, [`${who} presses [ ${label} ]`])
          const text = await room.press(who, message, label)
          if (text) add(room.title, [`   (only ${who} sees: ${text})`])
          return text
        },
        seen: () => look(one),
      }
    },
    note: (room, line) => add(room, [line]),
    shown: () => [...shown],
    print: () => lines.join('\n').trim().replaceAll(bot, 'Bot'),
    async stop() {
      stopping.abort()
      await watching
    },
  }
}

const toBrief = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > 60 ? `${line.slice(0, 60)}…` : line
}
