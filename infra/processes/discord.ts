// The Discord channel's process: events in, replies out. Each shard is held under a lease, so that several may run.
import { createDiscordChannel } from '#adapters/discord/discord-channel.ts'
import type { CommandInfo } from '#adapters/discord/slash-commands.ts'
import type { DiscordSettings } from '#infra/config/settings.ts'
import { createHintWorker } from '#queues/workers/hint-worker.ts'
import { deliverRows } from '#queues/workers/deliver-rows.ts'
import { onceAMinute, type Part } from './part.ts'
import type { Runtime } from './runtime.ts'

/** A handler stays busy as long as its conversation shows a draft. */
const concurrency = 1000
const draftPollMs = 500

export type DiscordParts = { readonly delivery: Part; readonly ingress: readonly Part[] }

export function startDiscord(
  runtime: Runtime,
  settings: DiscordSettings,
  deps: { readonly commands: readonly CommandInfo[] },
): DiscordParts {
  const { log } = runtime
  const trouble = onceAMinute((what, error) => log.warn({ err: error }, what))
  const { adapter, run } = createDiscordChannel(
    { ...settings, leaseMs: runtime.settings.leaseMs },
    {
      kernel: runtime.ingestKernel,
      hints: runtime.hints,
      call: runtime.call,
      commands: deps.commands,
      say: (text) => trouble(text),
      count: (reason) => log.debug({ reason }, 'event ignored'),
      now: Date.now,
    },
  )
  const stopping = new AbortController()
  const receiving = run(stopping.signal)
  const worker = createHintWorker({
    queue: 'outbound-discord',
    connection: runtime.workerConnection(),
    concurrency,
    onTrouble: trouble,
    handler: (conversation, shutdown) =>
      deliverRows(
        { kernel: runtime.kernel, adapter, hints: runtime.hints, leaseMs: runtime.settings.leaseMs, draftPollMs },
        conversation,
        shutdown,
      ),
  })
  const ingress: Part = {
    name: 'discord events',
    async stop() {
      stopping.abort()
      await receiving
    },
  }
  return { delivery: { name: 'discord delivery', stop: (graceMs) => worker.stop(graceMs) }, ingress: [ingress] }
}
