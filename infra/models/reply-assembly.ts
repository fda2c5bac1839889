// Puts a reply together from the chunks of a stream, or from a whole completion: text, calls of tools, usage, what goes back with the calls, and why it ended.
// It stops at a limit of bytes, and gives no call whose arguments were cut.
import type { ModelRequest, ModelResult, ToolCall, ToolSchema } from '#shared/model/model-port.ts'
import { createCallAssembly } from './call-assembly.ts'
import type { ChatChunk, ToldUsage } from './chat-chunk.ts'
import { isBrief, readFinish, seemsWhole } from './finish-reason.ts'
import { packGivenBack } from './given-back.ts'
import { createFields } from './growing-fields.ts'
import { createMarkupFilter, type Rest } from './markup-filter.ts'
import { judgeHeld, opensCall } from './spoken-calls.ts'
import { judgeUsage } from './usage.ts'

export type ModelReply = Extract<ModelResult, { kind: 'reply' }>

export type ReplyAssembly = {
  /** Adds a chunk; `full` when the limit is reached and reading further is useless. */
  add(chunk: ChatChunk): 'more' | 'full'
  /** The endpoint says that nothing more comes. */
  noteDone(): void
  /** Whether the endpoint has said why it ended. */
  isFinished(): boolean
  /** Whether it broke off: by its own word, or since it ended in the midst without one. */
  isBroken(): boolean
  /** Whether anything of a reply came. */
  isEmpty(): boolean
  /** The reply so far; meaningful once finished. Usage is estimated when the endpoint sent none that can be. */
  toReply(request: ModelRequest): ModelReply
  /** Whether a thought ended that nothing had begun. */
  thinksAloud(): boolean
}

export type AssemblyOptions = {
  /** Of the one that was asked. */
  readonly model: string
  readonly maxOutputBytes: number
  readonly onText: (piece: string) => void
  /** The tools that it may call. */
  readonly tools?: readonly ToolSchema[]
  /** Its template begins a thought, so that only the end of it comes. */
  readonly beginsThinking?: boolean
}

/** A shorter piece may well be the same again. */
const leastRepeated = 20

export function createAssembly(options: AssemblyOptions): ReplyAssembly {
  const { model, maxOutputBytes, onText, tools = [], beginsThinking = false } = options
  const markup = createMarkupFilter({ beginsThinking, tools: tools.map(({ name }) => name) })
  const calls = createCallAssembly(fit)
  const fields = createFields()
  /** As it came. */
  let raw = ''
  let text = ''
  let aloud = 0
  let bytes = 0
  let isFull = false
  let isDone = false
  let finish: string | undefined
  let usage: ToldUsage | undefined
  let answering = model

  function say(piece: string): void {
    // What was said before was a thought.
    if (markup.thoughtsAloud() > aloud) text = ''
    aloud = markup.thoughtsAloud()
    if (piece === '') return
    text += piece
    onText(piece)
  }

  /** What of a piece fits, whole characters only. */
  function fit(piece: string): string {
    const size = Buffer.byteLength(piece)
    const room = maxOutputBytes - bytes
    bytes += size
    if (size <= room) return piece
    isFull = true
    return Buffer.from(piece)
      .toString('utf8', 0, Math.max(0, room))
      .replace(/(?<!\ufffd)\ufffd+$/, '')
  }

  /** A message after its pieces, and a last piece that repeats them, say only what is new. */
  function toNews({ text: piece, isWhole, finish: ends }: ChatChunk): string {
    const mayRepeat = isWhole || (ends !== undefined && piece.length >= leastRepeated)
    return mayRepeat && raw !== '' && piece.startsWith(raw) ? piece.slice(raw.length) : piece
  }

  /** Read once, at the end. */
  let rest: Rest | undefined
  function end(): Rest {
    if (!rest) {
      rest = markup.rest(isFull || (finish !== undefined && readFinish(finish) === 'length'))
      say(rest.shown)
    }
    return rest
  }

  function isWholeByItself(): boolean {
    const { calls: held } = end()
    return calls.count() > 0 ? calls.areWhole() : held !== '' || seemsWhole(text)
  }

  return {
    add(chunk) {
      answering = chunk.model ?? answering
      usage = chunk.usage ?? usage
      const piece = toNews(chunk)
      raw += piece
      say(markup.take(fit(piece)))
      const isRepeated = chunk.isWhole && chunk.finish !== undefined && chunk.calls.length === calls.count()
      if (!isRepeated) for (const delta of chunk.calls) calls.add(delta)
      fields.add(chunk.fields)
      if (isFull) return 'full'
      finish = chunk.finish ?? finish
      return 'more'
    },
    noteDone() {
      isDone = true
    },
    isFinished: () => isFull || finish !== undefined,
    isBroken() {
      if (isFull) return false
      if (finish === undefined) return !(isDone && isWholeByItself())
      return readFinish(finish) === 'failed' && !isWholeByItself()
    },
    isEmpty: () => bytes === 0 && calls.count() === 0,
    toReply(request) {
      const { calls: held, isThought } = end()
      const isCut = isFull || (finish !== undefined && readFinish(finish) === 'length')
      const made = calls.toCalls(isCut)
      const spoken = judgeHeld(held, made.length > 0 ? [] : request.tools, text)
      if (!isThought && !(isCut && opensCall.test(held))) say(spoken.shown)
      const found = made.length > 0 ? made : spoken.calls
      const toolCalls = withGivenBack(found, {
        model,
        message: fields.read(),
        calls: made.length > 0 ? calls.fields() : [],
      })
      return {
        kind: 'reply',
        text: toolCalls.length > 0 ? text.trimEnd() : text,
        toolCalls,
        finish:
          isFull || (spoken.isCut && toolCalls.length === 0)
            ? 'length'
            : toFinish(finish, toolCalls.length > 0, isWholeByItself() || isBrief(text)),
        ...judgeUsage(toUsage(usage), request, { text, toolCalls }),
        model: answering,
      }
    },
    thinksAloud: () => aloud > 0,
  }
}

/** With the first call, since they go back together. */
function withGivenBack(calls: readonly ToolCall[], given: Parameters<typeof packGivenBack>[0]): readonly ToolCall[] {
  const opaque = calls.length > 0 ? packGivenBack(given) : undefined
  return opaque === undefined ? calls : calls.map((call, i) => (i === 0 ? { ...call, opaque } : call))
}

function toUsage(told: ToldUsage | undefined): Parameters<typeof judgeUsage>[0] {
  if (!told) return undefined
  const { cachedTokens, ...counted } = told
  return cachedTokens > 0 && cachedTokens <= counted.promptTokens ? { ...counted, cachedTokens } : counted
}

/** What ended in the midst of a sentence for a reason that is not known counts as cut. */
function toFinish(reason: string | undefined, hasCalls: boolean, isWhole: boolean): ModelReply['finish'] {
  const read = reason === undefined ? 'end' : readFinish(reason)
  if (read === 'length' || read === 'filtered') return read
  if (hasCalls) return 'tool-calls'
  return (read === 'unknown' || read === 'failed') && !isWhole ? 'length' : 'stop'
}
