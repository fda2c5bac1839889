// The console channel: a chat in the terminal over the same fleet. Piped, it prints each reply as plain lines and waits for the
// outstanding ones before it leaves; on a terminal it shows the reply being written.
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Button, Language } from '#shared/chat/message.ts'
import type { Kernel, OutItem } from '#queues/kernel/kernel.ts'
import type { Capabilities, ChannelAdapter } from '#queues/workers/channel-adapter.ts'
import { followOut } from '#queues/workers/follow-out.ts'
import type { Ingest } from '#queues/workers/ingest.ts'
import type { Live } from '#queues/workers/live.ts'
import { findEnd, toPosition } from '#queues/workers/out-position.ts'
import { createMouth } from './mouth.ts'
import { createScreen, type Output } from './screen.ts'
import { createWaiting } from './waiting.ts'
import { words } from './words.ts'

export type ConsoleDeps = {
  readonly kernel: Pick<Kernel, 'readOut' | 'findDraft'>
  readonly live: Pick<Live, 'listen'>
  /** The conversation is `console:<name>`; 1 to 64 characters of `A-Z a-z 0-9 _ - @ .` */
  readonly name: string
  readonly language: Language
  /** How long the end of a piped input waits for what is not answered yet, ms. */
  readonly waitMs: number
}
export type ConsolePorts = { readonly input: NodeJS.ReadableStream; readonly output: Output }

/** A second Ctrl-C within this time leaves. */
const twiceWithinMs = 3000
const readAgainAfterMs = 1000

const capabilities: Capabilities = {
  maxTextUnits: undefined,
  buttons: true,
  edit: false,
  stream: true,
  threads: false,
  files: false,
  reactions: false,
}

export type ConsoleChannel = ChannelAdapter & {
  /** Whether every message was answered when it left. */
  answered(): boolean
}

/** It runs until `/quit`, Ctrl-D, the end of the input or the signal of `start`. */
export function createConsoleChannel(deps: ConsoleDeps, ports: ConsolePorts): ConsoleChannel {
  let answered = true
  return {
    channel: 'console',
    capabilities,
    answered: () => answered,
    async start(ingest, signal) {
      answered = await converse({ ...deps, ingest }, ports, signal)
    },
  }
}

/** Returns false when it left before every message was answered. */
async function converse(
  deps: ConsoleDeps & { readonly ingest: Ingest },
  ports: ConsolePorts,
  signal: AbortSignal,
): Promise<boolean> {
  const conversation = `console:${deps.name}`
  const tell = (word: keyof typeof words): void => screen.note(words[word][deps.language])
  const terminal = ports.output.isTTY === true
  const left = new AbortController()
  const ended = AbortSignal.any([left.signal, signal])
  const lines = createInterface({ input: ports.input, output: ports.output, terminal, prompt: terminal ? '> ' : '' })
  // Taken at once: lines that come before somebody iterates would be lost.
  const typed = lines[Symbol.asyncIterator]()
  const screen = createScreen(
    ports.output,
    { redraw: () => (left.signal.aborted ? undefined : lines.prompt(true)), isTyping: () => lines.line !== '' },
    { you: '>', bot: '·' },
  )
  let storeAway = false
  const onStore = (state: 'away' | 'back'): void => {
    if (storeAway !== (state === 'away')) tell(state)
    storeAway = state === 'away'
  }
  const mouth = createMouth({ ingest: deps.ingest, onStore }, conversation)
  const waiting = createWaiting()
  const own = new Set<string>()
  /** By number; those of a message that has lost its buttons are gone. */
  const choices: { readonly button: Button; readonly row: string | undefined; gone: boolean }[] = []

  const hear = async (item: OutItem): Promise<void> => {
    if (item.role === 'person') {
      if (item.event.kind === 'message' && !own.has(item.event.id)) screen.person(item.event.text)
      return
    }
    const { body } = item
    if ('replaces' in body) for (const choice of choices) choice.gone ||= choice.row === body.replaces
    if (body.kind !== 'send') return
    const buttons = body.buttons?.flat() ?? []
    screen.reply(body.text, buttons, choices.length + 1)
    choices.push(...buttons.map((button) => ({ button, row: body.row, gone: false })))
    waiting.answered(body.answers)
  }

  async function listen(): Promise<void> {
    let position = await findEnd(deps.kernel, conversation)
    started.resolve()
    while (!ended.aborted) {
      const onItem = async (item: OutItem): Promise<void> => {
        onStore('back')
        await hear(item)
        position = toPosition(item)
      }
      const onDraft = async (draft: { readonly text: string }): Promise<void> => screen.draft(draft.text)
      const following = followOut(deps, { conversation, position, onItem, onDraft }, ended)
      await following.catch(() => onStore('away'))
      await sleep(readAgainAfterMs, undefined, { signal: ended }).catch(() => {})
    }
  }

  async function say(text: string): Promise<void> {
    const id = mouth.newId()
    own.add(id)
    waiting.expect(id, Infinity)
    await mouth.say({ id, text }, ended)
  }

  async function choose(number: number): Promise<void> {
    const choice = choices[number - 1]
    if (!choice) return tell('noChoice')
    if (choice.gone) return tell('gone')
    const id = mouth.newId()
    const result = await mouth.press({ id, buttonId: choice.button.id }, ended)
    if (result.kind === 'WON') waiting.expectPress(id)
    else tell(result.kind === 'ALREADY' ? 'already' : 'gone')
  }

  const started = Promise.withResolvers<void>()
  let interruptedAtMs = 0
  lines.on('SIGINT', () => {
    if (Date.now() - interruptedAtMs < twiceWithinMs) return left.abort()
    interruptedAtMs = Date.now()
    if (waiting.isEmpty()) return tell('leave')
    tell('stopping')
    say('/stop').catch(() => {})
  })
  // Emitted by readline, after it has taken the key.
  const onKey = (): void => screen.giveWay()
  ports.input.on('keypress', onKey)
  ended.addEventListener('abort', () => lines.close(), { once: true })
  const listening = listen().catch((error: unknown) => {
    started.reject(error)
    throw error
  })
  listening.catch(() => {})
  try {
    if (terminal) tell('hello')
    await started.promise
    for await (const line of typed) {
      const text = line.trim()
      if (text === '/quit') return waiting.isEmpty()
      const [, number] = /^#(\d{1,4})$/.exec(text) ?? []
      if (number !== undefined) await choose(Number(number))
      else if (text !== '') await say(text)
      if (terminal && waiting.isEmpty()) lines.prompt()
    }
    if (!terminal && !ended.aborted) await waiting.settled(deps.waitMs, ended)
    if (!terminal && !waiting.isEmpty()) tell('unanswered')
    return waiting.isEmpty()
  } catch (error) {
    if (ended.aborted) return waiting.isEmpty()
    throw error
  } finally {
    left.abort()
    lines.close()
    ports.input.off('keypress', onKey)
    await listening.catch(() => {})
  }
}
