// What Telegram and the fleet tell of the bot and its groups, asked without disturbing a running poller: never by getUpdates.
import type { z } from 'zod'
import { chatInfo, chatMember, hook as hookShape, self } from '#adapters/telegram/responses.ts'
import { createBotApi, type CallResult, type BotApi, type Request } from '#adapters/telegram/bot-api.ts'
import { toConflictSign, toPollLease } from '#adapters/telegram/poll.ts'
import { toTrouble } from '#adapters/telegram/trouble.ts'
import type { Settings, TelegramSettings } from '#infra/config/settings.ts'
import { parseConversation, type ReplyMode } from '#shared/chat/conversation.ts'
import { readFleet, type FleetFacts, type Store } from './fleet-facts.ts'

export type TelegramGroup = {
  /** As the fleet keeps it, `telegram:<chat>`. */
  readonly home: string
  readonly isLetIn: boolean
  readonly mode: ReplyMode
} & (
  | { readonly kind: 'in'; readonly title: string; readonly isAdmin: boolean; readonly canWrite: boolean }
  | { readonly kind: 'out' }
  | { readonly kind: 'unseen'; readonly reason: string }
)

export type TelegramApiFacts =
  | { readonly kind: 'unset' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'away'; readonly reason: string }
  | { readonly kind: 'known'; readonly me: TelegramSelf; readonly hook: TelegramHook }

type TelegramSelf = z.infer<typeof self>
type TelegramHook = z.infer<typeof hookShape>

export type TelegramFacts = {
  readonly api: TelegramApiFacts
  readonly fleet: FleetFacts
  readonly groups: readonly TelegramGroup[]
  readonly webhook: TelegramSettings['webhook']
  readonly owners: Settings['owners']
  readonly everyone: boolean
}

const timeoutMs = 4000
/** So many groups are asked for. */
const mostGroups = 30

/** Takes some seconds at most; never throws. */
export async function readTelegram(settings: Settings, store: Store): Promise<TelegramFacts> {
  const { telegram, owners, allowEveryone: everyone } = settings
  const given = { owners, everyone, webhook: telegram?.webhook }
  if (!telegram) return { ...given, api: { kind: 'unset' }, fleet: await readFleet(store, 'telegram'), groups: [] }
  const bot = createBotApi({ ...telegram, connectTimeoutMs: timeoutMs })
  const [api, fleet] = await Promise.all([
    readApi(bot),
    readFleet(store, 'telegram', { lease: toPollLease(bot.botId), conflict: toConflictSign(bot.botId) }),
  ])
  const groups = api.kind === 'known' ? await readGroups(bot, fleet, everyone) : []
  return { ...given, api, fleet, groups }
}

async function readApi(bot: BotApi): Promise<TelegramApiFacts> {
  const [me, hook] = await Promise.all([
    call(bot, self, (api, signal) => api.getMe(signal)),
    call(bot, hookShape, (api, signal) => api.getWebhookInfo(signal)),
  ])
  for (const answer of [me, hook]) {
    if (answer.kind === 'ok') continue
    const isRefused = answer.kind === 'refused' && (answer.code === 401 || answer.code === 404)
    return { kind: isRefused ? 'refused' : 'away', reason: toTrouble(answer).text }
  }
  if (me.kind !== 'ok' || hook.kind !== 'ok') return { kind: 'away', reason: 'Telegram gave no answer.' }
  return { kind: 'known', me: me.value, hook: hook.value }
}

/** Telegram lists no groups: these are the ones that the fleet was told of or that were let in. */
async function readGroups(bot: BotApi, fleet: FleetFacts, everyone: boolean): Promise<TelegramGroup[]> {
  if (fleet.kind !== 'known') return []
  const { chats, modes } = fleet.access
  const currentOf = new Map(fleet.chats.map(({ home, current }) => [home, current]))
  const homes = [...new Set([...chats, ...currentOf.keys()])].filter((home) =>
    parseConversation(home).chat.startsWith('-'),
  )
  return await Promise.all(
    homes.slice(0, mostGroups).map(async (home): Promise<TelegramGroup> => {
      const found = await readGroup(bot, Number(parseConversation(currentOf.get(home) ?? home).chat))
      return { home, isLetIn: everyone || chats.includes(home), mode: modes.get(home) ?? 'mention', ...found }
    }),
  )
}

type Found<T = TelegramGroup> = T extends TelegramGroup ? Omit<T, 'home' | 'isLetIn' | 'mode'> : never

async function readGroup(bot: BotApi, chat: number): Promise<Found> {
  const [about, is] = await Promise.all([
    call(bot, chatInfo, (api, signal) => api.getChat(chat, signal)),
    call(bot, chatMember, (api, signal) => api.getChatMember(chat, Number(bot.botId), signal)),
  ])
  for (const answer of [about, is]) {
    if (answer.kind === 'ok') continue
    const isGone = answer.kind === 'refused' && (answer.code === 400 || answer.code === 403)
    return isGone ? { kind: 'out' } : { kind: 'unseen', reason: toTrouble(answer).text }
  }
  if (about.kind !== 'ok' || is.kind !== 'ok') return { kind: 'out' }
  const { title = String(chat), permissions } = about.value
  const member = is.value
  const isAdmin = member.status === 'administrator' || member.status === 'creator'
  if (member.status === 'left' || member.status === 'kicked') return { kind: 'out' }
  if (member.status === 'restricted' && !member.is_member) return { kind: 'out' }
  const isAllowed =
    member.status === 'restricted' ? member.can_send_messages === true : permissions?.can_send_messages !== false
  return { kind: 'in', title, isAdmin, canWrite: isAdmin || isAllowed }
}

function call<T>(bot: BotApi, shape: z.ZodType<T>, request: Request): Promise<CallResult<T>> {
  return bot.call(shape, request, { timeoutMs, signal: new AbortController().signal })
}
