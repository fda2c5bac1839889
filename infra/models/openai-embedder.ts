// Vectors by the embeddings of an OpenAI-compatible endpoint, the one that answers, too. After a failure nobody asks for some seconds: a turn is not to
// wait for what fails anyway.
import type { OpenAI } from 'openai'
import { z } from 'zod'
import { BotError } from '#shared/errors.ts'
import type { Embedder } from '#services/memory/search/meaning.ts'
import { toBaseUrl } from './endpoint.ts'
import { createWholeFetch } from './http-transport.ts'

export type EmbedderOptions = {
  readonly model: string
  /** Any text for endpoints that need none. */
  readonly apiKey: string
  readonly baseUrl: string
  /** Of one request. Default 20 000. */
  readonly timeoutMs?: number
  /** ms of any clock that goes on. */
  readonly nowMs?: () => number
}

const mostTexts = 100
const pauseMs = 5000
const mostBytes = 64 * 1024 * 1024
/** The endpoint does not like one of the texts: it may be too long for the model. */
const ofTexts = new Set([400, 413, 422])
/** It may be that too: some servers fail so where the numbers of a text come out as none. */
const ofTextsOrServer = 500
/** No person's text. */
const harmless = 'A short text.'

const answer = z.object({
  data: z.array(z.object({ index: z.number(), embedding: z.array(z.number()).min(1).max(20_000) })),
})

/** The SDK is loaded with the first call. */
export function createOpenAiEmbedder(options: EmbedderOptions): Embedder {
  const { model, timeoutMs = 20_000, nowMs = () => performance.now() } = options
  let client: Promise<OpenAI> | undefined
  let untilMs = -Infinity
  let dimensions: number | undefined

  async function request(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    client ??= connect(options)
    const input = [...texts]
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    const { embeddings } = await client
    const asked = embeddings.create({ model, input, encoding_format: 'float' }, { signal: limit })
    const given = await asked.catch((error: unknown) => {
      throw limit.aborted ? toError('It did not answer in time.', error) : error
    })
    // Several that are alike say how long vectors are; one alone is measured by that.
    const vectors = readVectors(given, texts.length, texts.length > 1 ? undefined : dimensions)
    if (vectors.length > 1) dimensions = vectors[0]?.length
    return vectors
  }

  /** Halves what is refused or comes out wrong, until the text is alone that is to blame. */
  async function embedSome(
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly (Float32Array | undefined)[]> {
    try {
      return await request(texts, signal)
    } catch (error) {
      if (signal.aborted || !mayBeOfTexts(error)) throw error
      if (texts.length === 1) return [await askAgain(texts, signal, error)]
      const middle = Math.ceil(texts.length / 2)
      return [...(await embedSome(texts.slice(0, middle), signal)), ...(await embedSome(texts.slice(middle), signal))]
    }
  }

  /** One text must not keep all others from having vectors. It is to blame where it fails twice and the endpoint answers in between. */
  async function askAgain(
    texts: readonly string[],
    signal: AbortSignal,
    error: unknown,
  ): Promise<Float32Array | undefined> {
    if (ofTexts.has(toStatus(error) ?? 0)) return undefined
    await request([harmless], signal).catch(() => {
      throw error
    })
    const [again] = await request(texts, signal).catch((failure: unknown) => {
      if (!mayBeOfTexts(failure)) throw failure
      return []
    })
    return again
  }

  return {
    model,
    async embed(texts, signal) {
      signal.throwIfAborted()
      if (nowMs() < untilMs) throw toError('It failed a moment ago, and is asked again soon.')
      const vectors: (Float32Array | undefined)[] = []
      try {
        for (let from = 0; from < texts.length; from += mostTexts)
          vectors.push(...(await embedSome(texts.slice(from, from + mostTexts), signal)))
        return vectors
      } catch (error) {
        untilMs = nowMs() + pauseMs
        throw error instanceof BotError ? error : toError(toCause(error), isAnswer(error) ? undefined : error)
      }
    },
  }
}

async function connect({ apiKey, baseUrl }: EmbedderOptions): Promise<OpenAI> {
  const sdk = await import('openai')
  return new sdk.OpenAI({
    apiKey,
    baseURL: toBaseUrl(baseUrl),
    maxRetries: 0,
    logLevel: 'off',
    fetch: createWholeFetch(mostBytes),
  })
}

function mayBeOfTexts(error: unknown): boolean {
  const status = toStatus(error)
  return error instanceof Misshaped || (status !== undefined && (ofTexts.has(status) || status === ofTextsOrServer))
}

/** The endpoint answered, and not with vectors of these texts. */
class Misshaped extends BotError {}

/** In the order of the texts, each of length 1. Throws Misshaped for an answer that is none. */
function readVectors(given: unknown, count: number, dimensions: number | undefined): readonly Float32Array[] {
  const parsed = answer.safeParse(given)
  if (!parsed.success) throw toMisshaped('Its answer holds no vectors of numbers.')
  const ordered = parsed.data.data.toSorted((a, b) => a.index - b.index)
  if (ordered.length !== count || ordered.some(({ index }, at) => index !== at))
    throw toMisshaped(`It gave ${ordered.length} vectors for ${count} texts.`)
  const wanted = dimensions ?? ordered[0]?.embedding.length ?? 0
  return ordered.map(({ embedding }) => {
    if (embedding.length !== wanted)
      throw toMisshaped(`It gave a vector of ${embedding.length} numbers where others have ${wanted}.`)
    const length = Math.hypot(...embedding)
    if (!Number.isFinite(length) || length === 0) throw toMisshaped('It gave a vector without a direction.')
    return Float32Array.from(embedding, (one) => one / length)
  })
}

function toStatus(error: unknown): number | undefined {
  return error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : undefined
}

/** Causes are logged, and what an endpoint answers may repeat the text. */
const isAnswer = (error: unknown): boolean => toStatus(error) !== undefined

/** Nothing of what the endpoint says. */
function toCause(error: unknown): string {
  const status = toStatus(error)
  if (status !== undefined) return `It refused with ${status}.`
  return error instanceof SyntaxError ? 'Its answer could not be read.' : 'It is not there.'
}

const tell = (cause: string): string =>
  `The embedding model cannot be used. ${cause} Records are found by their words alone meanwhile.`

const toMisshaped = (cause: string): Misshaped => new Misshaped('model', tell(cause), { retry: { afterMs: pauseMs } })

function toError(cause: string, error?: unknown): BotError {
  return new BotError('model', tell(cause), {
    retry: { afterMs: pauseMs },
    ...(error === undefined ? {} : { cause: error }),
  })
}
