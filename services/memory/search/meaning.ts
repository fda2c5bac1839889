// What texts mean, as vectors of an embedding model. Vectors are made of people's words, so nothing here keeps them but for minutes, in this process.
import { hash } from 'node:crypto'
import { toNormalForm } from '#shared/chat/normal-form.ts'
import { BotError } from '#shared/errors.ts'
import { unrelatedQuestions, unrelatedStatements } from './unrelated.ts'

/** Makes vectors. */
export type Embedder = {
  readonly model: string
  /** In the order of the texts, each of length 1; undefined for a text that the endpoint refuses. Rejects with BotError `model`, or the signal's reason. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly (Float32Array | undefined)[]>
}

export type Meaning = {
  /** Of the score that meaning and words make together. */
  readonly weight: number
  /** The model, as a hash. */
  readonly model: string
  /** Of the model and the text as it is compared: wide letters and spaces do not count. */
  toMark(text: string): string
  /** Of a question. What is unrelated to it is no nearer than `floor`. A caller that leaves does not end the call: its answer is kept for the next. */
  ask(text: string, signal: AbortSignal): Promise<{ readonly values: Float32Array; readonly floor: number }>
  /** Of texts that are to be kept. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly (Float32Array | undefined)[]>
}

export type MeaningOptions = {
  readonly embedder: Embedder
  readonly weight: number
  /** ms of any clock that goes on. */
  readonly nowMs: () => number
}

/** Records have no more. */
const mostChars = 2000
const keptMs = 5 * 60_000
const mostKept = 200
const askMs = 5000
/** Questions under way; more would wait in vain. */
const mostOpen = 64
/** Standard deviations above the mean of what is unrelated. */
const farAbove = 3

/** Undefined: the endpoint refuses it. */
type Kept = { readonly atMs: number; readonly values: Promise<Float32Array | undefined> }

export function createMeaning({ embedder, weight, nowMs }: MeaningOptions): Meaning {
  const kept = new Map<string, Kept>()
  let open = 0
  const floors = keepFirst(() => measureFloors(embedder))
  const toMark = (text: string): string => toHash(embedder.model, normalise(text))

  async function askOnce(text: string): Promise<Float32Array | undefined> {
    const mark = toMark(text)
    for (const [old, { atMs }] of kept)
      if (kept.size >= mostKept || nowMs() - atMs > keptMs) kept.delete(old)
      else break
    const known = kept.get(mark)
    if (known) return await known.values
    if (open >= mostOpen) throw toError('It has too many questions to answer.')
    open += 1
    const values = embedQuestion(embedder, text).finally(() => (open -= 1))
    kept.set(mark, { atMs: nowMs(), values })
    values.catch(() => kept.delete(mark))
    return await values
  }

  /** The model is measured first, and anew after a failure: it may have become another one. */
  async function askMeasured(text: string) {
    const measured = await floors.get()
    const values = await askOnce(text).catch((error: unknown) => {
      floors.forget()
      throw error
    })
    // It says nothing of the model that it takes no such text.
    if (!values) throw toRefused()
    return { values, floor: han.test(text) ? measured.han : measured.other }
  }

  return {
    weight,
    model: toHash(embedder.model),
    toMark,
    async ask(text, signal) {
      signal.throwIfAborted()
      return await orLeave(askMeasured(normalise(text)), signal)
    },
    async embed(texts, signal) {
      // An endpoint that does not take these either is set up wrongly: then no single text is to blame.
      await floors.get()
      return await embedder.embed(texts.map(normalise), signal)
    },
  }
}

const toHash = (...parts: readonly string[]): string => hash('sha256', JSON.stringify(parts)).slice(0, 32)

const normalise = (text: string): string =>
  toNormalForm(text.slice(0, mostChars), 'NFKC').replaceAll(/\s+/g, ' ').trim()

async function embedQuestion(embedder: Embedder, text: string): Promise<Float32Array | undefined> {
  const [values] = await embedder.embed([text], AbortSignal.timeout(askMs))
  return values
}

const toRefused = (): BotError => toError('It refused a text of ours.')

const toError = (cause: string): BotError =>
  new BotError('model', `The embedding model cannot be used. ${cause}`, { retry: { afterMs: 10_000 } })

/** What fails is tried again by the next. */
function keepFirst<T>(make: () => Promise<T>) {
  let made: Promise<T> | undefined
  const forget = (): void => {
    made = undefined
  }
  return {
    forget,
    async get() {
      made ??= make()
      try {
        return await made
      } catch (error) {
        forget()
        throw error
      }
    },
  }
}

/** By the script of a question: a model may know one language well and another not at all. */
type Floors = { readonly han: number; readonly other: number }

async function measureFloors(embedder: Embedder): Promise<Floors> {
  const texts = [...unrelatedQuestions, ...unrelatedStatements]
  const vectors = await embedder.embed(texts, AbortSignal.timeout(askMs))
  const statements = vectors.slice(unrelatedQuestions.length)
  const toFloorOf = (isHan: boolean): number =>
    toFloor(
      unrelatedQuestions.flatMap((question, at) => {
        if (han.test(question) !== isHan) return []
        return statements.map((statement) => {
          const own = vectors[at]
          if (!own || !statement) throw toRefused()
          return dot(own, statement)
        })
      }),
    )
  return { han: toFloorOf(true), other: toFloorOf(false) }
}

const han = /\p{Script=Han}/u

function toFloor(cosines: readonly number[]): number {
  const mean = cosines.reduce((sum, one) => sum + one, 0) / cosines.length
  const variance = cosines.reduce((sum, one) => sum + (one - mean) ** 2, 0) / cosines.length
  return Math.max(0, mean + farAbove * Math.sqrt(variance))
}

export const dot = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, part, at) => sum + part * (other[at] ?? 0), 0)

async function orLeave<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const left = Promise.withResolvers<never>()
  const leave = (): void => left.reject(signal.reason)
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([work, left.promise])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
