// What takes the events of one bot, once it is known who the bot is.
import type { Ingest } from '#queues/workers/ingest.ts'
import type { FeishuApp } from './app.ts'
import type { FeishuChannelDeps, FeishuChannelSettings } from './channel-settings.ts'
import type { Intake } from './intake.ts'
import { createDropButtons } from './press.ts'
import { receive } from './receive.ts'

export type Receiving = {
  readonly settings: Pick<FeishuChannelSettings, 'appId' | 'domain'>
  readonly deps: FeishuChannelDeps
  readonly app: FeishuApp
  readonly ingest: Ingest
  readonly intake: Intake
  readonly botId: string
}

/** Gives the body of a good answer to an event; throws when the event must come again. */
export function createReceiver({ settings, deps, app, ingest, intake, botId }: Receiving) {
  const { appId, domain } = settings
  const { sending, changes, lookups } = app
  const language = domain === 'feishu' ? 'zh' : 'en'
  const receiving = {
    ...deps,
    commands: deps.commands ?? [],
    api: sending.api,
    changes,
    ingest,
    intake,
    lookups,
    dropButtons: createDropButtons(sending, () => performance.now()),
    bot: { id: botId, appId },
    appId,
    language,
  } as const
  return async (data: unknown): Promise<object> => await receive(receiving, data)
}
