// The console channel: a chat in the terminal over the same fleet. Piped, it prints each reply as plain lines and waits for the
// outstanding ones before it leaves; on a terminal it shows the reply being written.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Button, Language } from '#shared/chat/message.ts'
import { endsTurn, toTurn } from '#shared/run/out-row.ts'
import type { Draft } from '#shared/run/draft.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import type { OutItem } from '#queues/shown/shown.ts'
import type { Capabilities, ChannelAdapter } from '#queues/workers/channel-adapter.ts'
import { followOut } from '#queues/workers/follow-out.ts'
import type { Ingest } from '#queues/workers/ingest.ts'
import type { Live } from '#queues/workers/live.ts'
import { toPosition } from '#queues/shown/out-position.ts'
import { createKeyboard } from './keyboard.ts'
import { createMouth } from './mouth.ts'
import { createScreen, type Output } from './screen.ts'
import { createWaiting } from './waiting.ts'
import { fill, toHint, toNumbers, words } from './words.ts'

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
const readAgainAfterMs = 1000
/** Of what was said before, so much is shown at the start. */
const earlierItems = 12

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
  const keyboard = createKeyboard(ports.input, ports.output, {
    completions: [...deps.commands.map((name) => `/${name}`), '/quit'],
    onPasted: (text) => screen.note(fill(words.pasted[deps.language], text.split('\n').length)),
    onDropped: () => tell('dropped'),
    onInterrupt: () => interrupt(),
    onKey: () => screen.giveWay(),
  })
  const screen = createScreen(ports.output, {
    ...keyboard,
    redraw: () => (left.signal.aborted ? undefined : keyboard.redraw()),
  })
  let storeAway = false
  const onStore = (state: 'away' | 'back'): void => {
    if (storeAway !== (state === 'away')) tell(state)
    storeAway = state === 'away'
  }
  const mouth = createMouth({ ingest: deps.ingest, onStore }, conversation)
  const waiting = createWaiting()
  const own = new Set<string>()
  /** By number; those of a message that has lost its buttons are gone. */
  const choices: {
    readonly button: Button
    readonly row: string | undefined
    readonly asks: boolean
    /** Below an answer stand no choices that words could answer. */
    readonly isCard: boolean
    gone: boolean
  }[] = []

  function show(item: OutItem): void {
    if (item.role === 'person') {
      if (item.event.kind === 'message' && !own.has(item.event.id)) screen.person(item.event.text)
      return
    }
    const { body } = item
    if ('replaces' in body) for (const choice of choices) choice.gone ||= choice.row === body.replaces
    if (body.kind === 'unbutton') waiting.answered(body.answers)
    if (body.kind !== 'send') return
    if (body.plan && body.replaces !== undefined) return screen.progress(body.text)
    const buttons = body.buttons?.flat() ?? []
    const { asks, row, text } = body
    const said = { turn: toTurn(row ?? ''), text }
    const [first, last] = [choices.length + 1, choices.length + buttons.length]
    const leftMs = asks ? item.at + asks.deadlineMs - Date.now() : 0
    if (asks && leftMs > 0 && buttons.length > 0) {
      const hint = toHint(deps.language, { first, last, leftMs, denies: asks.denies === true })
      screen.reply(said, buttons, first, hint)
    } else screen.reply(said, buttons, first)
    const how = { row, asks: asks !== undefined, isCard: asks !== undefined || !endsTurn(body), gone: false }
    choices.push(...buttons.map((button) => ({ button, ...how })))
    waiting.answered(body.answers)
  }

  /** On a terminal, what was said before; resolves with the position after it. */
  async function begin(): Promise<string> {
    const earlier = await deps.kernel.readOutBefore(conversation, '0', earlierItems)
    if (terminal) {
      for (const item of earlier) show(item)
      if (earlier.length > 0) tell('earlier')
      tell('hello')
    }
    const last = earlier.at(-1)
    return last ? toPosition(last) : '0'
  }

  async function listen(): Promise<void> {
    let position = await begin()
    started.resolve()
    while (!ended.aborted) {
      const onItem = async (item: OutItem): Promise<void> => {
        onStore('back')
        show(item)
        position = toPosition(item)
      }
      const onDraft = async ({ turn, text, plan }: Pick<Draft, 'turn' | 'text' | 'plan'>): Promise<void> => {
        if (plan && terminal) screen.progress(plan.text)
        screen.draft({ turn, text })
      }
      const following = followOut(deps, { conversation, position, onItem, onDraft }, ended)
      await following.catch(() => onStore('away'))
      await sleep(readAgainAfterMs, undefined, { signal: ended }).catch(() => {})
    }
  }

  /** The newest card that asks somebody, else the newest one that is open. */
  const findCard = () =>
    choices.findLast(({ asks, gone }) => asks && !gone) ?? choices.findLast(({ isCard, gone }) => isCard && !gone)

  /** A line that begins with `>` replies to the newest card, where there is one; what was pasted is a quotation. */
  async function sayOrReply(text: string): Promise<void> {
    const [, said] = /^> ?(\S.*)$/.exec(text) ?? []
    const card = findCard()
    if (said !== undefined && !card && terminal) tell('noCard')
    await (said !== undefined && card ? say(said, card.row) : say(text))
  }

  async function say(text: string, replyTo?: string): Promise<void> {
    const id = mouth.newId()
    own.add(id)
    waiting.expect(id, Infinity)
    await mouth.say({ id, text, replyTo }, ended)
  }

  async function choose(number: number): Promise<void> {
    const choice = choices[number - 1]
    if (!choice) return tell('noChoice')
    if (choice.gone) return tellGone()
    const id = mouth.newId()
    const result = await mouth.press({ id, buttonId: choice.button.id }, ended)
    if (result.kind === 'WON') waiting.expectPress(id)
    else if (result.kind === 'ALREADY' || result.kind === 'STALE') tell(result.kind === 'ALREADY' ? 'already' : 'stale')
    else tellGone()
  }

  /** Numbers run through the whole talk, so a number that stands on the card may be an old button's. */
  function tellGone(): void {
    const row = findCard()?.row
    const [first, last] = [choices.findIndex((one) => one.row === row), choices.findLastIndex((one) => one.row === row)]
    tell('gone')
    if (row !== undefined) screen.note(fill(words.now[deps.language], toNumbers(first + 1, last + 1)))
  }

  const started = Promise.withResolvers<void>()
  let interruptedAtMs = 0
  function interrupt(): void {
    if (Date.now() - interruptedAtMs < twiceWithinMs) return left.abort()
    interruptedAtMs = Date.now()
    if (waiting.isEmpty()) return tell('leave')
    tell('stopping')
    say('/stop').catch(() => {})
  }
  ended.addEventListener('abort', () => keyboard.close(), { once: true })
  const listening = listen().catch((error: unknown) => {
    started.reject(error)
    throw error
  })
  listening.catch(() => {})
  try {
    await started.promise
    for await (const line of keyboard.messages) {
      const text = line.trim()
      if (text === '/quit') return waiting.isEmpty()
      const [, number] = /^#(\d{1,4})$/.exec(text) ?? []
      if (number !== undefined) await choose(Number(number))
      else if (text !== '') await sayOrReply(text)
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
