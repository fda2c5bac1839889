// The router's process: reads hints of `inbound`, writes decisions. Stateless; start as many as needed.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { loadConfigFile } from '#infra/config/file.ts'
import { createBatch } from '#queues/batch.ts'
import { finishIn } from '#queues/finish-in.ts'
import type { HintHandler } from '#queues/workers/hint-worker.ts'
import { createGathering } from '#queues/workers/gather.ts'
import { routeEvents, type DecideInput } from '#queues/workers/route-events.ts'
import { createClassifier, type Classify } from '#services/router/classify.ts'
import { decide } from '#services/router/decide.ts'
import { routingConfig } from '#services/router/patterns.ts'
import type { Classification, Decision } from '#shared/chat/decision.ts'
import { BotError } from '#shared/errors.ts'
import { startHintPart } from './hint-part.ts'
import { onceAMinute, type Part } from './part.ts'
import type { Runtime } from './runtime.ts'

const openCommands = ['start', 'help']
const concurrency = 50
/** Thousands of times what a text takes; a busy machine may keep a process waiting that long once, hardly twice. */
const mostClassifyMs = 250
/** Events that are decided under one watch. */
const mostAtOnce = 64
/** A watch begins and ends a thread, which takes a tenth of a millisecond, and half of one on a busy machine. So much time is left between two. */
const watchShare = 1 / 50
const mostPaceMs = 10
/** What a text is that nobody read: an ordinary question. */
const unread: Classification = {
  type: 'query',
  depth: 'standard',
  complex: false,
  rule: 'query.unread',
  confidence: 'low',
}

export function startRouter(runtime: Runtime, folder: string): Part {
  const { log } = runtime
  const trouble = onceAMinute((what, error) => log.warn({ err: error }, what))
  const decideBounded = boundDecide(loadClassifier(folder), trouble)
  const gathering = createGathering({
    now: () => performance.now(),
    again: (conversation) => void runtime.hints.inbound(conversation).catch(() => {}),
    later(ms, callback) {
      const timer = setTimeout(callback, ms)
      timer.unref()
      return () => clearTimeout(timer)
    },
  })
  const handler: HintHandler = (conversation, signal) =>
    routeEvents(
      {
        kernel: runtime.kernel,
        access: runtime.access,
        hints: runtime.hints,
        gathering,
        decide: decideBounded,
        decideUnread: (input) => decide({ classify: () => unread, openCommands }, input),
        onTrouble: (what, error) => log.error({ err: error }, what),
      },
      conversation,
      signal,
    )
  const part = startHintPart(runtime, {
    name: 'router',
    queue: 'inbound',
    local: 'inbound',
    concurrency,
    handler,
    onTrouble: trouble,
  })
  return {
    name: part.name,
    async stop(graceMs) {
      await part.stop(graceMs)
      // That nobody routed it yet is no fault of what is held back.
      await Promise.allSettled(gathering.close().map((held) => runtime.kernel.forgetLooks(held)))
    },
  }
}

/**
 * Decides by the classifier, which can hold up nothing. Starting a watch costs more than classifying a text, so under load texts share
 * one; when that goes off, each has its own, and other work its turn between them.
 */
export function boundDecide(
  classify: Classify,
  onTrouble: (what: string) => void,
  mostMs: number = mostClassifyMs,
): (input: DecideInput) => Promise<Decision> {
  const bounded = boundClassify(classify, onTrouble, mostMs)
  const attempt = (input: DecideInput, by: Classify): Attempt => {
    try {
      return { decision: decide({ classify: by, openCommands }, input) }
    } catch (error) {
      return { error }
    }
  }
  let watchMs = 0
  const decideAll = async (inputs: readonly DecideInput[]): Promise<readonly Attempt[]> => {
    const startMs = performance.now()
    let workMs = 0
    const all = finishIn(mostMs, () => {
      const beginMs = performance.now()
      const attempts = inputs.map((input) => attempt(input, classify))
      workMs = performance.now() - beginMs
      return attempts
    })
    watchMs = performance.now() - startMs - workMs
    if (all) return all
    const each: Attempt[] = []
    for (const input of inputs) {
      each.push(attempt(input, bounded))
      await nextTurn()
    }
    return each
  }
  const ask = createBatch(mostAtOnce, decideAll, () => Math.min(mostPaceMs, watchMs / watchShare))
  return async (input) => {
    const found = await ask(input)
    if ('error' in found) throw found.error
    return found.decision
  }
}

type Attempt = { readonly decision: Decision } | { readonly error: unknown }

/** The same classifier, for which a text that takes too long twice is an ordinary question; it can hold up nothing. */
export function boundClassify(
  classify: Classify,
  onTrouble: (what: string) => void,
  mostMs: number = mostClassifyMs,
): Classify {
  return (input) => {
    const found = finishIn(mostMs, () => classify(input)) ?? finishIn(mostMs, () => classify(input))
    if (found) return found
    onTrouble(`A message of ${input.text.length} characters took too long to classify and is taken for a question.`)
    return unread
  }
}

/** The classifier with the operator's routing rules. Throws BotError `config` naming each wrong path. */
export function loadClassifier(folder: string): Classify {
  const { routing } = loadConfigFile(folder)
  const parsed = routingConfig.safeParse(routing ?? {})
  if (parsed.success) return createClassifier(parsed.data)
  const lines = parsed.error.issues.map((issue) => `  - routing.${issue.path.join('.')}: ${issue.message}`)
  throw new BotError('config', ['flotilla.config.json has routing rules that cannot be used:', ...lines].join('\n'))
}
