// The executor alone, in memory unless a kernel is given: the kernel's twin, an in-process model that does what a test says, and no clock to wait for.
import { setImmediate as tick } from 'node:timers/promises'
import { isTask, type Address } from '#shared/chat/address.ts'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Decision } from '#shared/chat/decision.ts'
import { isInner, type ChatEvent, type MessageEvent } from '#shared/chat/event.ts'
import type { ModelPort, ModelRequest, ModelResult } from '#shared/model/model-port.ts'
import type { Tool } from '#shared/model/tool.ts'
import type { Append } from '#shared/run/step.ts'
import type { OutBody } from '#shared/run/out-row.ts'
import { askBy } from '#infra/processes/asking.ts'
import { createFeatures, createTaskFeatures } from '#infra/processes/features.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import words from '#services/executor/compaction/words.json' with { type: 'json' }
import { chooseOffer } from '#services/executor/context/offer.ts'
import { indexFeatures } from '#services/executor/state/features.ts'
import type { Feature } from '#shared/feature/feature.ts'
import type { ToolDefinition } from '#shared/feature/find-tools.ts'
import { defaultLimits } from '#shared/run/turn-limits.ts'
import { serveConversation } from '#services/executor/serve/serve.ts'
import type { ConversationState } from '#services/executor/state/state.ts'
import { parseState } from '#services/executor/state/stored.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import { toPartition } from '#queues/partition.ts'
import { createCompany } from '#queues/workers/company.ts'
import { executeConversation } from '#queues/workers/execute-conversation.ts'
import { createStillLiveness } from '#test/rig/still-liveness.ts'
import { findUnknownFields } from '#test/rig/unknown-fields.ts'
import { createMemoryKernel } from '#test/twins/memory-kernel.ts'
import { estimate, stagePorts } from './stage-ports.ts'
import {
  ann,
  conversation as stageConversation,
  message,
  wonPress,
  toApply,
  toCommand,
  toTurn,
} from '#test/rig/events.ts'

/** A model's answer: a text, or whatever happens while it is written. */
export type Answer =
  | string
  | Partial<Extract<ModelResult, { kind: 'reply' }>>
  | ((call: Call) => Promise<ModelResult> | ModelResult)
export type Call = {
  readonly request: ModelRequest
  readonly write: (piece: string) => void
  readonly signal: AbortSignal
}

export type Stage = {
  readonly kernel: Kernel
  readonly deps: ExecutorDeps
  /** What the model was asked, in order. */
  readonly requests: readonly ModelRequest[]
  /** What was stored, step by step. */
  readonly steps: readonly Append[]
  /** How many appends were made so far, of the conversation and of its tasks. */
  appends(): number
  /** What the model does next; without anything left it says `ok`. */
  answers(...answers: readonly Answer[]): void
  /** Puts a routed event into the mailbox and returns its id. */
  say(text: string, more?: Partial<MessageEvent> & { as?: Decision }): Promise<string>
  put(event: ChatEvent, as: Decision): Promise<string>
  /** Says the literal stop, and tells whoever works on the conversation. */
  stop(principal?: string): Promise<void>
  /** Works until nothing waits, as a worker does. `lost` ends it as a crash would: nothing is given back, and the lease ends by itself. */
  work(lost?: AbortSignal): Promise<void>
  /** Presses the button with this label, of the newest message that has it; works when the press wins. Returns the text of what was sent. */
  press(label: string, by?: string): Promise<string>
  /** The worker that makes the n-th append from now on is lost right before it is written, or right after. */
  loseAt(n: number, side: 'before' | 'after'): void
  /** Says something, works, and returns the text of what was sent. */
  ask(text: string, more?: Partial<MessageEvent> & { as?: Decision }): Promise<string>
  /** Lets so much time pass, ms: what is due by then fires and is worked off. Returns the text of what was sent. */
  wait(ms: number): Promise<string>
  /** Why it was left to a process of another release, each time. */
  readonly leftBehind: readonly string[]
  /** What was sent, oldest first. */
  sent(): Promise<readonly Extract<OutBody, { kind: 'send' }>[]>
  /** What the conversation, or a task of it, remembers. */
  state(address?: Address): Promise<ConversationState>
}

