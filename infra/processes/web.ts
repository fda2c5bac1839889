// The web channel of a process: chat page, HTTP interface, live streams and health. Several may run behind a balancer.
import path from 'node:path'
import { createWebChannel, type WebChannel } from '#adapters/web/web-channel.ts'
import { onceAMinute } from './part.ts'
import type { Runtime } from './runtime.ts'

/** Answers from now on; it takes messages when it is started. Further paths may be mounted. */
export async function openWeb(runtime: Runtime): Promise<{ channel: WebChannel; url: string; tokenFile: string }> {
  const { settings, ingestKernel, live, redis, clock, log } = runtime
  const tokenFile = path.join(settings.dataFolder, 'web-token')
  const channel = await createWebChannel(
    { tokenFile, publicUrl: settings.publicUrl },
    {
      kernel: ingestKernel,
      live,
      redis,
      now: clock.now,
      say: onceAMinute((text, error) => log.warn(error === undefined ? {} : { err: error }, text)),
    },
  )
  const port = await channel.listen(settings.port)
  return { channel, url: settings.publicUrl ?? `http://127.0.0.1:${port}`, tokenFile }
}
