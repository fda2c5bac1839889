// The Discord channel's process: events in, replies out. Each shard is held under a lease, so that several may run.
import { createDiscordChannel } from '#adapters/discord/discord-channel.ts'
import type { CommandInfo } from '#adapters/discord/slash-commands.ts'
import type { DiscordSettings } from '#infra/config/settings.ts'
import { startDelivery } from './delivery.ts'
import { onceAMinute, type Part } from './part.ts'
import type { Runtime } from './runtime.ts'

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
      chats: runtime.chats,
      call: runtime.call,
      commands: deps.commands,
      say: (text) => trouble(text),
      count: (reason) => log.debug({ reason }, 'event ignored'),
      now: Date.now,
    },
  )
  const stopping = new AbortController()
  const receiving = run(stopping.signal)
  const ingress: Part = {
    name: 'discord events',
    async stop() {
      stopping.abort()
      await receiving
    },
  }
  return { delivery: startDelivery(runtime, adapter), ingress: [ingress] }
}