const leaseMs = 20_000
const mostLooks = 1000
const inBackground = words.system.join('\n')
export const failed = (failure: Extract<ModelResult, { kind: 'failure' }>['failure']): ModelResult => ({
  kind: 'failure',
  failure,
  message: 'The test says so.',
})
export const look: Tool = {
  name: 'look',
  description: 'Looks something up.',
  parameters: { type: 'object' },
  effect: 'read',
  onCrash: 'rerun',
  run: async () => ({ text: 'nothing new', source: 'others' }),
}
/** Writes a text, tells that it is there, and then says nothing more until the call is aborted. */
export function hanging(text: string): { readonly answer: Answer; readonly written: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return {
    written: promise,
    answer: async ({ write, signal }) => {
      write(text)
      const aborted = new Promise((done) => signal.addEventListener('abort', done, { once: true }))
      resolve()
      await aborted
      return failed('aborted')
    },
  }
}

/** Works until the model is asked, which says nothing; then the worker is lost. */
export async function loseDuringCall(stage: Stage, meanwhile: () => Promise<unknown> = async () => {}): Promise<void> {
  const lost = new AbortController()
  const silence = hanging('')
  stage.answers(silence.answer)
  const working = stage.work(lost.signal)
  await silence.written
  await meanwhile()
  lost.abort()
  await working
}

type Given = Partial<Omit<ExecutorDeps, 'features'>> & {
  readonly features?: readonly Feature[]
  /** Models besides the one that answers as the test says. */
  readonly models?: Partial<Pick<ModelPort, 'hasFallback' | 'others'>>
  /** The conversation that is served, unless it is the stage's own. */
  readonly place?: ConversationId
  /** Features of its tasks, which are worked off as it is. Without these it has none. */
  readonly tasks?: readonly Feature[]
}

