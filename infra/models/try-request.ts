// One request to a model endpoint, and what came of it.
import type { IncomingMessage } from 'node:http'
import type { ModelRequest, ModelResult } from '#shared/model/model-port.ts'
import type { CallEnding, CallWatch } from './call-watch.ts'
import { parseChunk } from './chat-chunk.ts'
import { toBody } from './chat-request.ts'
import type { Dialect } from './dialects.ts'
import { takeBody } from './http-transport.ts'
import type { KnownDialects, Lesson } from './known-dialects.ts'
import type { LeanClient } from './lean-client.ts'
import { classifyError, classifyStreamError, type ModelFailure, toFailure } from './model-failure.ts'
import { readReply, type ReplyEnd } from './read-reply.ts'
import { toRefusal, toRefusalOfStream } from './refusal.ts'
import { createAssembly, type ReplyAssembly } from './reply-assembly.ts'

/** Silence waited for after the finish reason, for usage and the end of the stream. */
const afterFinishMs = 2_000
/** The same after `[DONE]`: only the end is missing, and with it the connection can be kept. */
const afterDoneMs = 100

export type Trial = {
  readonly request: ModelRequest
  readonly model: string
  readonly dialect: Dialect
  /** It rests on words that may be those of people, and is forgotten with its answer. */
  readonly isDoubtful: boolean
}

/** What stays the same over all trials. */
export type Trying = {
  readonly client: LeanClient
  readonly dialects: KnownDialects
  readonly limits: Readonly<Record<'idleTimeoutMs' | 'firstTimeoutMs' | 'totalTimeoutMs', number>>
  readonly maxOutputBytes: number
  readonly now: () => number
}
/** Who hears the text, and what ends the call. */
export type Heard = { readonly onText: (piece: string) => void; readonly watch: CallWatch }

/** What came; a lesson where the endpoint refused the request in words that are known. */
export async function tryRequest(
  trying: Trying,
  trial: Trial,
  { onText, watch }: Heard,
): Promise<ModelResult | Lesson> {
  const { dialects, maxOutputBytes } = trying
  const { request, model, dialect } = trial
  const assembly = createAssembly({
    model,
    maxOutputBytes,
    onText: guardCaller(onText),
    tools: request.tools,
    beginsThinking: dialects.thinksAloud(model),
  })
  const asked = Math.min(request.maxOutputTokens, dialect.mostOutputTokens ?? Infinity)
  const sent = { asked, tried: dialect, messages: request.messages }
  let failure: ModelFailure | undefined
  let isOpen = false
  try {
    const body = await open(trying.client, trial, watch.signal)
    if (!body) return toFailure('malformed', 'The model endpoint sent no stream.')
    isOpen = true
    const { end, refused, isOdd } = await readAnswer(body, { assembly, watch, maxOutputBytes })
    const lesson = refused !== undefined && assembly.isEmpty() && dialects.learn(toRefusalOfStream(refused), sent)
    if (lesson) return lesson
    failure = refused === undefined ? findEndFailure(end, assembly, isOdd) : classifyStreamError(refused, request)
  } catch (error) {
    if (error instanceof CallerError) throw error.cause
    const refusal = toRefusal(error)
    const lesson = refusal && dialects.learn(refusal, sent)
    if (lesson) return lesson
    failure = findTimeout(watch.ending(), trying.limits)
    if (isOpen) failure ??= toFailure('cut-off', 'The connection broke in the middle of the reply.')
    failure ??= classifyError(error, request, trying.now())
  }
  // What broke after the finish reason broke nothing of the reply; a stop by the caller still is one.
  if (watch.ending() === 'aborted') return toFailure('aborted', 'The model call was stopped.')
  if (failure && (!assembly.isFinished() || assembly.isBroken())) return failure
  const reply = assembly.toReply(request)
  if (reply.text !== '') dialects.noteThoughts(model, assembly.thinksAloud())
  return reply
}

async function open(
  client: LeanClient,
  { request, model, dialect }: Trial,
  signal: AbortSignal,
): Promise<IncomingMessage | undefined> {
  const body = toBody(request, model, dialect)
  return takeBody(await client.chat.completions.create(body, { signal }).asResponse())
}

type Reading = { readonly assembly: ReplyAssembly; readonly watch: CallWatch; readonly maxOutputBytes: number }

/** Reads the stream into the assembly. `refused`: the error that it brought; `isOdd`: something came that is no chunk. */
async function readAnswer(
  body: IncomingMessage,
  { assembly, watch, maxOutputBytes }: Reading,
): Promise<{ readonly end: ReplyEnd; readonly refused: unknown; readonly isOdd: boolean }> {
  let refused: unknown
  let isOdd = false
  const end = await readReply(body, {
    onLife: () => watch.life(),
    maxLength: 8 * maxOutputBytes, // a character can take six in JSON
    onData(data) {
      if (data === '[DONE]') {
        assembly.noteDone()
        watch.shorten(afterDoneMs)
        return 'more'
      }
      const chunk = parseChunk(data)
      // What is no JSON at all, such as a heartbeat, means nothing. Of what should have been some, a piece of the answer may be lost.
      if (!chunk) {
        isOdd ||= data.includes('"delta"') || data.includes('"choices"')
        return 'more'
      }
      if (isOdd && !assembly.isFinished()) return 'stop'
      refused = chunk.error
      if (refused !== undefined) return 'stop'
      const isFull = assembly.add(chunk) === 'full'
      if (!assembly.isEmpty()) watch.hasBegun()
      if (isFull) return 'stop'
      if (assembly.isFinished()) watch.shorten(afterFinishMs)
      return 'more'
    },
  })
  return { end, refused, isOdd }
}

/** What the caller's own callback threw: a fault of ours, not of the model. */
class CallerError extends Error {}

function guardCaller(onText: (piece: string) => void): (piece: string) => void {
  return (piece) => {
    try {
      onText(piece)
    } catch (cause) {
      throw new CallerError('The receiver of the text failed.', { cause })
    }
  }
}

function findEndFailure(end: ReplyEnd, assembly: ReplyAssembly, isOdd: boolean): ModelFailure | undefined {
  if (end === 'too-long') return toFailure('malformed', 'The model endpoint sent an event of more than the limit.')
  if (end === 'unreadable')
    return toFailure('malformed', 'The model endpoint answered in an encoding that is not known.')
  // Asked again, it is the same page.
  if (end === 'page') return toFailure('no-model', 'The model endpoint answered with a page. Check OPENAI_BASE_URL.')
  if (isOdd && (end === 'stopped' || assembly.isEmpty()))
    return toFailure('malformed', 'The model endpoint sent an event that is not a chunk of a reply.')
  if (!assembly.isBroken()) return undefined
  return assembly.isFinished()
    ? toFailure('cut-off', 'The model endpoint said that it broke off.')
    : toFailure('cut-off', 'The stream of the model ended without a finish reason.')
}

function findTimeout(
  ending: CallEnding | undefined,
  limits: Readonly<Record<'idleTimeoutMs' | 'firstTimeoutMs' | 'totalTimeoutMs', number>>,
): ModelFailure | undefined {
  if (ending === 'first') return toFailure('timeout', `The model sent nothing for ${limits.firstTimeoutMs} ms.`)
  if (ending === 'idle') return toFailure('timeout', `The model sent nothing more for ${limits.idleTimeoutMs} ms.`)
  if (ending === 'total') return toFailure('timeout', `The model took more than ${limits.totalTimeoutMs} ms.`)
  return undefined
}
