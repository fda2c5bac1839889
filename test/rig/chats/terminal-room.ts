// The owner at a terminal: the real console channel, typed at key by key; a terminal emulator has what is to be seen there.
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import xterm from '@xterm/headless'
import { createConsoleChannel } from '#adapters/console/console-channel.ts'
import { words } from '#adapters/console/words.ts'
import { toApiMessage } from '#adapters/web/api-message.ts'
import type { OutItem } from '#queues/shown/shown.ts'
import type { Runtime } from '#infra/processes/runtime.ts'
import type { Language } from '#shared/chat/message.ts'
import type { Seen } from './chat.ts'
import type { Room } from './room.ts'
import { toSeen } from './web-chat.ts'

export type TerminalRoom = Room & {
  /** All that was to be seen, line by line. */
  screen(): Promise<readonly string[]>
  close(): Promise<void>
}

const columns = 100
const patienceMs = 20_000
const notes = [words.gone, words.already, words.stale, words.noChoice]

export async function openTerminal(
  { kernel, live, ingest }: Pick<Runtime, 'kernel' | 'live' | 'ingest'>,
  title: string,
  { name, language = 'en' }: { readonly name: string; readonly language?: Language },
): Promise<TerminalRoom> {
  const terminal = new xterm.Terminal({
    cols: columns,
    rows: 40,
    scrollback: 5000,
    allowProposedApi: true,
    convertEol: true,
  })
  const input = new PassThrough()
  const output = Object.assign(new PassThrough(), { isTTY: true, columns, rows: 40 })
  let written = Promise.resolve()
  output.on('data', (chunk) => {
    written = new Promise((resolve) => terminal.write(String(chunk), resolve))
  })
  const deps = { kernel, live, name, language, waitMs: 1000, commands: [] } as const
  const stopping = new AbortController()
  const running = createConsoleChannel(deps, { input, output }).start(ingest, stopping.signal)
  const conversation = `console:${name}`
  const screen = async (): Promise<readonly string[]> => {
    await written
    const { active } = terminal.buffer
    const all = Array.from({ length: active.length }, (_, y) => active.getLine(y)?.translateToString(true) ?? '')
    return all.slice(0, all.findLastIndex((line) => line.trim() !== '') + 1)
  }
  /** The numbers that stand out, as those of choices do, from above, with what stands beside each. */
  const choices = async (): Promise<readonly { readonly number: string; readonly label: string }[]> => {
    await written
    const { active } = terminal.buffer
    return Array.from({ length: active.length }, (_, y) => active.getLine(y)).flatMap((line) => {
      const text = line?.translateToString(true) ?? ''
      const [, before = '', number, label = ''] = /^(\s*)#(\d+) (.+)$/.exec(text) ?? []
      return number !== undefined && line?.getCell(before.length)?.isInverse() ? [{ number, label }] : []
    })
  }
  while (!(await screen()).join(' ').includes('/help')) await sleep(10)
  const items = (): Promise<readonly OutItem[]> => kernel.readOut(conversation, '0', 1000)
  const read = { read: async () => [] }
  const say = async (_: string, text: string, replyTo?: string): Promise<string> => {
    input.write(`${replyTo === undefined ? '' : '> '}${text}\r`)
    return text
  }
  return {
    title,
    conversation,
    screen,
    choices,
    say,
    ask: say,
    /** By the number beside its label that stands last on the screen. */
    async press(_, __, label) {
      // What is stored is drawn a moment later.
      const shown = (await items()).flatMap((item) =>
        item.role === 'bot' && item.body.kind === 'send' && !(item.body.plan && item.body.replaces)
          ? (item.body.buttons?.flat() ?? [])
          : [],
      ).length
      const endMs = performance.now() + patienceMs
      while (Number((await choices()).at(-1)?.number ?? 0) < shown && performance.now() < endMs) await sleep(10)
      const number = (await choices()).findLast((one) => one.label === label)?.number
      if (number === undefined) throw new Error(`The terminal shows no ${label}:\n${(await screen()).join('\n')}`)
      const before = (await items()).length
      const from = (await screen()).length
      input.write(`#${number}\r`)
      for (;;) {
        const told = (await screen()).slice(from).join(' ')
        const note = notes.map((one) => one[language]).find((one) => told.includes(one))
        if (note !== undefined || (await items()).length > before) return note ?? ''
        await sleep(10)
      }
    },
    async seen(): Promise<readonly Seen[]> {
      const messages = await Promise.all((await items()).map((item) => toApiMessage(item, read)))
      return toSeen(messages.filter((one) => one !== undefined)).map((one) => ({ ...one, id: one.first }))
    },
    async close() {
      stopping.abort()
      input.end()
      await running
    },
  }
}
