// The owner's conversation in a terminal: keys in, what is written to the screen out.
import { PassThrough } from 'node:stream'
import { createConsoleChannel } from '#adapters/console/console-channel.ts'
import { words } from '#adapters/console/words.ts'
import type { ChannelAdapter } from '#queues/workers/channel-adapter.ts'
import { bot, type Chat, type Seen } from '#test/rig/chats/chat.ts'
import { parseTold, until, type Fleet, type Platform, type Told } from './channel-world.ts'

export async function openConsole(fleet: Fleet): Promise<Platform> {
  const input = new PassThrough()
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80 })
  const written: string[] = []
  output.on('data', (chunk) => void written.push(String(chunk)))
  const open = (): ChannelAdapter => {
    const { kernel, live } = fleet
    return createConsoleChannel(
      { kernel, live, name: 'me', language: 'en', waitMs: 1000, commands: [] },
      { input, output },
    )
  }
  const conversation = 'console:me'
  const notes = (): string[] => written.flatMap((one) => /^\r\u001b\[J([^·\n][^\n]*)\n$/.exec(one)?.[1] ?? [])
  const press = async (data: string): Promise<Told> => {
    const before = { notes: notes().length, events: (await fleet.events(conversation)).length }
    // A number is all that a terminal can press.
    input.write(`${/^#\d+$/.test(data) ? data : '#999'}\r`)
    return await until('what became of the press', async () => {
      const note = notes()[before.notes]
      if (note === words.already.en) return 'already'
      if (note === words.gone.en || note === words.noChoice.en) return 'unknown'
      return (await fleet.events(conversation)).length > before.events ? 'won' : undefined
    })
  }
  const chat: Chat = {
    conversation,
    mention: '',
    async say(_, text) {
      input.write(`${text}\r`)
      return text
    },
    forge(_, __, data) {
      const pressed = press(data)
      return { notice: () => pressed }
    },
    seen: async () => toSeen(written),
    growing: async () =>
      written.flatMap((one) => /^\r(?:\u001b\[\d+A)?\u001b\[J· ([^]*)…$/.exec(one)?.[1] ?? []).at(-1),
  }
  return {
    adapter: open(),
    another: async () => open(),
    chat,
    who: 'the owner',
    person: 'console:owner',
    toTold: parseTold,
    async [Symbol.asyncDispose]() {
      input.end()
    },
  }
}

/** The bot's messages; those of the person are keys on a keyboard. */
function toSeen(written: readonly string[]): Seen[] {
  return written.flatMap((one, n) => {
    const [, reply] = /^\r(?:\u001b\[\d+A)?\u001b\[J· ([^]*)\n$/.exec(one) ?? []
    if (reply === undefined) return []
    const buttons = [...reply.matchAll(/^ {2}(?:\u001b\[7m)?(#\d+)(?:\u001b\[27m)? (.*)$/gm)].map(
      ([, data = '', label = '']) => [{ label, data }],
    )
    const text = reply.replaceAll(/\n {2}(?:\u001b\[7m)?#\d+(?:\u001b\[27m)? .*$/gm, '')
    return {
      id: String(n),
      by: bot,
      text,
      texts: [text],
      buttons,
      replyTo: undefined,
      files: [],
      reaction: undefined,
      pings: [],
      previews: false,
    }
  })
}
