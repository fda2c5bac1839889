// Puts a reply together from the chunks of a stream, or from a whole completion: text, calls of tools, usage, what goes back with the calls, and why it ended.
// It stops at a limit of bytes, and gives no call whose arguments were cut.
import type { ModelRequest, ModelResult, ToolCall, ToolSchema } from '#shared/model/model-port.ts'
import { createCallAssembly, type CallAssembly } from './call-assembly.ts'
import type { ChatChunk, ToldUsage } from './chat-chunk.ts'
import { isBrief, readFinish, seemsWhole } from './finish-reason.ts'
import { packGivenBack } from './given-back.ts'
import { createFields } from './growing-fields.ts'
import { createReplyRoom } from './reply-room.ts'
import { createReplyText, type ReplyText } from './reply-text.ts'
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

export function createAssembly(options: AssemblyOptions): ReplyAssembly {
  const { model, maxOutputBytes, onText, tools = [], beginsThinking = false } = options
  const room = createReplyRoom(maxOutputBytes)
  const said = createReplyText({ onText, beginsThinking, tools: tools.map(({ name }) => name) })
  const calls = createCallAssembly(room.fit)
  const fields = createFields()
  let isDone = false
  let finish: string | undefined
  let usage: ToldUsage | undefined
  let answering = model

  const isCut = (): boolean => room.isFull() || (finish !== undefined && readFinish(finish) === 'length')

  function isWholeByItself(): boolean {
    const { calls: held } = said.end(isCut())
    return calls.count() > 0 ? calls.areWhole() : held !== '' || seemsWhole(said.text())
  }

  return {
    add(chunk) {
      answering = chunk.model ?? answering
      usage = chunk.usage ?? usage
      said.add(chunk, room.fit)
      const isRepeated = chunk.isWhole && chunk.finish !== undefined && chunk.calls.length === calls.count()
      if (!isRepeated) for (const delta of chunk.calls) calls.add(delta)
      fields.add(chunk.fields)
      if (room.isFull()) return 'full'
      finish = chunk.finish ?? finish
      return 'more'
    },
    noteDone() {
      isDone = true
    },
    isFinished: () => room.isFull() || finish !== undefined,
    isBroken() {
      if (room.isFull()) return false
      if (finish === undefined) return !(isDone && isWholeByItself())
      return readFinish(finish) === 'failed' && !isWholeByItself()
    },
    isEmpty: () => room.isEmpty() && calls.count() === 0,
    toReply(request) {
      const { made, toolCalls, isSpokenCut } = findCalls({ said, calls, isCut: isCut() }, request)
      const given = withGivenBack(toolCalls, { model, message: fields.read(), calls: made ? calls.fields() : [] })
      const text = said.text()
      const isShort = room.isFull() || (isSpokenCut && toolCalls.length === 0)
      return {
        kind: 'reply',
        text: toolCalls.length > 0 ? text.trimEnd() : text,
        toolCalls: given,
        finish: isShort ? 'length' : toFinish(finish, toolCalls.length > 0, isWholeByItself() || isBrief(text)),
        ...judgeUsage(toUsage(usage), request, { text, toolCalls: given }),
        model: answering,
      }
    },
    thinksAloud: said.thinksAloud,
  }
}

type Came = { readonly said: ReplyText; readonly calls: CallAssembly; readonly isCut: boolean }
type FoundCalls = {
  /** They were made as calls, and not only spoken of. */
  readonly made: boolean
  readonly toolCalls: readonly ToolCall[]
  readonly isSpokenCut: boolean
}

/** The calls that were made; where there are none, those that the text speaks. What of it is no call is said. */
function findCalls({ said, calls, isCut }: Came, request: ModelRequest): FoundCalls {
  const { calls: held, isThought } = said.end(isCut)
  const made = calls.toCalls(isCut)
  const spoken = judgeHeld(held, made.length > 0 ? [] : request.tools, said.text())
  if (!isThought && !(isCut && opensCall.test(held))) said.say(spoken.shown)
  const isMade = made.length > 0
  return { made: isMade, toolCalls: isMade ? made : spoken.calls, isSpokenCut: spoken.isCut }
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
