// The web channel of a process: chat page, HTTP interface, live streams and health. Several may run behind a balancer.
import path from 'node:path'
import { createWebChannel, type WebChannel } from '#adapters/web/web-channel.ts'
import type { Runtime } from './runtime.ts'

export type OpenWeb = {
  readonly channel: WebChannel
  readonly url: string
  /** Logs one browser in, once; only where a person sees the terminal. */
  readonly loginUrl: string | undefined
  readonly tokenFile: string
}

/** Answers from now on; it takes messages when it is started. Further paths may be mounted. */
export async function openWeb(runtime: Runtime): Promise<OpenWeb> {
  const { settings, ingestKernel, live, redis, clock } = runtime
  const tokenFile = path.join(settings.dataFolder, 'web-token')
  const channel = await createWebChannel(
    { tokenFile, publicUrl: settings.publicUrl },
    { kernel: ingestKernel, live, redis, now: clock.now },
  )
  const port = await channel.listen(settings.port)
  const url = settings.publicUrl ?? `http://127.0.0.1:${port}`
  // What is written into a file or a journal is read by others, and later.
  const loginUrl = process.stdout.isTTY ? url + channel.loginPath() : undefined
  return { channel, url, loginUrl, tokenFile }
}
