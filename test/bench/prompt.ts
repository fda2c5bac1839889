// `prompt`: what a long session costs in tokens, and what it still knows. 120 turns, each with a tool's result and five memories of a stub part; the
// fast model only copies lines and knows no facts. The same turns in a window without end, of which nothing is summed up, are the baseline.
import type { ModelRequest, ModelResult, PromptMessage } from '#shared/model/model-port.ts'
import { estimateTokens } from '#shared/model/token-estimate.ts'
import type { Feature } from '#shared/feature/feature.ts'
import { toMostHistory, chooseOffer } from '#services/executor/context/offer.ts'
import { toBudget } from '#services/executor/context/depth.ts'
import words from '#services/executor/compaction/words.json' with { type: 'json' }
import { builtIn, createStage, look, type Stage } from '#test/services/executor/stage.ts'
import { round } from './figures.ts'
import { prose } from './prose.ts'
import facts from './session-facts.json' with { type: 'json' }
import { toolsOf } from '#shared/feature/find-tools.ts'

const turns = 120
const endless = 4_000_000
const mostResultChars = 2000
/** Of what it is given, in whole lines. */
const summaryShare = 0.15

export type PromptFigures = {
  readonly requests: number
  readonly compactions: number
  /** Requests that do not begin with all of the request before but its tail; a new summary excepted. */
  readonly broken: number
  /** Of all tokens of prompts, those that the request before began with, too. */
  readonly prefixShare: number
  /** Of its budget, the largest tail. */
  readonly tailShare: number
  /** All tokens of prompts, of those of the baseline. */
  readonly vsNaive: number
  /** Of 20 told in the first 20 turns: in the prompt that needed them, or brought back by one search. */
  readonly factsKept: number
  readonly factsInPrompt: number
}

const estimate = (text: string): number => estimateTokens(text).upperBound

export async function measurePrompts(windowTokens: number): Promise<PromptFigures> {
  const bounded = await runSession(windowTokens)
  const naive = await runSession(endless)
  const requests = bounded.requests.map(toRequest)
  const budget = toBudget('standard', windowTokens)
  let [prefix, broken, compactions] = [0, 0, 0]
  for (const [i, one] of requests.entries()) {
    const before = requests[i - 1]
    if (!before) continue
    const common = countCommon(before, one)
    prefix += sum(one.sizes.slice(0, common))
    if (before.summary !== one.summary) compactions += 1
    else if (common < before.texts.length - 1) broken += 1
  }
  const tokens = sum(requests.flatMap(({ sizes }) => sizes))
  return {
    requests: requests.length,
    compactions,
    broken,
    prefixShare: round(prefix / tokens),
    tailShare: round(Math.max(...requests.map(({ sizes }) => sizes.at(-1) ?? 0)) / budget),
    vsNaive: round(tokens / sum(naive.requests.flatMap((one) => toRequest(one).sizes))),
    factsKept: bounded.kept,
    factsInPrompt: bounded.inPrompt,
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

type Request = { readonly texts: readonly string[]; readonly sizes: readonly number[]; readonly summary: string }

/** The list of tools stands before all messages; the tail is the last of them. */
function toRequest({ messages, tools }: ModelRequest): Request {
  const texts = [JSON.stringify(tools), ...messages.map((message) => JSON.stringify(message))]
  const [, second] = messages
  return { texts, sizes: texts.map(estimate), summary: second?.role === 'system' ? second.content : '' }
}

function countCommon(before: Request, one: Request): number {
  const differs = one.texts.findIndex((text, i) => text !== before.texts[i])
  return differs < 0 ? one.texts.length : differs
}

async function runSession(windowTokens: number) {
  const { room } = chooseOffer(toolsOf(features), windowTokens, estimate)
  const stage = createStage({ features, historyTokens: toMostHistory(room) }, windowTokens)
  summarize(stage)
  const from = turns - facts.length
  let [kept, inPrompt] = [0, 0]
  for (let turn = 0; turn < turns; turn++) {
    const told = facts[turn]
    const needed = facts[turn - from]
    const before = stage.requests.length
    if (needed) {
      stage.answers({ toolCalls: [call('session_search', { query: needed.query })] }, 'It is as you said.')
      await stage.ask(needed.asked)
    } else {
      stage.answers(
        { toolCalls: [call('read_report', { number: turn })] },
        `Report ${turn} is read; ${prose(turn, 300)}`,
      )
      await stage.ask(`${told?.said ?? ''} What does report ${turn} say about ${prose(turn + 500, 40)}?`.trim())
    }
    // Somebody reads the answer: what is summed up off the way of replies is summed up now.
    await stage.wait(3000)
    if (!needed) continue
    const [asked, answered] = stage.requests.slice(before)
    const knows = (request: ModelRequest | undefined): boolean =>
      JSON.stringify(request?.messages).includes(needed.value)
    inPrompt += Number(knows(asked))
    kept += Number(knows(asked) || knows(answered))
  }
  return { requests: stage.requests, kept, inPrompt }
}

const call = (name: string, input: object) => ({ id: `c-${name}`, name, arguments: JSON.stringify(input) })

const memories: Feature = {
  name: 'memories',
  context: [
    {
      name: 'memories',
      source: 'own',
      maxTokens: 1000,
      withinMs: 1000,
      give: async ({ asked }) => ({
        text: Array.from({ length: 5 }, (_, i) => `- note ${i}: ${prose(asked.length * 5 + i, 180)}`).join('\n'),
        reason: 'five that may fit',
      }),
    },
  ],
  tools: [
    {
      ...look,
      name: 'read_report',
      description: 'Reads a report by its number.',
      parameters: { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] },
      run: async (input) => {
        const number = Number(Object(input).number)
        return { text: prose(number + 1000, 200 + ((number * 613) % (mostResultChars - 200))), source: 'own' }
      },
    },
  ],
}
const features = [...builtIn, memories]

/** Every seventh line or so of what it is given, and nothing worth remembering. */
function summarize(stage: Stage): void {
  const { complete } = stage.deps.model
  const answer = (text: string): ModelResult => ({
    kind: 'reply',
    text,
    toolCalls: [],
    finish: 'stop',
    usage: { promptTokens: 1, completionTokens: 1 },
    model: 'lines',
  })
  Object.assign(stage.deps.model, {
    complete: async (...all: Parameters<typeof complete>) => {
      const [{ messages }] = all
      const [system, material] = messages
      if (system?.content !== words.system.join('\n') || !material) return await complete(...all)
      return answer(material.content.includes('NONE') ? 'NONE' : extract(material))
    },
  })
}

function extract({ content }: PromptMessage): string {
  const lines = content.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('---'))
  const every = Math.round(1 / summaryShare)
  return lines.filter((_, i) => i % every === 0).join('\n')
}
