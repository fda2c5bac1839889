// The model simulator as a process, steered and read over its control endpoint.
import { z } from 'zod'
import type { ModelRule } from '#test/simulators/model/script.ts'
import { startChild, type Child } from './child.ts'

const ledger = z.object({
  counters: z.object({
    requests: z.number(),
    open: z.number(),
    maxOpen: z.number(),
    finished: z.number(),
    refused: z.number(),
    cut: z.number(),
    aborted: z.number(),
  }),
  byModel: z.record(z.string(), z.number()),
  entries: z.array(
    z.object({
      n: z.number(),
      at: z.number(),
      outcome: z.string(),
      messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
    }),
  ),
})
export type ModelRequests = z.infer<typeof ledger>

/** What replies are asked of; what is read in the background is asked of the fast one. */
const [mainModel, fastModel] = ['simulated', 'simulated-fast']
export const modelNames = { FLOTILLA_MODEL: mainModel, FLOTILLA_FAST_MODEL: fastModel }

/** Its ledger is read on this machine, and waits for requests for 10 s at most; what takes longer than that is stuck. */
const readMs = 30_000

export type ModelProcess = {
  readonly child: Child
  /** What OPENAI_BASE_URL takes. */
  readonly url: string
  script(...rules: readonly ModelRule[]): Promise<void>
  clearScript(): Promise<void>
  latency(latencyMs: number): Promise<void>
  open(...gates: readonly string[]): Promise<void>
  /** What it was asked so far; with `requests`, answers once so many came, at the latest after 10 s. */
  asked(requests?: number): Promise<ModelRequests>
  /** Of every request the texts of its turn (what people said since the last answer), by the last of them. */
  prompts(): Promise<ReadonlyMap<string, readonly string[]>>
  counters(): Promise<ModelRequests['counters']>
  /** How many replies it was asked for. */
  repliesAsked(): Promise<number>
  /** How often the fast one was asked, which reads in the background. */
  readingsAsked(): Promise<number>
}

export async function startModel(
  repository: string,
  mode: 'full' | 'counters',
  time: Readonly<Record<string, string>>,
): Promise<ModelProcess> {
  const args = [`${repository}/test/simulators/model/main.ts`, '--port', '0', '--ledger', mode]
  const child = startChild({ name: 'model', args, cwd: repository, env: time })
  const { url } = z.object({ url: z.string() }).parse(JSON.parse(await child.line('"url"')))
  const origin = new URL(url).origin
  const control = async (command: object): Promise<void> => {
    const reply = await fetch(`${origin}/__control`, { method: 'POST', body: JSON.stringify(command) })
    if (!reply.ok) throw new Error(`The model simulator refused ${JSON.stringify(command)}: ${await reply.text()}`)
  }
  const read = async (query: string): Promise<ModelRequests> =>
    ledger.parse(await (await fetch(`${origin}/__ledger${query}`, { signal: AbortSignal.timeout(readMs) })).json())
  const summary = (): Promise<ModelRequests> => read('?after=1000000000')
  const prompts = new Map<string, readonly string[]>()
  let readTo = 0
  return {
    child,
    url,
    async prompts() {
      const { entries } = await read(`?after=${readTo}`)
      for (const { n, messages } of entries) {
        readTo = Math.max(readTo, n)
        const spoken = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1)
        const texts = spoken.flatMap(({ role, content }) => (role === 'user' ? [toText(content)] : []))
        const last = texts.at(-1)
        if (last !== undefined) prompts.set(last, texts)
      }
      return prompts
    },
    script: (...rules) => control({ script: rules }),
    clearScript: () => control({ clearScript: true }),
    latency: (latencyMs) => control({ latencyMs }),
    open: (...gates) => control({ open: gates }),
    asked: (requests) => read(requests === undefined ? '' : `?requests=${requests}&waitMs=10000`),
    counters: async () => (await summary()).counters,
    repliesAsked: async () => (await summary()).byModel[mainModel] ?? 0,
    readingsAsked: async () => (await summary()).byModel[fastModel] ?? 0,
  }
}

function toText(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content)
}
