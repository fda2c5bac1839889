// `doctor model`: asks the main model what a fleet asks of one, each thing once, and says how its endpoint differs.
import type { Settings } from '#infra/config/settings.ts'
import { loadModel } from '#infra/processes/model.ts'
import { readArguments } from '#shared/model/call-arguments.ts'
import type { ModelPort, ModelRequest, ModelResult, PromptMessage, ToolSchema } from '#shared/model/model-port.ts'
import type { Finding } from '#infra/checks/finding.ts'
import { judgeWindow } from './model-checks.ts'

type Reply = Extract<ModelResult, { kind: 'reply' }>
type Asked = Pick<ModelRequest, 'messages' | 'tools' | 'maxOutputTokens'>
type Judged = Pick<Finding, 'level' | 'found'> & { readonly fix?: string }
export type Trial = {
  readonly name: string
  /** `pieces`: in how many the text came. */
  run(
    ask: (asked: Partial<Asked>) => Promise<{ readonly result: ModelResult; readonly pieces: number }>,
  ): Promise<Judged>
}

/** A model that is loaded first takes minutes. */
const trialTimeoutMs = 600_000
const user = (content: string): PromptMessage => ({ role: 'user', content })
const add: ToolSchema = {
  name: 'add',
  description: 'Adds two numbers.',
  parameters: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      a: { type: 'number', minimum: -1e9 },
      b: { anyOf: [{ type: 'number' }, { type: 'null' }] },
    },
    required: ['a', 'b'],
    additionalProperties: false,
  },
}
const rules: PromptMessage = { role: 'system', content: 'You answer in one short sentence.' }
const addBoth = 'Use the tool add for 2 and 3, and for 40 and 50, both at once.'

export const trials: readonly Trial[] = [
  {
    name: 'plain',
    run: async (ask) => judgeText(await ask({ messages: [user('Write the word "fine", and nothing else.')] })),
  },
  {
    name: 'stream',
    async run(ask) {
      const asked = await ask({ messages: [rules, user('Count from 1 to 20, with commas between.')] })
      const judged = judgeText(asked)
      if (judged.level !== 'ok' || asked.pieces > 1) return judged
      return {
        level: 'warning',
        found: 'the answer comes all at once, so that people see nothing of it before its end',
      }
    },
  },
  {
    name: 'system twice',
    run: async (ask) =>
      judgeText(
        await ask({
          messages: [
            rules,
            { role: 'system', content: 'The person is called Ann.' },
            user('Say hello to me.'),
            { role: 'system', content: 'It is morning.' },
          ],
        }),
      ),
  },
  {
    name: 'tools',
    async run(ask) {
      const question = user('Use the tool add for 2 and 3.')
      const { result } = await ask({ messages: [rules, question], tools: [add] })
      if (result.kind === 'failure') return toFailed(result)
      const [call] = result.toolCalls
      if (!call) return { level: 'warning', found: 'the model calls no tool', fix: 'Choose a model that can.' }
      const read = readArguments(call.arguments)
      if (call.name !== 'add' || read.kind !== 'read')
        return {
          level: 'warning',
          found: 'the model calls the tool in a form that cannot be read',
          fix: 'Choose another model.',
        }
      const found: PromptMessage[] = [
        { role: 'assistant', content: result.text, toolCalls: [call] },
        { role: 'tool', callId: call.id, content: '5' },
      ]
      return judgeText(await ask({ messages: [rules, question, ...found], tools: [add] }))
    },
  },
  {
    name: 'parallel tools',
    async run(ask) {
      const { result } = await ask({ messages: [rules, user(addBoth)], tools: [add] })
      if (result.kind === 'failure') return toFailed(result)
      const { length } = result.toolCalls
      return { level: 'ok', found: length > 1 ? `${length} calls at once` : 'one call after the other' }
    },
  },
  {
    name: 'long',
    run: async (ask) =>
      judgeText(await ask({ messages: [rules, user('Write the word "fine".')], maxOutputTokens: 6000 })),
  },
]

/** What a model thinks, and its own marks, are never an answer. */
const marks = /<\/?(?:think|thinking|thought|tool_call|function)\b|<[|｜]|\[\/?(?:THINK|TOOL_CALLS)\]/i

function judgeText({ result }: { readonly result: ModelResult }): Judged {
  if (result.kind === 'failure') return toFailed(result)
  const { text, finish } = result
  if (marks.test(text)) return { level: 'error', found: 'the answer holds marks of the model’s template' }
  if (text.trim() === '' && finish === 'length')
    return {
      level: 'warning',
      found: 'the model spends all its tokens on thoughts',
      fix: 'Choose one that thinks less, or not at all.',
    }
  if (text.trim() === '') return { level: 'error', found: 'the answer is empty' }
  return { level: 'ok', found: 'answers' }
}

const toFailed = ({ failure, message }: Extract<ModelResult, { kind: 'failure' }>): Judged => ({
  level: 'error',
  found: `${failure}: ${message}`,
  fix: 'Run "npm run flotilla -- doctor" for the address, the key and the name of the model.',
})

/** One after the other, since what one finds out the next one knows. */
export async function tryModel(port: ModelPort, chosen: readonly Trial[] = trials): Promise<Finding[]> {
  const { name } = port.describe()
  const findings: Finding[] = []
  for (const trial of chosen) {
    const startedMs = performance.now()
    const judged = await trial.run(async (asked) => {
      let pieces = 0
      const request = { role: 'main', tools: [], maxOutputTokens: 800, temperature: 0, messages: [], ...asked } as const
      const metadata = { depth: 'light', conversation: 'console:doctor' } as const
      const signal = AbortSignal.timeout(trialTimeoutMs)
      const result: ModelResult | Reply = await port.complete(
        { ...request, metadata },
        () => {
          pieces += 1
        },
        signal,
      )
      return { result, pieces }
    })
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
    findings.push({ ...judged, about: `model ${name}, ${trial.name}`, found: `${judged.found} (${seconds} s)` })
  }
  const differs = port.dialect?.('main') ?? []
  const about = `model ${name}, its endpoint`
  if (differs.length === 0) return [...findings, { level: 'ok', about, found: 'takes all that is usual' }]
  return [...findings, ...differs.map((found): Finding => ({ level: 'ok', about, found }))]
}

export async function examineModel(settings: Settings): Promise<Finding[]> {
  const { port, notice } = await loadModel(settings)
  const noticed: Finding[] = notice === undefined ? [] : [{ level: 'warning', about: 'model', found: notice }]
  if (!port.describe().offline) {
    return [...noticed, ...(await judgeWindow(port, settings.model)), ...(await tryModel(port))]
  }
  const fix = 'Set OPENAI_API_KEY (and OPENAI_BASE_URL, FLOTILLA_MODEL) for a real one.'
  return [...noticed, { level: 'warning', about: 'model', found: 'the offline demo model', fix }]
}
