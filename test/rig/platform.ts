// A platform's channel in this process, as `flotilla telegram` or `flotilla discord` runs it: the wiring of the real processes.
import { startChannel } from '#infra/processes/channel.ts'
import { openPlatform, platforms } from '#infra/processes/channels.ts'
import type { Runtime } from '#infra/processes/runtime.ts'
import type { Channel } from '#shared/chat/conversation.ts'

/** The settings of the runtime say how it is reached. Returns what stops it. */
export async function startPlatform(runtime: Runtime, name: Channel): Promise<() => Promise<void>> {
  const platform = platforms.find((one) => one.name === name)
  const adapter = platform && (await openPlatform(runtime, platform))
  if (!adapter) throw new Error(`There are no settings for ${name}.`)
  const { ingress, delivery } = await startChannel(runtime, adapter)
  return async () => {
    for (const part of [...ingress, ...delivery]) await part.stop(500)
  }
}
