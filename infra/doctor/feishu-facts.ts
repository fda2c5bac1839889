// What Feishu and the fleet tell of the app, its bot and its groups. It opens no connection, so that no event goes astray.
import { z } from 'zod'
import { createAppToken } from '#adapters/feishu/app-token.ts'
import { toRoot } from '#adapters/feishu/domains.ts'
import { toAccountName, toConnectedSign } from '#adapters/feishu/ids.ts'
import { createRestApi, type RestApi } from '#adapters/feishu/rest-api.ts'
import { isMissingPermission, toTrouble } from '#adapters/feishu/trouble.ts'
import type { FeishuSettings, Settings } from '#infra/config/settings.ts'
import { createAppAccount, toMonth } from '#queues/fleet/app-account.ts'
import { createUnits } from '#queues/units.ts'
import { parseConversation, type ReplyMode } from '#shared/chat/conversation.ts'
import { ask, readApp, type FeishuApiFacts } from './feishu-app.ts'
import { readFleet, type FleetFacts, type Store } from './fleet-facts.ts'

export type FeishuGroup = {
  /** As the fleet keeps it, `feishu:<chat>`. */
  readonly home: string
  readonly isLetIn: boolean
  readonly mode: ReplyMode
} & (
  | { readonly kind: 'in'; readonly title: string; readonly isMuted: boolean }
  | { readonly kind: 'out' }
  /** A permission to look is missing; the fleet knows nothing against it. */
  | { readonly kind: 'hidden' }
  | { readonly kind: 'unseen'; readonly reason: string }
)

export type FeishuFacts = {
  readonly api: FeishuApiFacts
  readonly fleet: FleetFacts
  readonly groups: readonly FeishuGroup[]
  /** Of this month; `monthly` is 0 without a limit. Undefined while Redis cannot be asked. */
  readonly calls: { readonly made: number; readonly monthly: number } | undefined
  readonly webhook: FeishuSettings['webhook']
  readonly owners: Settings['owners']
  readonly everyone: boolean
}

const patienceMs = 3000
/** So many groups are asked for: each costs a call. */
const mostGroups = 10
/** The bot is not in it, or it is no more. */
const gone = new Set([230_002, 232_006, 232_009, 232_011])

const chat = z.object({
  name: z.string().nullish(),
  chat_status: z.string().optional(),
  bot_manager_id_list: z.array(z.string()).nullish().catch(undefined),
  moderation_permission: z.string().optional(),
})

/** Takes some seconds at most; never throws. */
export async function readFeishu(settings: Settings, store: Store): Promise<FeishuFacts> {
  const { feishu, owners, allowEveryone: everyone } = settings
  const given = { owners, everyone, webhook: feishu?.webhook }
  if (!feishu) {
    const fleet = await readFleet(store, 'feishu')
    return { ...given, api: { kind: 'unset' }, fleet, groups: [], calls: undefined }
  }
  let made = 0
  const count = (): void => {
    made += 1
  }
  const connection = { ...feishu, domain: toRoot(feishu.domain) }
  // Not the fleet's token: with that a wrong secret would go unnoticed.
  const account = { find: async () => undefined, lead: async () => true, put: async () => {} }
  const token = createAppToken(connection, { account, count })
  const api = createRestApi(connection, { token, count })
  const [facts, fleet] = await Promise.all([
    readApp(api, token),
    readFleet(store, 'feishu', { lease: toConnectedSign(feishu.appId) }),
  ])
  const hasBot = facts.kind === 'known' && facts.bot.kind === 'there'
  const groups = hasBot ? await readGroups(api, fleet, everyone) : []
  return { ...given, api: facts, fleet, groups, calls: await readCalls(store, feishu, made) }
}

/** Those that the fleet was told of or that were let in. */
async function readGroups(api: RestApi, fleet: FleetFacts, everyone: boolean): Promise<FeishuGroup[]> {
  if (fleet.kind !== 'known') return []
  const { chats, modes } = fleet.access
  const closed = new Map(fleet.chats.map((one) => [one.home, one.closed]))
  const homes = [...new Set([...chats, ...closed.keys()])].filter((home) => home.startsWith('feishu:oc_'))
  return await Promise.all(
    homes.slice(0, mostGroups).map(async (home): Promise<FeishuGroup> => {
      const found = await readGroup(api, home, closed.get(home))
      return { home, isLetIn: everyone || chats.includes(home), mode: modes.get(home) ?? 'mention', ...found }
    }),
  )
}

type Found<T = FeishuGroup> = T extends FeishuGroup ? Omit<T, 'home' | 'isLetIn' | 'mode'> : never

async function readGroup(api: RestApi, home: string, closed: string | undefined): Promise<Found> {
  const { chat: id } = parseConversation(home)
  const found = await ask(api, { method: 'GET', path: `/im/v1/chats/${id}`, shape: chat })
  if (found.kind === 'refused') {
    if (isMissingPermission(found)) return closed === undefined ? { kind: 'hidden' } : { kind: 'out' }
    if (gone.has(found.code)) return { kind: 'out' }
  }
  if (found.kind !== 'ok') return { kind: 'unseen', reason: toTrouble(found).text }
  const { name, chat_status: status, moderation_permission: speakers, bot_manager_id_list: managers } = found.value
  if (status !== undefined && status !== 'normal') return { kind: 'out' }
  const isMuted = speakers === 'only_owner' && !(managers ?? []).includes(api.appId)
  return { kind: 'in', title: name || id, isMuted: isMuted || closed !== undefined }
}

/** Adds its own, which the tenant pays for too. */
async function readCalls(store: Store, { appId, monthlyCalls }: FeishuSettings, own: number) {
  if (store.kind !== 'open') return undefined
  const account = createAppAccount(createUnits(store.redis, { patienceMs }), toAccountName(appId))
  try {
    return { made: await account.count(toMonth(Date.now()), own), monthly: monthlyCalls }
  } catch {
    return undefined
  }
}
