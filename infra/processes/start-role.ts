// Starts one role of a process. Each loads only what it runs.
import { BotError } from '#shared/errors.ts'
import { startChannel } from './channel.ts'
import { openPlatform, platforms } from './channels.ts'
import type { ExecutorTuning } from './executor.ts'
import type { OpenFeatures } from './open-features.ts'
import type { Part } from './part.ts'
import { isReaderWorker, type Role } from './roles.ts'
import type { Runtime } from './runtime.ts'

type Given = {
  readonly folder: string
  readonly executor: ExecutorTuning | undefined
  /** Of roles that think. */
  readonly features: OpenFeatures | undefined
}

export async function startRole(
  role: Role,
  runtime: Runtime,
  { folder, executor, features }: Given,
): Promise<readonly Part[]> {
  if (role === 'router') return [(await import('./router.ts')).startRouter(runtime, folder)]
  if (role === 'executor' && features) {
    const { model, all } = features
    if (model.notice) runtime.log.warn(model.notice)
    // What `npm start` says in its own words.
    runtime.log.info((await import('./tool-room.ts')).toRoom(all, model), 'tools in each prompt')
    return [(await import('./executor.ts')).startExecutor(runtime, features, executor)]
  }
  if (isReaderWorker(role) && features)
    return (await import('./reading-role.ts')).startReading(runtime, features.all, role)
  if (role === 'web') {
    const { channel, url, loginUrl, tokenFile } = await (await import('./web.ts')).openWeb(runtime)
    runtime.log.info({ url, tokenFile }, 'the page')
    if (loginUrl !== undefined) process.stdout.write(`${loginUrl}   (logs you in, once, within 10 minutes)\n`)
    return (await startChannel(runtime, channel)).ingress
  }
  const platform = platforms.find(({ name }) => name === role)
  const adapter = platform && (await openPlatform(runtime, platform))
  if (!adapter)
    throw new BotError('config', `The ${role} process needs ${platform?.needs}. Get one from ${platform?.from}.`)
  const { delivery, ingress } = await startChannel(runtime, adapter)
  return [...delivery, ...ingress]
}