export function createStage(
  { place: conversation = stageConversation, models, tasks: ofTasks, ...given }: Given = {},
  contextTokens = 128_000,
  redis?: Kernel,
): Stage {
  let aheadMs = 0
  let waitedMs = 0
  const kernel = redis ?? createMemoryKernel(() => Date.now() + aheadMs)
  const listeners = new Set<() => void>()
  const requests: ModelRequest[] = []
  const steps: Append[] = []
  const answers: Answer[] = []
  const leftBehind: string[] = []
  let events = 0
  const features = indexFeatures(given.features ?? builtIn, given.onFeatureFailed)
  const usual = createDeps(contextTokens, (call) => {
    // What is asked in the background takes nobody's answer.
    if (call.request.messages[0]?.content === inBackground) return answer(call, 'ok')
    requests.push(call.request)
    return answer(call, answers.shift() ?? 'ok')
  })
  const calls = {
    ...usual,
    offered: (window: number, shown: readonly ToolDefinition[]) => chooseOffer(shown, window, estimate).tools,
    model: { ...usual.model, ...models },
    now: () => Date.now() + waitedMs,
    ...given,
    features,
  }
  // What a test changes of these later counts for it as well.
  const deps = Object.assign(calls, { ask: askBy(calls) })
  const inTasks = ofTasks && indexFeatures(ofTasks, given.onFeatureFailed)
  const addresses = new Set<Address>([conversation])
  const signals = {
    listen: (_: string, callback: () => void) => {
      listeners.add(callback)
      return () => listeners.delete(callback)
    },
    tell() {},
    close() {},
  }
  const put = async (event: ChatEvent, as: Decision): Promise<string> => {
    await kernel.ingest({ event, dedupeKey: event.id, stop: 'none', echo: false })
    await route(as)
    return event.id
  }
  const route = async (as: Decision, address: Address = conversation): Promise<void> => {
    const { routedSeq, events: waiting } = await kernel.inbox(address, 100)
    await kernel.route(
      address,
      routedSeq,
      waiting.map(({ event }) => (isInner(event) ? toApply(event.kind) : as)),
    )
    for (const listener of listeners) listener()
    await tick()
  }
  const toEvent = (text: string, more: Partial<MessageEvent>): MessageEvent => {
    const id = `m${++events}`
    return message({ conversation, id, messageId: id, text, ...more })
  }
  const sent = async (): ReturnType<Stage['sent']> =>
    (await kernel.readOut(conversation, '0', 1000)).flatMap((item) =>
      item.role === 'bot' && item.body.kind === 'send' ? [item.body] : [],
    )
  const newest = async (): Promise<string> => (await kernel.readOutBefore(conversation, '0', 1)).at(-1)?.id ?? '0'
  const said = async (after: string): Promise<string> =>
    (await kernel.readOut(conversation, after, 1000))
      .flatMap((item) => (item.role === 'bot' && item.body.kind === 'send' ? [item.body.text] : []))
      .join('\n')
  const company = createCompany()
  let left = Infinity
  let isAfter = false
  let appended = 0
  /** Where something waits, once it is routed: what comes to a task, and what that tells its conversation, is routed here. */
  const findWaiting = async (without: ReadonlySet<Address>): Promise<Address | undefined> => {
    for (const address of addresses) {
      if (without.has(address)) continue
      if ((await kernel.inbox(address, 1)).events.length > 0) await route(toApply('answer'), address)
      if ((await kernel.pending(address, 0)).events.length > 0) return address
    }
    return undefined
  }
  const work = async (lost = new AbortController().signal): Promise<void> => {
    if (!inTasks) return void (await workOn(conversation, lost))
    // Whatever another worker holds is left to it.
    const held = new Set<Address>()
    for (let looks = 0; looks < mostLooks; looks++) {
      const address = await findWaiting(held)
      const before = appended
      if (address === undefined || !(await workOn(address, lost))) return
      if (appended === before) held.add(address)
    }
    throw new Error('A task does not come to rest.')
  }
  /** False where the worker was lost. */
  const workOn = async (address: Address, lost: AbortSignal): Promise<boolean> => {
    const crash = new AbortController()
    lost.addEventListener('abort', () => crash.abort(), { once: true })
    // A lost worker writes nothing more: what it left is what the next one finds.
    const told: Kernel = {
      ...kernel,
      release: (...all) => (crash.signal.aborted ? Promise.resolve('FENCED') : kernel.release(...all)),
      async append(...all) {
        const unknown = findUnknownFields(all[2])
        if (unknown.length > 0) throw new Error(`A step stores what no schema knows: ${unknown.join(', ')}.`)
        if (crash.signal.aborted && left <= 0) return { kind: 'FENCED' }
        left -= 1
        appended += 1
        for (const { to } of all[2].signals ?? []) addresses.add(to)
        if (left === 0 && isAfter) await kernel.append(...all)
        if (left !== 0) {
          const result = await kernel.append(...all)
          if (result.kind === 'OK') steps.push(all[2])
          if (all[2].signals?.some(({ to }) => to !== all[0])) for (const listener of listeners) listener()
          const rows = (all[2].rows ?? []).map(({ id }) => id)
          if (new Set(rows).size < rows.length) throw new Error(`Rows of one id in ${all[2].key}: ${rows.join(' ')}`)
          return result
        }
        crash.abort()
        return { kind: 'FENCED' }
      },
    }
    await executeConversation(
      {
        kernel: told,
        hints: { inbound: async () => {}, outbound: async () => {}, execute: async () => {} },
        signals,
        company,
        liveness: createStillLiveness({ leaseMs }),
        giveBack: () => {},
        serve: (run, signal) =>
          serveConversation(inTasks && isTask(run.address) ? { ...deps, features: inTasks } : deps, run, signal),
        onParked: (_, reason) => {
          throw new Error(`parked: ${reason}`)
        },
        onLeft: (_, reason) => void leftBehind.push(reason),
      },
      address,
      crash.signal,
    )
    const isLost = crash.signal.aborted
    if (isLost) aheadMs += leaseMs
    if (left === 0) left = Infinity
    return !isLost
  }
  const say: Stage['say'] = (text, { as = toTurn(), ...more } = {}) => put(toEvent(text, more), as)
  return {
    leftBehind,
    kernel,
    deps,
    requests,
    steps,
    appends: () => appended,
    answers: (...more) => void answers.push(...more),
    say,
    put,
    async stop(principal = ann) {
      const event = toEvent('/stop', { principal })
      await kernel.ingest({ event, dedupeKey: event.id, stop: 'own', echo: false })
      await route(toCommand('stop'))
    },
    work,
    async press(label, by = ann) {
      const before = await newest()
      const button = (await sent())
        .toReversed()
        .flatMap(({ buttons = [] }) => buttons.flat())
        .find((one) => one.label === label)
      const [question = '', choice = ''] = button?.id.split('.') ?? []
      const event = wonPress({ conversation, id: `p${++events}`, principal: by, question, choice })
      const won = await kernel.resolve({ question, actor: by, chat: conversation, choice, event, asAdmin: false })
      if (won.kind !== 'WON') return won.kind
      await route(toApply('answer'), won.task)
      await work()
      return await said(before)
    },
    loseAt(n, side) {
      left = n
      isAfter = side === 'after'
    },
    async ask(text, more) {
      const before = await newest()
      await say(text, more)
      await work()
      return await said(before)
    },
    async wait(ms) {
      const before = await newest()
      aheadMs += ms
      waitedMs += ms
      await kernel.fire(toPartition(conversation))
      if ((await kernel.inbox(conversation, 1)).events.length > 0) await route(toApply('later'))
      await work()
      return await said(before)
    },
    sent,
    async state(address = conversation) {
      const claimed = await kernel.claim(address, 'reader', 1)
      if (claimed.kind !== 'CLAIMED') throw new Error(`There is nothing to read: ${claimed.kind}`)
      await kernel.release(address, 'reader', claimed.epoch, true)
      return parseState((isTask(address) && inTasks) || deps.features, claimed, claimed.atMs)
    },
  }
}

