// What doctor says of the model: it is asked a word. Where the endpoint does not know the model, its list of models tells why.
import type { Settings } from '#infra/config/settings.ts'
import { loadModel } from '#infra/processes/model.ts'
import { findNearest } from '#shared/nearest.ts'
import type { ModelPort, ModelResult } from '#shared/model/model-port.ts'
import type { Finding } from '#infra/checks/finding.ts'
import { findWindow, listModels, type Endpoint } from './model-list.ts'

const modelTimeoutMs = 15_000

export async function checkModel(settings: Settings): Promise<Finding[]> {
  try {
    const { port, notice } = await loadModel(settings)
    const noticed: Finding[] = notice === undefined ? [] : [{ level: 'warning', about: 'model', found: notice }]
    const { name, offline } = port.describe()
    if (offline) {
      const fix = 'Set OPENAI_API_KEY (and OPENAI_BASE_URL, FLOTILLA_MODEL) for a real one.'
      return [...noticed, { level: 'warning', about: 'model', found: demo, fix }]
    }
    const answer = await port.complete(
      {
        role: 'main',
        messages: [{ role: 'user', content: 'ping' }],
        tools: [],
        maxOutputTokens: 16,
        temperature: 0,
        metadata: { depth: 'light', conversation: 'console:doctor' },
      },
      () => {},
      AbortSignal.timeout(modelTimeoutMs),
    )
    const differs = port.dialect?.('main') ?? []
    const told = differs.map((found): Finding => ({ level: 'ok', about: `model ${name}, its endpoint`, found }))
    const [judged, window] = await Promise.all([judge(name, answer, settings.model), judgeWindow(port, settings.model)])
    return [...noticed, judged, ...window, ...told]
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error)
    return [{ level: 'error', about: 'model', found, fix: 'Set the model variables as the message says.' }]
  }
}

const demo = 'the offline demo model'

/** A prompt that is larger than the window is refused, or its beginning is lost without a word. */
export async function judgeWindow(port: ModelPort, endpoint: Endpoint): Promise<Finding[]> {
  const { name } = port.describe()
  const { contextTokens } = port
  const window = await findWindow(name, endpoint)
  if (window === undefined || window >= contextTokens) return []
  const found = `its endpoint names a window of ${window} tokens, and ${contextTokens} are counted on`
  return [{ level: 'warning', about: `model ${name}`, found, fix: `Set FLOTILLA_CONTEXT_TOKENS=${window}.` }]
}

async function judge(name: string, answer: ModelResult, endpoint: Endpoint): Promise<Finding> {
  const about = `model ${name}`
  if (answer.kind === 'reply') return { level: 'ok', about, found: 'answers' }
  if (answer.failure === 'aborted') {
    const fix =
      'A model that is loaded first, or that thinks, takes longer: "npm run -s flotilla -- doctor model" waits for it.'
    return { level: 'warning', about, found: `no answer within ${modelTimeoutMs / 1000} s`, fix }
  }
  const found = `${answer.failure}: ${answer.message}`
  if (answer.failure === 'auth') {
    const fix = 'Check OPENAI_API_KEY, and that it belongs to OPENAI_BASE_URL.'
    return { level: 'error', about, found, fix }
  }
  const fix = (await explain(name, endpoint)) ?? 'Check OPENAI_BASE_URL, FLOTILLA_MODEL and the network.'
  return { level: 'error', about, found, fix }
}

/** What the endpoint's own list of models tells of the mistake; undefined where it tells nothing. */
async function explain(name: string, { baseUrl, apiKey }: Endpoint): Promise<string | undefined> {
  if (baseUrl === undefined) return undefined
  const base = baseUrl.replace(/(?<!\/)\/+$/, '')
  const [listed, below] = await Promise.all([listModels(base, apiKey), listModels(`${base}/v1`, apiKey)])
  const here = listed?.map(({ id }) => id)
  // Some endpoints list their models at both addresses and answer at one.
  if (below && (!here || !base.endsWith('/v1'))) {
    return 'There is a list of models below /v1: did you forget /v1 at the end of OPENAI_BASE_URL?'
  }
  if (!here || here.includes(name)) return undefined
  if (here.length === 0) return 'The endpoint has no model: load one there.'
  const { name: nearest, slips } = findNearest(name, here)
  const hint =
    slips <= Math.max(2, name.length / 3) ? `Did you mean FLOTILLA_MODEL=${nearest}?` : 'Correct FLOTILLA_MODEL.'
  return `The endpoint does not list that model. ${hint} It has ${here.slice(0, 5).join(', ')}${here.length > 5 ? ` and ${here.length - 5} more` : ''}.`
}
