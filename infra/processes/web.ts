// The web channel's process: chat page, HTTP interface, live streams and health. Several may run behind a balancer.
import path from 'node:path'
import { createWebChannel, type WebChannel } from '#adapters/web/web-channel.ts'
import type { Part } from './part.ts'
import type { Runtime } from './runtime.ts'

/** Serves from the start; further paths may be mounted on the channel. */
export async function startWeb(
  runtime: Runtime,
): Promise<{ part: Part; channel: WebChannel; url: string; tokenFile: string }> {
  const { settings, ingestKernel, hints, live, redis } = runtime
  const tokenFile = path.join(settings.dataFolder, 'web-token')
  const channel = await createWebChannel({ tokenFile }, { kernel: ingestKernel, hints, live, redis })
  const port = await channel.listen(settings.port)
  const part: Part = { name: 'web', stop: () => channel.close() }
  return { part, channel, url: `http://127.0.0.1:${port}`, tokenFile }
}
