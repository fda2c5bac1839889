// All channels of a process that is the whole fleet: the page first, since it serves what platforms push.
import type { WebChannel } from '#adapters/web/web-channel.ts'
import { startChannel, type ChannelParts } from './channel.ts'
import { openPlatform, platforms } from './channels.ts'
import type { Start } from './lifecycle.ts'
import type { Runtime } from './runtime.ts'

export async function startChannels(
  runtime: Runtime,
  web: WebChannel,
  addAll: Start['addAll'],
): Promise<readonly ChannelParts[]> {
  const page = await startChannel(runtime, web)
  addAll([...page.ingress, ...page.delivery])
  const started = [page]
  const adapters = await Promise.all(platforms.map((platform) => openPlatform(runtime, platform)))
  for (const adapter of adapters) {
    if (!adapter) continue
    const parts = await startChannel(runtime, adapter, web)
    addAll([...parts.ingress, ...parts.delivery])
    started.push(parts)
  }
  return started
}
