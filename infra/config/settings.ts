// The operator's settings: read once from the environment, checked as a whole, then passed on as data. An unknown,
// malformed or contradictory one refuses the start, with every problem in one message and no secret in it.
import path from 'node:path'
import type { ZodError } from 'zod'
import { BotError } from '#shared/errors.ts'
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { Language } from '#shared/chat/message.ts'
import { findContradictions, findUnknown, toSentences } from './problems.ts'
import type { Price } from '#infra/models/pricing.ts'
import { listSecrets } from '#infra/web/request/blank.ts'
import type { HttpSettings } from '#infra/web/request/send-request.ts'
import type { SearchSettings } from '#infra/web/search/services.ts'
import type { MeilisearchSettings } from '#infra/search/meilisearch-client.ts'
import { findRedisGroup } from '#queues/redis-url.ts'
import { toMeilisearch, toMeilisearchSecrets } from './meilisearch-variables.ts'
import { dailyTokens, environment } from './variables.ts'
import { secretVariables } from './secret-variables.ts'
import { readSecretFiles } from './secret-files.ts'
import type { Environment } from './variables.ts'

/** Limits of one day, 0 tokens for none; money is limited only where a price is configured. */
export type DailyLimit = { readonly tokens: number; readonly usd: number | undefined }

export type ModelSettings = {
  readonly apiKey: string | undefined
  readonly baseUrl: string | undefined
  readonly main: string | undefined
  readonly fast: string | undefined
  readonly fallback: string | undefined
  /** The context window of the main model; undefined leaves it to what is known of the model. */
  readonly contextTokens: number | undefined
  /** That of other models, where it is another. */
  readonly otherContextTokens: Readonly<Partial<Record<'fast' | 'fallback', number | undefined>>>
  /** As `readDialect` takes it. */
  readonly dialect: string | undefined
  /** Model calls at once, shared by all workers. */
  readonly concurrency: number
  /** By model name. */
  readonly prices: Readonly<Record<string, Price>>
}

export type EmbeddingSettings = {
  readonly model: string
  /** The weight of the meaning in a search of memory, 0 to 1. */
  readonly weight: number
}

export type TelegramSettings = {
  readonly token: string
  readonly apiRoot: string | undefined
  /** Undefined means long polling. */
  readonly webhook: { readonly url: string; readonly secret: string } | undefined
  readonly rates: { readonly botPerS: number; readonly chatPerS: number; readonly groupPerMinute: number }
}

export type DiscordSettings = {
  readonly token: string
  readonly apiRoot: string | undefined
  readonly requestsPerS: number
}

export type FeishuSettings = {
  readonly appId: string
  readonly appSecret: string
  readonly domain: string
  /** Undefined means the long connection. */
  readonly webhook:
    | { readonly url: string; readonly encryptKey: string; readonly verificationToken: string }
    | undefined
  readonly cardUpdates: number
  readonly monthlyCalls: number
}

export type Settings = {
  /** Undefined means the embedded Redis of the data folder. The form is that of `queues/connection.ts`. */
  readonly redisUrl: string | undefined
  readonly model: ModelSettings
  /** Undefined without a token. */
  readonly telegram: TelegramSettings | undefined
  /** Undefined without a token. */
  readonly discord: DiscordSettings | undefined
  /** Undefined without an app. */
  readonly feishu: FeishuSettings | undefined
  readonly port: number
  /** The IP address that the web page listens on. */
  readonly listen: string
  /** The origin of the web page as people outside this machine reach it; undefined without a proxy or tunnel. */
  readonly publicUrl: string | undefined
  /** Absolute path. */
  readonly dataFolder: string
  readonly owners: readonly PrincipalId[]
  /** True only when FLOTILLA_ALLOW is `*`. */
  readonly allowEveryone: boolean
  /** Undefined: each chat's own language. */
  readonly language: Language | undefined
  /** Which service searches the web; undefined without one. */
  readonly search: SearchSettings | undefined
  /** The server that keeps the index of memory. Undefined means a file of the data folder. */
  readonly meilisearch: MeilisearchSettings | undefined
  /** Makes vectors of texts, at the endpoint of `model`; undefined where memory is searched by words alone. */
  readonly embedding: EmbeddingSettings | undefined
  /** Whether pages of the web may be opened. */
  readonly browserFetch: boolean
  /** To whom requests may be sent, and what is put into them; undefined without a host. */
  readonly http: HttpSettings | undefined
  /** Whether answers carry the buttons shorter and longer. */
  readonly answerButtons: boolean
  /** Whether what only people can tell is collected and asked. */
  readonly curiosity: boolean
  readonly logLevel: Environment['FLOTILLA_LOG_LEVEL']
  readonly leaseMs: number
  /** Of each queue. */
  readonly queueShards: number
  /** Conversations served at once by one executor. */
  readonly executorConcurrency: number
  /** `owner`: of a person who owns the bot, without a limit unless the settings name that of a person. */
  readonly daily: Readonly<Record<'person' | 'owner' | 'chat' | 'total', DailyLimit>>
  readonly sessionIdleHours: number
  /** How long records of ended turns are kept. */
  /** For one answer with all its steps. */
  readonly turnUsd: number | undefined
  readonly recordsDays: number
  readonly historyTokens: number | undefined
  readonly timeZone: string
  /** Values that must never be logged. */
  readonly secrets: readonly string[]
}

