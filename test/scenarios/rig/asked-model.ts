// The scripted model of all runs: finds by the run's name in a prompt which scenario is played, and counts what it is asked.
import { startModelSimulator, type ModelSimulator } from '#test/simulators/model/simulator.ts'
import { textOf, type CompletionRequest } from '#test/simulators/model/request.ts'
import { createBell } from '#test/simulators/signals.ts'
import type { Asking, Scenario } from './scenario.ts'
import { runNamed, toScenarioName } from './steps.ts'

export type AskedModel = {
  readonly url: string
  /** How often each thing was asked in a run. */
  askedIn(run: string): ReadonlyMap<string, number>
  /** When what was asked last came, by what it is. */
  held(run: string): Promise<void>
  letGo(run: string): void
  close(): Promise<void>
}

export async function startAskedModel(scenarios: readonly Scenario[], origin: string): Promise<AskedModel> {
  const simulator: ModelSimulator = await startModelSimulator({ ledger: 'counters' })
  const asked = new Map<string, Map<string, number>>()
  const waiting = new Set<string>()
  const bell = createBell()
  simulator.decideBy((request) => {
    const asking = toAsking(request)
    if (!asking) return undefined
    const own = asked.get(asking.run) ?? new Map<string, number>()
    asked.set(asking.run, own)
    const what = toWhat(request, asking)
    const before = own.get(what) ?? 0
    own.set(what, before + 1)
    const scenario = scenarios.find(({ name }) => name === toScenarioName(asking.run))
    if (!scenario) return undefined
    const { held, ...told } = scenario.model({ ...asking, origin, before })
    if (held) waiting.add(asking.run)
    bell.ring()
    return { ...told, ...(held ? { gate: { name: asking.run } } : {}) }
  })
  return {
    url: simulator.url,
    askedIn: (run) => asked.get(run) ?? new Map(),
    held: async (run) => void (await bell.until(() => waiting.has(run) || undefined, `the model in ${run}`, 60_000)),
    letGo: (run) => simulator.open(run),
    close: () => simulator.close(),
  }
}

function toAsking({ messages, tools = [] }: CompletionRequest): Omit<Asking, 'before' | 'origin'> | undefined {
  const whole = messages.map((one) => textOf(one)).join('\n')
  const [run] = runNamed.exec(whole) ?? []
  if (run === undefined) return undefined
  const ended = messages.findLastIndex((one) => one.role === 'assistant' && !one.tool_calls?.length)
  const turn = messages.slice(ended + 1)
  const lastCall = messages.findLastIndex((one) => one.role === 'assistant')
  return {
    run,
    whole,
    text: textOf(messages.findLast((one) => one.role === 'user') ?? { role: 'user', content: '' }),
    step: turn.filter((one) => one.role === 'assistant').length,
    results: messages.slice(lastCall + 1).flatMap((one) => (one.role === 'tool' ? [textOf(one)] : [])),
    tools: tools.map((one) => one.function.name),
  }
}

/** Names what is asked the same way in each run: how far the conversation is, and how the last text begins. */
function toWhat({ messages }: CompletionRequest, { text, run }: Pick<Asking, 'text' | 'run'>): string {
  const count = (role: string): number => messages.filter((one) => one.role === role).length
  const said = text.replaceAll(run, '').slice(-40)
  return `${count('user')}/${count('assistant')}/${count('tool')} ${said}`
}
