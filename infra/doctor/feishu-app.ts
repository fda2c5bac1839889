// What Feishu tells of the app itself: its bot, what it may do, and the version of it that is published.
import { z } from 'zod'
import type { AppToken } from '#adapters/feishu/app-token.ts'
import type { CallResult, Failed } from '#adapters/feishu/answers.ts'
import type { Call, RestApi } from '#adapters/feishu/rest-api.ts'
import { isMissingPermission, isUsedUp, toReasonText, toTrouble } from '#adapters/feishu/trouble.ts'

/** How events or callbacks are brought, and which of them. */
export type Subscribed = {
  /** `websocket` or `webhook`, where Feishu says it. */
  readonly mode: string | undefined
  readonly url: string | undefined
  readonly kinds: ReadonlySet<string> | undefined
}

export type PublishedApp =
  | {
      readonly kind: 'seen'
      readonly isPublished: boolean
      /** A newer version waits for an administrator. */
      readonly isWaiting: boolean
      /** Those of the version that is published. */
      readonly events: Subscribed
      readonly callbacks: Subscribed
    }
  /** A permission to look is missing. */
  | { readonly kind: 'hidden' }
  | { readonly kind: 'unseen'; readonly reason: string }

export type FeishuBot =
  /** `status` as Feishu counts: 2 when it is at work. */
  | { readonly kind: 'there'; readonly name: string; readonly status: number }
  | { readonly kind: 'none' }
  | { readonly kind: 'off'; readonly reason: string }

export type FeishuScopes =
  | { readonly kind: 'seen'; readonly granted: ReadonlySet<string> }
  | { readonly kind: 'not-installed' }
  | { readonly kind: 'unseen'; readonly reason: string }

export type FeishuApiFacts =
  | { readonly kind: 'unset' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'used-up'; readonly reason: string }
  | { readonly kind: 'away'; readonly reason: string }
  | {
      readonly kind: 'known'
      readonly bot: FeishuBot
      readonly scopes: FeishuScopes
      readonly app: PublishedApp
    }

const timeoutMs = 4000
const withoutBot = new Set([11_205, 230_006])
const switchedOff = new Set([99_991_662, 99_991_673])
const notInstalled = 212_100

const self = z.object({ bot: z.object({ app_name: z.string().default(''), activate_status: z.number().int() }) })
const scopeList = z.object({ scopes: z.array(z.object({ scope_name: z.string(), grant_status: z.number() })) })
const address = z.string().optional().catch(undefined)
const callbacks = z
  .object({
    callback_type: z.string().optional(),
    request_url: address,
    subscribed_callbacks: z.array(z.string()).nullish(),
  })
  .nullish()
  .catch(undefined)
const application = z.object({
  app: z.object({
    online_version_id: z.string().nullish(),
    unaudit_version_id: z.string().nullish(),
    event: z.object({ subscription_type: z.string().optional(), request_url: address }).nullish().catch(undefined),
    callback_info: callbacks,
    callback: callbacks,
  }),
})
const published = z.object({
  app_version: z.object({ event_infos: z.array(z.object({ event_type: z.string() })).nullish() }),
})

export async function readApp(api: RestApi, token: AppToken): Promise<FeishuApiFacts> {
  const entry = await token.find(AbortSignal.timeout(timeoutMs))
  if (entry.kind === 'refused') return { kind: 'refused', reason: toReasonText(entry) }
  if (entry.kind !== 'ok') return { kind: 'away', reason: toTrouble(entry).text }
  const [me, list, app] = await Promise.all([
    ask(api, { method: 'GET', path: '/bot/v3/info', shape: self, isFlat: true }),
    ask(api, { method: 'GET', path: '/application/v6/scopes', shape: scopeList }),
    readPublished(api),
  ])
  const bot = toBot(me)
  if (bot.kind === 'used-up' || bot.kind === 'away') return bot
  return { kind: 'known', bot, scopes: toScopes(list), app }
}

function toBot(
  me: CallResult<z.infer<typeof self>>,
): FeishuBot | Extract<FeishuApiFacts, { kind: 'used-up' | 'away' }> {
  if (me.kind === 'ok') return { kind: 'there', name: me.value.bot.app_name, status: me.value.bot.activate_status }
  const reason = toReason(me)
  if (me.kind !== 'refused') return { kind: 'away', reason }
  if (withoutBot.has(me.code)) return { kind: 'none' }
  if (switchedOff.has(me.code)) return { kind: 'off', reason }
  return { kind: isUsedUp(me) ? 'used-up' : 'away', reason }
}

function toScopes(list: CallResult<z.infer<typeof scopeList>>): FeishuScopes {
  if (list.kind === 'refused' && list.code === notInstalled) return { kind: 'not-installed' }
  if (list.kind !== 'ok') return { kind: 'unseen', reason: toReason(list) }
  const granted = list.value.scopes.filter(({ grant_status: status }) => status === 1)
  return { kind: 'seen', granted: new Set(granted.map(({ scope_name: name }) => name)) }
}

async function readPublished(api: RestApi): Promise<PublishedApp> {
  const path = `/application/v6/applications/${api.appId}` as const
  const query = { lang: 'en_us' }
  const found = await ask(api, { method: 'GET', path, query, shape: application })
  if (found.kind !== 'ok') return toUnseen(found)
  const {
    online_version_id: online,
    unaudit_version_id: next,
    event,
    callback_info: info,
    callback = info,
  } = found.value.app
  const events: Subscribed = { mode: event?.subscription_type, url: event?.request_url, kinds: undefined }
  const seen = {
    kind: 'seen',
    isWaiting: Boolean(next),
    callbacks: {
      mode: callback?.callback_type,
      url: callback?.request_url,
      kinds: callback ? new Set(callback.subscribed_callbacks ?? []) : undefined,
    },
  } as const
  if (!online) return { ...seen, isPublished: false, events }
  const now = await ask(api, { method: 'GET', path: `${path}/app_versions/${online}`, query, shape: published })
  if (now.kind !== 'ok') return toUnseen(now)
  const { event_infos: infos } = now.value.app_version
  const kinds = infos ? new Set(infos.map(({ event_type: type }) => type)) : undefined
  return { ...seen, isPublished: true, events: { ...events, kinds } }
}

function toUnseen(failed: Failed): PublishedApp {
  if (failed.kind === 'refused' && isMissingPermission(failed)) return { kind: 'hidden' }
  return { kind: 'unseen', reason: toReason(failed) }
}

const toReason = (failed: Failed): string => toTrouble(failed).text

export async function ask<T>(api: RestApi, call: Call<T>): Promise<CallResult<T>> {
  return await api.call(call, { timeoutMs, signal: new AbortController().signal })
}
