// A simulated platform as a process of its own in a fault test: its control endpoint, its ledger, and what people see. What people do is
// a command each; the drivers of `test/rig/chats` look at a simulator in their own process, which here may be frozen.
import { z } from 'zod'
import type { Platform } from '#infra/processes/channels.ts'
import type { PrivateRedis } from '#test/rig/redis.ts'
import { startChild, type Child } from './child.ts'
import type { ModelProcess } from './model.ts'
import { readRows, type OutboxRow } from './outbox-rows.ts'
import { watchMessages, type LedgerCall, type ShownMessage } from './seen-messages.ts'
import type { Transcripts } from './transcripts.ts'

export type SimulatorDeps = {
  readonly redis: PrivateRedis
  readonly talk: Transcripts
  readonly model: ModelProcess
  /** Variables by which it shares the clock of its fleet. */
  readonly time: Readonly<Record<string, string>>
}

/** Of a platform that knows a bot by its token. */
export const withToken = z.object({ apiRoot: z.string(), token: z.string() })

/** A ledger is read on this machine; what takes longer than that is stuck. */
const readMs = 20_000

export type SimulatorProcess<Call> = {
  readonly child: Child
  readonly apiRoot: string
  /** One command of the simulator's control endpoint. */
  control(command: { readonly do: string } & Record<string, unknown>): Promise<unknown>
  calls(): Promise<readonly Call[]>
  /** Every outbox row of the platform's conversations. */
  rows(): Promise<readonly OutboxRow[]>
  close(): void
}

type Simulated<Ready, Ledger extends { readonly entries: readonly LedgerCall[] }> = {
  /** As its folder and its conversations. */
  readonly name: Platform['name']
  /** Where it is another folder. */
  readonly folder?: string
  /** What it says when it is ready. */
  readonly ready: z.ZodType<Ready>
  readonly ledger: z.ZodType<Ledger>
  /** Of its process. */
  readonly args?: readonly string[]
  /** The message that a call put into a chat. */
  toShown(call: Ledger['entries'][number]): ShownMessage | undefined
}

export async function startSimulator<
  Ready extends { readonly apiRoot: string },
  Ledger extends { readonly entries: readonly LedgerCall[] },
>(
  repository: string,
  deps: SimulatorDeps,
  { name, folder = name, ready: readiness, ledger, args: more = [], toShown }: Simulated<Ready, Ledger>,
): Promise<
  SimulatorProcess<Ledger['entries'][number]> &
    Ready & {
      /** What the ledger says beyond the calls. */ summary(): Promise<Ledger>
    }
> {
  const args = [`${repository}/test/simulators/${folder}/main.ts`, '--port', '0', ...more]
  const child = startChild({ name: `${name} simulator`, args, cwd: repository, env: deps.time })
  const ready = readiness.parse(JSON.parse(await child.line('"apiRoot"')))
  const { origin } = new URL(ready.apiRoot)
  const read = async (after: number): Promise<Ledger> =>
    ledger.parse(
      await (await fetch(`${origin}/__ledger?after=${after}`, { signal: AbortSignal.timeout(readMs) })).json(),
    )
  const close = watchMessages({
    ...deps,
    name,
    read: async (after) => (await read(after)).entries.map((call) => ({ ...call, shown: toShown(call) })),
  })
  return {
    child,
    ...ready,
    async control(command) {
      const reply = await fetch(`${origin}/__control`, { method: 'POST', body: JSON.stringify(command) })
      const answer = z.object({ ok: z.boolean(), result: z.unknown().optional() }).parse(await reply.json())
      if (!answer.ok) throw new Error(`The ${name} simulator refused ${JSON.stringify(command)}`)
      return answer.result
    },
    calls: async () => (await read(0)).entries,
    summary: () => read(1e12),
    rows: () => readRows(deps.redis, name),
    close,
  }
}
