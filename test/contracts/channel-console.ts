// The owner's conversation in a terminal: keys in, what is written to the screen out.
import { PassThrough } from 'node:stream'
import { createConsoleChannel } from '#adapters/console/console-channel.ts'
import { words } from '#adapters/console/words.ts'
import type { ChannelAdapter } from '#queues/workers/channel-adapter.ts'
import { until, type Fleet, type Platform, type Shown, type Told } from './channel-world.ts'

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
  const press = async (number: string): Promise<Told> => {
    const before = { notes: notes().length, events: (await fleet.events(conversation)).length }
    input.write(`#${number}\r`)
    return await until('what became of the press', async () => {
      const note = notes()[before.notes]
      if (note === words.already.en) return 'already'
      if (note === words.gone.en || note === words.noChoice.en) return 'unknown'
      return (await fleet.events(conversation)).length > before.events ? 'won' : undefined
    })
  }
  return {
    adapter: open(),
    another: async () => open(),
    conversation,
    person: 'console:owner',
    async says(text) {
      input.write(`${text}\r`)
      return text
    },
    async presses(label) {
      const buttons = written.flatMap((one) => [...one.matchAll(/^ {2}#(\d+) (.*)$/gm)])
      return await press(buttons.findLast(([, , name]) => name === label)?.[1] ?? '')
    },
    // A number is all that a terminal can press.
    forges: () => press('999'),
    shown: async () => toShown(written),
    growing: async () =>
      written.flatMap((one) => /^\r(?:\u001b\[\d+A)?\u001b\[J· ([^]*)…$/.exec(one)?.[1] ?? []).at(-1),
    async [Symbol.asyncDispose]() {
      input.end()
    },
  }
}

function toShown(written: readonly string[]): Shown[] {
  return written.flatMap((one) => {
    const [, reply] = /^\r(?:\u001b\[\d+A)?\u001b\[J· ([^]*)\n$/.exec(one) ?? []
    if (reply === undefined) return []
    const buttons = [...reply.matchAll(/^ {2}#\d+ (.*)$/gm)].map(([, label = '']) => label)
    return [{ text: reply.replaceAll(/\n {2}#\d+ .*$/gm, ''), buttons, pings: [], previews: false }]
  })
}