/**
 * Reads the settings from `env`; a blank value counts as unset. Relative paths start at `folder`.
 * Throws BotError `config` with one line per problem.
 */
export function loadSettings(env: Readonly<Record<string, string | undefined>>, folder: string): Settings {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  )
  const written = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value?.trim() ?? '']))
  const { env: trimmed, problems: unread } = readSecretFiles(written, folder)
  const parsed = environment.safeParse(trimmed)
  const problems = [...findUnknown(trimmed), ...unread, ...(parsed.success ? findContradictions(parsed.data) : [])]
  if (!parsed.success) problems.push(...toSentences(parsed.error, trimmed), ...findFurther(parsed.error, trimmed))
  if (problems.length > 0 || !parsed.success) throw toError(problems)
  return toSettings(parsed.data, folder)
}

/** The contradictions among the variables that are well-formed, so that one start shows every problem. */
function findFurther(error: ZodError, env: Readonly<Record<string, string | undefined>>): string[] {
  const refused = new Set(error.issues.map((issue) => String(issue.path[0])))
  const rest = environment.safeParse(Object.fromEntries(Object.entries(env).filter(([name]) => !refused.has(name))))
  if (!rest.success) return []
  return findContradictions(rest.data).filter((sentence) => ![...refused].some((name) => sentence.includes(name)))
}

function toError(problems: readonly string[]): BotError {
  const lines = problems.map((problem) => `  - ${problem}`)
  return new BotError('config', ['Flotilla cannot start with these settings:', ...lines].join('\n'))
}

function toSettings(values: Environment, folder: string): Settings {
  const usd = values.FLOTILLA_DAILY_USD
  const byDefault = isOnThisMachine(values) ? { person: 0, chat: 0, total: 0 } : dailyTokens
  return {
    redisUrl: values.REDIS_URL,
    model: toModel(values),
    telegram: toTelegram(values),
    discord:
      values.DISCORD_BOT_TOKEN === undefined
        ? undefined
        : {
            token: values.DISCORD_BOT_TOKEN,
            apiRoot: values.DISCORD_API_ROOT,
            requestsPerS: values.DISCORD_RATE,
          },
    feishu: toFeishu(values),
    port: values.FLOTILLA_PORT,
    listen: values.FLOTILLA_LISTEN,
    publicUrl: values.FLOTILLA_PUBLIC_URL,
    dataFolder: path.resolve(folder, values.FLOTILLA_DATA),
    owners: values.FLOTILLA_OWNERS,
    allowEveryone: values.FLOTILLA_ALLOW === '*',
    language: values.FLOTILLA_LANGUAGE,
    search: values.FLOTILLA_SEARCH,
    meilisearch: toMeilisearch(values),
    embedding: toEmbedding(values),
    browserFetch: values.FLOTILLA_BROWSER_FETCH === 'on',
    http: toHttp(values),
    answerButtons: values.FLOTILLA_ANSWER_BUTTONS === 'on',
    curiosity: values.FLOTILLA_CURIOSITY === 'on',
    logLevel: values.FLOTILLA_LOG_LEVEL,
    leaseMs: values.FLOTILLA_LEASE_MS,
    queueShards: values.FLOTILLA_QUEUE_SHARDS,
    executorConcurrency: values.FLOTILLA_EXECUTOR_CONCURRENCY,
    daily: {
      person: {
        tokens: values.FLOTILLA_DAILY_TOKENS_PERSON ?? byDefault.person,
        usd: usd?.person,
      },
      owner: { tokens: values.FLOTILLA_DAILY_TOKENS_PERSON ?? 0, usd: usd?.person },
      chat: { tokens: values.FLOTILLA_DAILY_TOKENS_CHAT ?? byDefault.chat, usd: usd?.chat },
      total: { tokens: values.FLOTILLA_DAILY_TOKENS_TOTAL ?? byDefault.total, usd: usd?.total },
    },
    turnUsd: values.FLOTILLA_TURN_USD,
    recordsDays: values.FLOTILLA_RECORDS_DAYS,
    sessionIdleHours: values.FLOTILLA_SESSION_IDLE_HOURS,
    historyTokens: values.FLOTILLA_HISTORY_TOKENS,
    timeZone: values.FLOTILLA_TIME_ZONE ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
    secrets: [
      ...Object.entries(values).flatMap(([name, value]) =>
        typeof value === 'string' && secretVariables.has(name) ? toSecretParts(value) : [],
      ),
      ...listSecrets(values.FLOTILLA_HTTP_SECRETS ?? {}),
      ...toSearchSecrets(values.FLOTILLA_SEARCH),
      ...toMeilisearchSecrets(values.MEILISEARCH_KEYS),
    ],
  }
}