/** Makes a model's answer to a call. */
export async function answer(call: Call, said: Answer): Promise<ModelResult> {
  if (typeof said === 'function') return await said(call)
  const reply = typeof said === 'string' ? { text: said } : said
  const usage = { promptTokens: 10, completionTokens: 5 }
  const whole = { kind: 'reply', text: '', toolCalls: [], finish: 'stop', usage, model: 'stage', ...reply } as const
  call.write(whole.text)
  return whole
}

/** The features of a fleet, without its stores, and without the marks before answers, which have tests of their own. */
export const builtIn = createFeatures(stagePorts).filter(({ name }) => name !== 'confidence')

/** The features of a fleet's tasks, and these. */
export const toTaskFeatures = (others: readonly Feature[] = []): readonly Feature[] =>
  createTaskFeatures(stagePorts, others)

function createDeps(
  contextTokens: number,
  complete: (call: Call) => Promise<ModelResult>,
): Omit<ExecutorDeps, 'features' | 'offered' | 'ask'> {
  return {
    model: {
      complete: (request, write, signal) => complete({ request, write, signal }),
      describe: () => ({ name: 'stage', endpoint: 'memory', offline: true }),
      contextTokens,
      hasFallback: false,
    },
    enter: async () => {},
    leave: async () => {},
    refused: async () => {},
    sleep: async () => {},
    retryDelaysMs: [0, 0],
    maxRetryAfterMs: 0,
    onFailure: () => {},
    now: Date.now,
    clock: () => '2026-01-01 12:00',
    estimate,
    limits: defaultLimits,
    historyTokens: 6000,
    sessionIdleMs: 8 * 3_600_000,
    replyExpiresInMs: 600_000,
    reserve: async () => undefined,
    charge: async () => {},
    isQuiet: async () => false,
    isOwner: async () => true,
    isKnownElsewhere: async () => false,
    findZone: async () => undefined,
    pace: async () => 'answer',
    noteAnswer() {},
    greet: async () => 'Who are you?',
    admitChat: async () => {},
    findRight: async () => 'use',
    toolTimeoutMs: 1000,
    onFeatureFailed() {},
    onPartFailed() {},
  }
}
