// The app as it calls Feishu: its token and its count of calls, which all processes share, and what is asked with them.
import { createAppAccount } from '#queues/fleet/app-account.ts'
import { createNotes } from '#queues/fleet/notes.ts'
import { createAppToken, type AppSettings } from './app-token.ts'
import { createCallCount } from './call-count.ts'
import { watchCardChanges, type CardChanges } from './card-changes.ts'
import type { FeishuChannelDeps, FeishuChannelSettings } from './channel-settings.ts'
import type { Sending } from './deliver.ts'
import { toRoot } from './domains.ts'
import { toAccountName } from './ids.ts'
import { createLookups, type Lookups } from './lookups.ts'
import { createRestApi } from './rest-api.ts'
import { createStreamCards } from './stream-cards.ts'

export type FeishuApp = {
  readonly connection: AppSettings
  readonly sending: Sending
  readonly changes: CardChanges
  readonly lookups: Lookups
  /** Tells the other processes of the calls that were not told yet. */
  flush(): Promise<void>
}

export function openApp(
  { appId, appSecret, domain, monthlyCalls }: FeishuChannelSettings,
  { call, say, now }: FeishuChannelDeps,
): FeishuApp {
  const account = createAppAccount(call, toAccountName(appId))
  const calls = createCallCount({ account, monthlyCalls, now, say })
  const connection = { appId, appSecret, domain: toRoot(domain) }
  const token = createAppToken(connection, { account, count: calls.note })
  const changes = watchCardChanges(createRestApi(connection, { token, count: calls.note }))
  const { api } = changes
  const notes = createNotes(call, 'feishu')
  const lookups = createLookups({ api, notes, now: () => performance.now(), monthlyCalls, say })
  const sending = { api, cards: createStreamCards(api, now), places: lookups.places }
  return { connection, sending, changes, lookups, flush: async () => await calls.flush() }
}
