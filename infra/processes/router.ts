// The router's process: reads hints of `inbound`, writes decisions. Stateless; start as many as needed.
import { loadConfigFile } from '#infra/config/file.ts'
import { queueNames } from '#queues/jobs/queue-names.ts'
import { openQueryThread } from '#queues/query-thread.ts'
import type { HintHandler } from '#queues/workers/crowd.ts'
import { createGathering } from '#queues/workers/gather.ts'
import { createPutBack } from '#queues/workers/put-back.ts'
import { routeEvents, type DecideInput } from '#queues/workers/route-events.ts'
import { createClassifier } from '#services/router/classify.ts'
import { decide } from '#services/router/decide.ts'
import { defaultRouting, routingConfig, type RoutingConfig } from '#services/router/patterns.ts'
import type { Classification, Decision } from '#shared/chat/decision.ts'
import { BotError } from '#shared/errors.ts'
import { createGate } from '#queues/workers/start-gate.ts'
import { listCommands } from './features.ts'
import { startHintPart } from './hint-part.ts'
import { onceAMinute, toLeft, type Part } from './part.ts'
import type { RouterThreadData } from './router-thread.ts'
import type { Runtime } from './runtime.ts'

const openCommands = listOpenCommands()
const concurrency = 200
/** Conversations of which a full page is looked at and decided at once. */
const fullPagesAtOnce = 16
/** Enough to keep the thread that decides at work. */
const longTextsAtOnce = 4
/** Deciding is repeated by whoever comes next. */
const mostGraceMs = 3000
/** Thousands of times what an event takes; a busy machine may keep a thread waiting that long once, hardly twice. */
const mostDecideMs = 500
/** What a text is that nobody read: an ordinary question. */
const unread: Classification = {
  type: 'query',
  depth: 'standard',
  complex: false,
  rule: 'query.unread',
  confidence: 'low',
}

/** Commands that people without access may use. */
export function listOpenCommands(): readonly string[] {
  return listCommands().flatMap(({ name, open }) => (open ? [name] : []))
}

export function startRouter(runtime: Runtime, folder: string): Part {
  const { log } = runtime
  const trouble = onceAMinute((what, error) => log.warn(error === undefined ? {} : { err: error }, what))
  const decider = openDecider(loadRouting(folder), trouble)
  const gathering = createGathering({
    now: () => performance.now(),
    again: (conversation) => {
      runtime.hints.inbound(conversation).catch(() => {})
    },
    later(ms, callback) {
      const timer = setTimeout(callback, ms)
      timer.unref()
      return () => clearTimeout(timer)
    },
  })
  const putBack = createPutBack(runtime.hints)
  const fullPages = createGate(fullPagesAtOnce)
  const longTexts = createGate(longTextsAtOnce)
  const handler: HintHandler = (conversation, signal) =>
    routeEvents(
      {
        kernel: runtime.kernel,
        access: runtime.access,
        hints: runtime.hints,
        gathering,
        fullPages,
        longTexts,
        decide: decider.decide,
        decideUnread,
        onTrouble: (what, error) => log.error({ err: error }, what),
        onLeft(left, reason) {
          trouble(toLeft(left, reason))
          putBack('route', left)
        },
      },
      conversation,
      signal,
    )
  const part = startHintPart(runtime, {
    name: 'router',
    queue: queueNames.router,
    local: 'inbound',
    concurrency,
    handler,
    onTrouble: trouble,
  })
  return {
    name: part.name,
    async stop(graceMs) {
      await part.stop(Math.min(graceMs, mostGraceMs))
      await decider.close()
      // That nobody routed it yet is no fault of what is held back.
      await Promise.allSettled(gathering.close().map((held) => runtime.kernel.forgetLooks(held)))
    },
  }
}

/** Decides in a thread of its own; an event that takes too long there, alone too, is decided without being read. */
export function openDecider(
  routing: RoutingConfig,
  onTrouble: (what: string, error?: unknown) => void,
  mostMs: number = mostDecideMs,
): { decide(input: DecideInput): Promise<Decision>; close(): Promise<void> } {
  const script = new URL('router-thread.ts', import.meta.url)
  const data: RouterThreadData = { routing, openCommands }
  const thread = openQueryThread<DecideInput, Decision>({
    script,
    data,
    mostMs,
    onEnd: (error) => onTrouble('The thread that decides ended. Another one takes its place.', error),
  })
  return {
    async decide(input) {
      const found = await thread.run(input)
      if (found) return found
      onTrouble('An event took too long to decide, twice. It is routed without being read.', input.event.id)
      return decideUnread(input)
    },
    close: thread.close,
  }
}

const decideUnread = (input: DecideInput): Decision =>
  decide({ classify: () => unread, openCommands, findMeant: () => undefined }, input)

/** The operator's routing rules. Throws BotError `config` naming each wrong path. */
export function loadRouting(folder: string): RoutingConfig {
  const { routing } = loadConfigFile(folder)
  // Our own need no trial, which would cost each start of a fleet a fifth of a second.
  if (routing === undefined) return defaultRouting
  const parsed = routingConfig.safeParse(routing)
  if (parsed.success) {
    // Whatever it cannot be made of is to be told at the start, not by the thread.
    createClassifier(parsed.data)
    return parsed.data
  }
  const lines = parsed.error.issues.map((issue) => `  - routing.${issue.path.join('.')}: ${issue.message}`)
  throw new BotError('config', ['flotilla.config.json has routing rules that cannot be used:', ...lines].join('\n'))
}
