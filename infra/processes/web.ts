// The web channel of a process: chat page, HTTP interface, live streams and health. Several may run behind a balancer.
import { isIP } from 'node:net'
import path from 'node:path'
import { describeExposure } from '#infra/config/exposure.ts'
import { createWebChannel, type WebChannel } from '#adapters/web/web-channel.ts'
import type { WebDeps } from '#adapters/web/web-app.ts'
import { findMissingRoles } from '#queues/fleet/missing-roles.ts'
import { readProcesses } from '#queues/fleet/process-key.ts'
import { listConnected } from './channels.ts'
import { openDeskCount } from './open-desk.ts'
import { listPages } from './list-pages.ts'
import { onceAMinute } from './part.ts'
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
  const { settings, ingestKernel, live, redis, clock, log } = runtime
  const tokenFile = path.join(settings.dataFolder, 'web-token')
  const channels = listConnected(settings)
  const findMissing: WebDeps['findMissing'] = async (due) => {
    const { living } = await readProcesses(redis)
    return findMissingRoles({ living, channels, due })
  }
  const channel = await createWebChannel(
    { tokenFile, publicUrl: settings.publicUrl },
    {
      kernel: ingestKernel,
      live,
      redis,
      now: clock.now,
      findMissing,
      pages: listPages(runtime),
      countDesk: openDeskCount(runtime),
      during: runtime.underway.during,
      say: onceAMinute((text, error) => log.warn(error === undefined ? {} : { err: error }, text)),
    },
  )
  const exposed = describeExposure(settings)
  if (exposed) runtime.log.warn(exposed)
  const port = await channel.listen(settings.port, settings.listen)
  const url = settings.publicUrl ?? toOwnUrl(settings.listen, port)
  // What is written into a file or a journal is read by others, and later.
  const loginUrl = process.stdout.isTTY ? url + channel.loginPath() : undefined
  return { channel, url, loginUrl, tokenFile }
}

const toOwnUrl = (listen: string, port: number): string => {
  if (isIP(listen) === 0 || ['0.0.0.0', '::'].includes(listen)) return `http://127.0.0.1:${port}`
  return `http://${isIP(listen) === 6 ? `[${listen}]` : listen}:${port}`
}
