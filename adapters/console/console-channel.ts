// The console channel: a chat in the terminal over the same fleet. Piped, it prints each reply as plain lines and waits for the
// outstanding ones before it leaves; on a terminal it shows the reply being written.
import type { Language } from '#shared/chat/message.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import type { OutItem } from '#queues/shown/shown.ts'
import type { Capabilities, ChannelAdapter } from '#queues/workers/channel-adapter.ts'
import type { Ingest } from '#queues/workers/ingest.ts'
import type { Live } from '#queues/workers/live.ts'
import { createChoices } from './choices.ts'
import type { Output } from './drawing.ts'
import { follow } from './follow.ts'
import { createKeyboard, type Keyboard } from './keyboard.ts'
import { say, takeLine, type LineDeps } from './lines.ts'
import { createMouth } from './mouth.ts'
import { createScreen } from './screen.ts'
import { showItem } from './show-item.ts'
import { createWaiting, type Waiting } from './waiting.ts'
import { fill, words } from './words.ts'

export type ConsoleDeps = {
  readonly kernel: Pick<Kernel, 'readOut' | 'readOutBefore' | 'findDraft'>
  readonly live: Pick<Live, 'listen'>
  /** The conversation is `console:<name>`; 1 to 64 characters of `A-Z a-z 0-9 _ - @ .` */
  readonly name: string
  readonly language: Language
  /** How long the end of a piped input waits for what is not answered yet, ms. */
  readonly waitMs: number
  /** Commands without their slash, which Tab completes. */
  readonly commands: readonly string[]
}
export type ConsolePorts = { readonly input: NodeJS.ReadableStream; readonly output: Output }

/** A second Ctrl-C within this time leaves. */
const twiceWithinMs = 3000

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
  const left = new AbortController()
  const ended = AbortSignal.any([left.signal, signal])
  const talk = openTalk(deps, ports, { left, ended })
  const { keyboard, waiting, terminal, tell } = talk
  ended.addEventListener('abort', () => keyboard.close(), { once: true })
  const started = Promise.withResolvers<void>()
  const listening = talk.follow(started.resolve).catch((error: unknown) => {
    started.reject(error)
    throw error
  })
  listening.catch(() => {})
  try {
    await started.promise
    for await (const line of keyboard.messages) {
      const text = line.trim()
      if (text === '/quit') return waiting.isEmpty()
      await talk.take(text)
      if (terminal && waiting.isEmpty()) keyboard.prompt()
    }
    if (!terminal && !ended.aborted) await waiting.drained(deps.waitMs, ended)
    if (!terminal && !waiting.isEmpty()) tell('unanswered')
    return waiting.isEmpty()
  } catch (error) {
    if (ended.aborted) return waiting.isEmpty()
    throw error
  } finally {
    left.abort()
    keyboard.close()
    await listening.catch(() => {})
  }
}

type Talk = {
  readonly keyboard: Keyboard
  readonly waiting: Waiting
  readonly terminal: boolean
  tell(word: keyof typeof words): void
  /** Shows what is said until the talk ends. */
  follow(onBegun: () => void): Promise<void>
  /** A line that the person typed. */
  take(text: string): Promise<void>
}
type Ending = { readonly left: AbortController; readonly ended: AbortSignal }

/** The keyboard, the screen and what stands between them. */
function openTalk(
  deps: ConsoleDeps & { readonly ingest: Ingest },
  { input, output }: ConsolePorts,
  { left, ended }: Ending,
): Talk {
  const conversation = `console:${deps.name}`
  const terminal = output.isTTY === true
  const tell = (word: keyof typeof words, n: number | string = ''): void =>
    screen.note(fill(words[word][deps.language], n))
  const [waiting, choices, own] = [createWaiting(), createChoices(), new Set<string>()]
  const keyboard = createKeyboard(input, output, {
    completions: [...deps.commands.map((name) => `/${name}`), '/quit'],
    onPasted: (text) => tell('pasted', text.split('\n').length),
    onDropped: () => tell('dropped'),
    onInterrupt: createInterrupt({
      isIdle: waiting.isEmpty,
      leave: () => left.abort(),
      tell,
      stop: () => say(lines, { text: '/stop' }, ended),
    }),
    onKey: () => screen.giveWay(),
  })
  const screen = createScreen(output, {
    ...keyboard,
    redraw: () => (left.signal.aborted ? undefined : keyboard.redraw()),
  })
  const onStore = createStoreNews(tell)
  const mouth = createMouth({ ingest: deps.ingest, onStore }, conversation)
  const lines: LineDeps = { mouth, choices, waiting, own, terminal, tell }
  const show = (item: OutItem): void => showItem({ screen, choices, waiting, own, language: deps.language }, item)
  return {
    keyboard,
    waiting,
    terminal,
    tell,
    follow: (onBegun) => follow({ ...deps, screen, terminal, show, tell, onStore, onBegun }, conversation, ended),
    take: (text) => takeLine(lines, text, ended),
  }
}

/** Says each change once. */
function createStoreNews(tell: (word: 'away' | 'back') => void): (state: 'away' | 'back') => void {
  let isAway = false
  return (state) => {
    if (isAway !== (state === 'away')) tell(state)
    isAway = state === 'away'
  }
}

type InterruptDeps = {
  isIdle(): boolean
  leave(): void
  stop(): Promise<void>
  tell(word: 'leave' | 'stopping'): void
}

function createInterrupt({ isIdle, leave, stop, tell }: InterruptDeps): () => void {
  let interruptedAtMs = 0
  return () => {
    if (Date.now() - interruptedAtMs < twiceWithinMs) return leave()
    interruptedAtMs = Date.now()
    if (isIdle()) return tell('leave')
    tell('stopping')
    stop().catch(() => {})
  }
}
