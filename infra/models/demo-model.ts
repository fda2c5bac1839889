// The built-in offline demo model: rule-based, deterministic, no network, no clock. It says in every reply what it is.
// It refuses to pretend: it answers by fixed rules and shows what the product does around a model.
import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises'
import type { ModelPort, ModelRequest, ModelResult } from '#shared/model/model-port.ts'
import { estimateTokens } from '#shared/model/token-estimate.ts'
import { answerMessage, findWait, notice, quote } from './demo-replies.ts'
import { planCall, tellOfCards, type PlannedCall } from './demo-cards.ts'
import { planTaskCall, tellOfTask } from './demo-task.ts'
import { boardPostName, demoWaitName } from './demo-tools.ts'
import { type DemoTurn, readTurn } from './demo-turn.ts'
import { estimateUsage } from './usage.ts'

export type DemoModelOptions = {
  /** Pause after each piece, to make streaming visible. Default 0. */
  readonly pieceDelayMs?: number
}

/** Characters in a piece of the stream. */
const pieceLength = 12
/** Pieces sent before other work gets its turn, when there is no pause. */
const piecesAtOnce = 32
const modelName = 'offline-demo'

export function createDemoModel(options: DemoModelOptions = {}): ModelPort {
  const { pieceDelayMs = 0 } = options
  return {
    async complete(request, onText, signal) {
      if (signal.aborted) return aborted
      const turn = readTurn(request.messages)
      const call = findCall(request, turn)
      if (call) return toCall(request, turn, call)

      const whole = toAnswer(request, turn)
      const text = cutToTokens(whole, request.maxOutputTokens)
      const pieces = toPieces(text)
      for (const [index, piece] of pieces.entries()) {
        if (index > 0) await pause(index, pieceDelayMs, signal)
        if (signal.aborted) return aborted
        onText(piece)
      }
      const finish = text.length < whole.length ? 'length' : 'stop'
      return {
        kind: 'reply',
        text,
        toolCalls: [],
        finish,
        usage: estimateUsage(request, { text, toolCalls: [] }),
        model: modelName,
      }
    },
    describe: () => ({ name: modelName, endpoint: 'built in', offline: true }),
    contextTokens: 16_000,
    hasFallback: false,
  }
}

const aborted: ModelResult = { kind: 'failure', failure: 'aborted', message: 'The model call was stopped.' }

function toAnswer({ messages, maxOutputTokens }: ModelRequest, turn: DemoTurn): string {
  const task = tellOfTask(messages, turn)
  if (task?.isBare) return task.text
  const answer = task?.text ?? compose(turn, maxOutputTokens)
  const says = notice[turn.language]
  // A heading or list needs a line of its own.
  return answer.includes('\n') ? `${says.trim()}\n\n${answer}` : `${says}${answer}`
}

function findCall({ tools, messages }: ModelRequest, turn: DemoTurn): PlannedCall | undefined {
  const offered = new Set(tools.map(({ name }) => name))
  const task = planTaskCall(messages, turn, offered)
  if (task) return task
  const seconds = offered.has(demoWaitName)
    ? turn.asked.map(findWait).find((wanted) => wanted !== undefined)
    : undefined
  return seconds === undefined ? planCall(turn, offered) : { name: demoWaitName, input: { seconds } }
}

/** The id is made of the turn's position in the conversation: the same prompt gives the same call. */
function toCall(request: ModelRequest, turn: DemoTurn, { name, input }: PlannedCall): ModelResult {
  const id = `demo_${turn.replies + 1}_${turn.calls.length + 1}`
  const toolCalls = [{ id, name, arguments: JSON.stringify(input) }]
  const usage = estimateUsage(request, { text: '', toolCalls })
  return { kind: 'reply', text: '', toolCalls, finish: 'tool-calls', usage, model: modelName }
}

function compose(turn: DemoTurn, maxTokens: number): string {
  const told = tellOfCards(turn)
  const isDenied = turn.calls.length === 0 && told !== undefined && turn.answersTo?.includes(boardPostName)
  if (isDenied) return told
  const answers = turn.asked.map((asked) => answerMessage(asked, turn, maxTokens))
  const last = turn.calls.at(-1)
  if (last === undefined) return [...(told === undefined ? [] : [told]), ...answers].join('\n\n')
  const joined = turn.asked.map((asked) => `“${quote(asked)}”`)
  const result = quote(last.result)
  const waited = told ?? (turn.language === 'zh' ? `等待结束：${result}` : `Done waiting: ${result}`)
  if (joined.length === 0) return waited
  const meanwhile =
    turn.language === 'zh' ? `期间你又说了：${joined.join('、')}` : `Meanwhile you said: ${joined.join(', ')}`
  return [waited, meanwhile, ...answers].join('\n\n')
}

function cutToTokens(text: string, maxTokens: number): string {
  let end = text.length
  while (end > 0 && estimateTokens(text.slice(0, end)).tokens > maxTokens) end = Math.floor(end * 0.9)
  return text.slice(0, end).toWellFormed()
}

function toPieces(text: string): string[] {
  const characters = Array.from(text)
  const count = Math.ceil(characters.length / pieceLength)
  return Array.from({ length: count }, (_, index) =>
    characters.slice(index * pieceLength, (index + 1) * pieceLength).join(''),
  )
}

async function pause(index: number, delayMs: number, signal: AbortSignal): Promise<void> {
  if (delayMs === 0) {
    if (index % piecesAtOnce === 0) await nextTick()
    return
  }
  // An abort only ends the pause; the caller looks at the signal.
  await sleep(delayMs, undefined, { signal }).catch(() => undefined)
}