/** The demo model, Ollama, or an endpoint of this machine that takes no key: their tokens cost nobody anything. */
function isOnThisMachine({ OPENAI_API_KEY: key, OPENAI_BASE_URL: url }: Environment): boolean {
  return (
    key === undefined && (url === undefined || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(url).hostname))
  )
}

function toHttp({ FLOTILLA_HTTP_HOSTS: hosts, FLOTILLA_HTTP_SECRETS: secrets = {} }: Environment): Settings['http'] {
  return hosts === undefined ? undefined : { hosts, secrets }
}

function toModel(values: Environment): ModelSettings {
  return {
    apiKey: values.OPENAI_API_KEY,
    baseUrl: values.OPENAI_BASE_URL,
    main: values.FLOTILLA_MODEL,
    fast: values.FLOTILLA_FAST_MODEL,
    fallback: values.FLOTILLA_FALLBACK_MODEL,
    contextTokens: values.FLOTILLA_CONTEXT_TOKENS?.main,
    otherContextTokens: {
      fast: values.FLOTILLA_CONTEXT_TOKENS?.fast,
      fallback: values.FLOTILLA_CONTEXT_TOKENS?.fallback,
    },
    dialect: values.FLOTILLA_MODEL_DIALECT,
    concurrency: values.FLOTILLA_MODEL_CONCURRENCY,
    prices: values.FLOTILLA_MODEL_PRICES ?? {},
  }
}

const toEmbedding = (values: Environment): EmbeddingSettings | undefined =>
  values.FLOTILLA_EMBEDDING_MODEL === undefined
    ? undefined
    : { model: values.FLOTILLA_EMBEDDING_MODEL, weight: values.FLOTILLA_EMBEDDING_WEIGHT }

function toTelegram(values: Environment): TelegramSettings | undefined {
  const { TELEGRAM_BOT_TOKEN: token, TELEGRAM_WEBHOOK_URL: url, TELEGRAM_WEBHOOK_SECRET: secret } = values
  if (token === undefined) return undefined
  const webhook = url !== undefined && secret !== undefined ? { url, secret } : undefined
  return { token, apiRoot: values.TELEGRAM_API_ROOT, webhook, rates: values.TELEGRAM_RATES }
}

function toFeishu(values: Environment): FeishuSettings | undefined {
  const { FEISHU_APP_ID: appId, FEISHU_APP_SECRET: appSecret, FEISHU_DOMAIN: domain, FEISHU_CALLS: calls } = values
  if (appId === undefined || appSecret === undefined) return undefined
  const {
    FEISHU_WEBHOOK_URL: url,
    FEISHU_ENCRYPT_KEY: encryptKey,
    FEISHU_VERIFICATION_TOKEN: verificationToken,
  } = values
  const isPushed = url !== undefined && encryptKey !== undefined && verificationToken !== undefined
  const webhook = isPushed ? { url, encryptKey, verificationToken } : undefined
  return { appId, appSecret, domain, webhook, cardUpdates: calls.updates, monthlyCalls: calls.monthly }
}

const toSearchSecrets = (search: SearchSettings | undefined): string[] =>
  search === undefined ? [] : toSecretParts(search.kind === 'searxng' ? search.url : search.apiKey)

/** A URL's secret is its password, so that its host may still be logged. */
function toSecretParts(value: string): string[] {
  if (!/^[a-z]+:\/\//.test(value)) return [value]
  // A list of hosts is no URL that could be parsed.
  const group = findRedisGroup(value)
  if (group) return group.password ? [group.password] : []
  if (!URL.canParse(value)) return []
  const { password, searchParams } = new URL(value)
  return [decodeURIComponent(password), searchParams.get('password') ?? ''].filter(Boolean)
}
