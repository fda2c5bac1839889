// The settings that all processes of a fleet must have alike, in the form in which they are compared and shown: by their variable, a secret
// by its hash alone. A process lists only those that it works by, so that one that calls no model needs no key.
import { hash } from 'node:crypto'
import { listModels, modelRoles, type ModelPort } from '#shared/model/model-port.ts'
import type { Settings } from './settings.ts'

export type AgreedSettings = Readonly<Record<string, string>>

/** Where no key and no endpoint is configured. */
const demoModel = 'the offline demo model'
const unset = 'not set'
const mostShownChars = 120

type Does = {
  /** What the process does: `executor`, `telegram`, … */
  readonly roles: readonly string[]
  /** Of a process that has one. */
  readonly model?: ModelPort | undefined
  /** Of a process that routes: its own patterns and thresholds. */
  readonly routing?: unknown
}

export function toAgreed(settings: Settings, { roles, model, routing }: Does): AgreedSettings {
  const does = (role: string): boolean => roles.includes(role)
  const listed: Record<string, unknown> = {
    FLOTILLA_LEASE_MS: settings.leaseMs,
    FLOTILLA_OWNERS: settings.owners.toSorted().join(','),
    FLOTILLA_ALLOW: settings.allowEveryone ? '*' : undefined,
    FLOTILLA_RECORDS_DAYS: settings.recordsDays,
    FLOTILLA_SESSION_IDLE_HOURS: settings.sessionIdleHours,
    FLOTILLA_CURIOSITY: settings.curiosity ? 'on' : 'off',
    ...(does('router') && { 'flotilla.config.json': routing === undefined ? unset : toHash(JSON.stringify(routing)) }),
    ...(model && { ...toModels(settings, model), ...toThinking(settings) }),
    ...(does('web') && { FLOTILLA_PUBLIC_URL: settings.publicUrl }),
    ...(does('telegram') && toTelegram(settings)),
    ...(does('discord') && toDiscord(settings)),
    ...(does('feishu') && toFeishu(settings)),
  }
  return Object.fromEntries(Object.entries(listed).map(([name, value]) => [name, toShown(value)]))
}

/** Whether a process with these settings answers by rules alone. */
export const isDemo = ({ FLOTILLA_MODEL: model }: AgreedSettings): boolean => model === demoModel

function toModels({ model: given }: Settings, port: ModelPort): Record<string, unknown> {
  const { name, endpoint, offline } = port.describe()
  const names = new Map(listModels(port).map((one) => [one.role, one.name]))
  return {
    FLOTILLA_MODEL: offline ? demoModel : name,
    ...Object.fromEntries(
      modelRoles.flatMap((role) =>
        role === 'main' ? [] : [[`FLOTILLA_${role.toUpperCase()}_MODEL`, names.get(role)]],
      ),
    ),
    OPENAI_BASE_URL: endpoint,
    OPENAI_API_KEY: toSecret(given.apiKey),
    FLOTILLA_CONTEXT_TOKENS: [port.contextTokens, given.otherContextTokens],
    FLOTILLA_MODEL_DIALECT: given.dialect,
    FLOTILLA_MODEL_CONCURRENCY: given.concurrency,
    FLOTILLA_MODEL_PRICES: given.prices,
  }
}

function toThinking(settings: Settings): Record<string, unknown> {
  const { daily, embedding, http, meilisearch, search } = settings
  return {
    FLOTILLA_DAILY_TOKENS_PERSON: daily.person.tokens,
    FLOTILLA_DAILY_TOKENS_CHAT: daily.chat.tokens,
    FLOTILLA_DAILY_TOKENS_TOTAL: daily.total.tokens,
    FLOTILLA_DAILY_USD: [daily.person.usd, daily.chat.usd, daily.total.usd],
    FLOTILLA_TURN_USD: settings.turnUsd,
    FLOTILLA_HISTORY_TOKENS: settings.historyTokens,
    FLOTILLA_LANGUAGE: settings.language,
    FLOTILLA_TIME_ZONE: settings.timeZone,
    FLOTILLA_ANSWER_BUTTONS: settings.answerButtons ? 'on' : 'off',
    FLOTILLA_BROWSER_FETCH: settings.browserFetch ? 'on' : 'off',
    FLOTILLA_HTTP_HOSTS: http?.hosts.map(({ entry }) => entry).toSorted(),
    FLOTILLA_HTTP_SECRETS: toSecret(http && JSON.stringify(http.secrets)),
    FLOTILLA_SEARCH: search && `${search.kind}, ${toHash(search.kind === 'searxng' ? search.url : search.apiKey)}`,
    FLOTILLA_EMBEDDING_MODEL: embedding?.model,
    FLOTILLA_EMBEDDING_WEIGHT: embedding?.weight,
    MEILISEARCH_URL: meilisearch?.url,
    MEILISEARCH_KEYS: toSecret(meilisearch && JSON.stringify([meilisearch.keys.reader, meilisearch.keys.writer])),
  }
}

function toTelegram({ telegram }: Settings): Record<string, unknown> {
  return {
    TELEGRAM_BOT_TOKEN: toSecret(telegram?.token),
    TELEGRAM_API_ROOT: toSecret(telegram?.apiRoot),
    TELEGRAM_WEBHOOK_URL: toSecret(telegram?.webhook?.url),
    TELEGRAM_WEBHOOK_SECRET: toSecret(telegram?.webhook?.secret),
    TELEGRAM_RATES: telegram && Object.values(telegram.rates),
  }
}

const toDiscord = ({ discord }: Settings): Record<string, unknown> => ({
  DISCORD_BOT_TOKEN: toSecret(discord?.token),
  DISCORD_API_ROOT: toSecret(discord?.apiRoot),
  DISCORD_RATE: discord?.requestsPerS,
})

function toFeishu({ feishu }: Settings): Record<string, unknown> {
  return {
    FEISHU_APP_ID: feishu?.appId,
    FEISHU_APP_SECRET: toSecret(feishu?.appSecret),
    FEISHU_DOMAIN: feishu?.domain,
    FEISHU_WEBHOOK_URL: toSecret(feishu?.webhook?.url),
    FEISHU_ENCRYPT_KEY: toSecret(feishu?.webhook?.encryptKey),
    FEISHU_VERIFICATION_TOKEN: toSecret(feishu?.webhook?.verificationToken),
    FEISHU_CALLS: feishu && [feishu.monthlyCalls, feishu.cardUpdates],
  }
}

const toSecret = (secret: string | undefined): string => (secret === undefined ? unset : toHash(secret))
const toHash = (text: string): string => `sha256 ${hash('sha256', text).slice(0, 8)}`

/** Short enough to be read; what is longer is told apart by its hash. */
function toShown(value: unknown): string {
  if (value === undefined || value === '') return unset
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length <= mostShownChars ? text : `${toHash(text)}, ${text.length} characters`
}
