// Answers queries that hostile input could make endless, in a thread of their own: nothing else of the process waits for them. A thread
// that takes too long is ended, also in the middle of a regular expression, and replaced.
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { Worker, parentPort } from 'node:worker_threads'

export type QueryThread<Query, Result> = {
  /**
   * The result, or undefined when it took too long twice, among others and alone (once where each goes alone). Rejects with an error that has the text of what answering
   * threw, and when the thread cannot be started or is closed.
   */
  run(query: Query): Promise<Result | undefined>
  /** Ends the thread; what is still asked is rejected. */
  close(): Promise<void>
}

export type QueryThreadOptions = {
  /** The module that the thread runs; it calls `serveQueries`. */
  readonly script: URL
  /** What the module is given, plain data. */
  readonly data: unknown
  /** How long the thread may take for what it is given at once. */
  readonly mostMs: number
  /** Told why a thread ended by itself, e.g. since it wanted more memory than it may have. What it was asked is asked again. */
  readonly onEnd: (error: unknown) => void
  /** Of its heap, 128 unless it says another. */
  readonly mostMemoryMb?: number
  /** Each goes to the thread alone and once: for queries of which any may well take too long, by itself. */
  readonly alone?: boolean
}

type Outcome<Result> = { readonly result: Result } | { readonly error: string }
type Outcomes<Result> = readonly Outcome<Result>[]
type Waiting<Query, Result> = {
  readonly query: Query
  readonly resolve: (outcome: Outcome<Result> | undefined) => void
}
type Thread<Result> = {
  /** False when it cannot be started. */
  readonly started: Promise<boolean>
  /** What the thread says to a message; undefined when it takes longer, or ends. */
  send(message: unknown, mostMs: number): Promise<Outcomes<Result> | undefined>
  end(): Promise<unknown>
  /** What ended it, if it ended by itself. */
  failure?: unknown
}

const mostAtOnce = 16
/** Fewer wait until so long after those before: waking the thread costs more than most answers. What comes after a rest goes at once. */
const paceMs = 5
const startsWithinMs = 20_000
const closedText = 'The thread that answers is closed.'
/** A router's thread takes twenty. One that wants more has lost its way, and ends alone. */
const mostMemoryMb = 128
const maxYoungGenerationSizeMb = 8

/** While the thread answers or rests, queries gather, and go to it together. */
export function openQueryThread<Query, Result>(options: QueryThreadOptions): QueryThread<Query, Result> {
  const waiting: Waiting<Query, Result>[] = []
  const threads = openThreads<Query, Result>(options)
  let isRunning = false
  let askedAtMs = -Infinity

  async function answer(asked: readonly Waiting<Query, Result>[]): Promise<void> {
    const outcomes = await threads.attempt(asked.map(({ query }) => query))
    for (const [i, { query, resolve }] of asked.entries())
      resolve(outcomes ? outcomes[i] : options.alone ? undefined : (await threads.attempt([query]))?.[0])
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const gathers = !options.alone && waiting.length < mostAtOnce
      const restMs = gathers ? askedAtMs + paceMs - performance.now() : 0
      await (restMs > 0 ? sleep(restMs) : nextTurn())
      askedAtMs = performance.now()
      const asked = waiting.splice(0, options.alone ? 1 : mostAtOnce)
      await answer(asked).catch((error: unknown) => {
        for (const { resolve } of asked) resolve({ error: String(error) })
      })
    }
    isRunning = false
  }

  return {
    async run(query) {
      const { promise, resolve } = Promise.withResolvers<Outcome<Result> | undefined>()
      waiting.push({ query, resolve })
      if (!isRunning) {
        isRunning = true
        run().catch((error: unknown) => {
          isRunning = false
          for (const one of waiting.splice(0)) one.resolve({ error: String(error) })
        })
      }
      const outcome = await promise
      if (outcome && 'error' in outcome) throw new Error(outcome.error)
      return outcome?.result
    },
    close: threads.close,
  }
}

type Threads<Query, Result> = {
  /** Undefined when it took too long. Throws when no thread can be started, or after `close`. */
  attempt(queries: readonly Query[]): Promise<Outcomes<Result> | undefined>
  close(): Promise<void>
}

/** One thread at a time: one that gives no answer is ended, and the next question starts another. */
function openThreads<Query, Result>(options: QueryThreadOptions): Threads<Query, Result> {
  let thread: Thread<Result> | undefined = startThread(options)
  let isClosed = false
  return {
    async attempt(queries) {
      if (isClosed) throw new Error(closedText)
      thread ??= startThread(options)
      const current = thread
      const isStarted = await current.started
      const outcomes = isStarted ? await current.send(queries, options.mostMs) : undefined
      if (outcomes) return outcomes
      thread = undefined
      await current.end()
      // Whoever asked is not to take the end for a late answer.
      if (isClosed) throw new Error(closedText)
      if (isStarted) return undefined
      throw new Error(`The thread that answers cannot be started: ${String(current.failure)}`)
    },
    async close() {
      isClosed = true
      await thread?.end()
    },
  }
}

function startThread<Result>(options: QueryThreadOptions): Thread<Result> {
  const { script, data, onEnd } = options
  const maxOldGenerationSizeMb = options.mostMemoryMb ?? mostMemoryMb
  const resourceLimits = { maxOldGenerationSizeMb, maxYoungGenerationSizeMb }
  const worker = new Worker(script, { resourceLimits, execArgv: [] })
  let hear: ((said?: Outcomes<Result>) => void) | undefined
  let hasEnded = false
  const send: Thread<Result>['send'] = (message, mostMs) =>
    new Promise((resolve, reject) => {
      if (hasEnded) return resolve(undefined)
      // A turn later, since it may be this thread that was held up, with the answer waiting.
      const timer = setTimeout(() => setImmediate(resolve, undefined), mostMs)
      hear = (said) => {
        clearTimeout(timer)
        resolve(said)
      }
      try {
        worker.postMessage(message)
      } catch (error) {
        clearTimeout(timer)
        reject(error)
      }
    })
  worker.on('message', (said: Outcomes<Result>) => hear?.(said))
  worker.on('error', (error: unknown) => {
    thread.failure = error
    onEnd(error)
  })
  worker.on('exit', () => {
    hasEnded = true
    hear?.()
  })
  // It keeps no process alive. Listening does, so this comes last.
  worker.unref()
  const started = send(data, startsWithinMs).then(
    (said) => said !== undefined,
    (error: unknown) => {
      thread.failure = error
      return false
    },
  )
  const thread: Thread<Result> = { started, send, end: () => worker.terminate() }
  return thread
}

/** What a thread runs. As methods, since a script names the types that it knows it is given. */
type QueryServer = { open(data: unknown): { answer(query: unknown): unknown } }

/** In the thread: opens with the data it was given, and answers. */
export function serveQueries(answering: QueryServer): void {
  const port = parentPort
  port?.once('message', (data: unknown) => {
    const opened = answering.open(data)
    const toOutcome = (query: unknown): Outcome<unknown> => {
      try {
        return { result: opened.answer(query) }
      } catch (error) {
        return { error: String(error) }
      }
    }
    port.on('message', (queries: readonly unknown[]) => port.postMessage(queries.map(toOutcome)))
    port.postMessage([])
  })
}
