// Every operator setting, one environment variable each: its check, its default, and in words what it must look like.
// The words go into the message when a value is refused; infra/docs/settings.md shows them.
import { z } from 'zod'
import { languages } from '#shared/chat/message.ts'
import { principalId } from '#shared/chat/conversation.ts'
import { findRedisGroup } from '#queues/redis-url.ts'
import { dailyUsd, httpUrl, isUrl, search, usd, whole, wholeNumber } from './compound-variables.ts'
import { httpHosts, httpSecrets } from './http-variables.ts'
import { meilisearchVariables } from './meilisearch-variables.ts'
import { modelVariables } from './model-variables.ts'

const second = 1000

/** What a day may cost by default, where a model costs anything. */
export const dailyTokens = { person: 200_000, chat: 500_000, total: 5_000_000 } as const

function tokens(byDefault: number, whose: string, besides = '') {
  return wholeNumber(1, 1e12)
    .optional()
    .describe(
      `tokens a day ${whose}, a whole number from 1 to 1000000000000 (${byDefault} when unset${besides}; none with a model on this machine)`,
    )
}

function isPublicAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname))
}

/** An address without path, query or credentials. */
function isPublicOrigin(text: string): boolean {
  if (!isPublicAddress(text)) return false
  const { origin, href } = new URL(text)
  return href === `${origin}/`
}

const redisUrl = z
  .string()
  .refine((text) => isUrl(text, ['redis:', 'rediss:', 'unix:']) || findRedisGroup(text) !== undefined)

const timeZone = z.string().refine((text) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
})

/** Keys are the variables' names; a description completes the sentence "NAME must be …". */
export const environment = z.object({
  REDIS_URL: redisUrl
    .optional()
    .describe(
      'a redis://, rediss:// or unix:// URL, cluster://user:password@host:port,host:port, or sentinel://…/name-of-the-primary (clusters://, sentinels:// over TLS)',
    ),
  ...modelVariables,
  FLOTILLA_PORT: whole({ min: 1, max: 65_535, byDefault: 8787, what: 'the port of the web page' }),
  FLOTILLA_LISTEN: z
    .union([z.ipv4(), z.ipv6()])
    .default('127.0.0.1')
    .describe(
      'the IP address that the web page listens on: 127.0.0.1 for this machine alone (when unset), 0.0.0.0 in a container',
    ),
  FLOTILLA_PUBLIC_URL: z
    .string()
    .refine(isPublicOrigin)
    .transform((text) => new URL(text).origin)
    .optional()
    .describe(
      'the https:// address of the web page behind your proxy or tunnel, without a path (http:// only on this machine)',
    ),
  FLOTILLA_DATA: z
    .string()
    .regex(/^[^\0\r\n]{1,1000}$/)
    .default('.flotilla')
    .describe("the data folder's path (.flotilla when unset)"),
  FLOTILLA_OWNERS: z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((one) => one.trim())
        .filter(Boolean),
    )
    .pipe(z.array(principalId))
    .default([])
    .describe('a comma-separated list of people as channel:id, like telegram:4711,discord:80351110224678912'),
  FLOTILLA_ALLOW: z
    .literal('*')
    .optional()
    .describe('exactly * to let everybody talk to the bot; leave it unset otherwise and admit people with /allow'),
  FLOTILLA_LANGUAGE: z
    .enum(languages)
    .optional()
    .describe('zh or en; when unset, each chat speaks the language its people write'),
  FLOTILLA_ANSWER_BUTTONS: z
    .enum(['on', 'off'])
    .default('on')
    .describe('on or off: whether answers carry the buttons shorter and longer (on when unset)'),
  FLOTILLA_CURIOSITY: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      'on or off: whether the bot collects questions that only people can answer, and asks them later by a card in their direct chat (on when unset)',
    ),
  FLOTILLA_LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('fatal, error, warn, info, debug, trace or silent (info when unset)'),
  FLOTILLA_LEASE_MS: whole({
    min: 300,
    max: 10 * 60 * second,
    byDefault: 3 * second,
    what: 'how long a process may say nothing until others take its work, in milliseconds, the same for all processes',
  }),
  FLOTILLA_QUEUE_SHARDS: whole({
    min: 1,
    max: 64,
    byDefault: 1,
    what: 'how many queues there are of each kind, the same for all processes; more than one for a Redis Cluster',
  }),
  FLOTILLA_EXECUTOR_CONCURRENCY: whole({
    min: 1,
    max: 100_000,
    byDefault: 1024,
    what: 'conversations and tasks served at once by one executor; tasks have three quarters of these places at most',
  }),
  FLOTILLA_DAILY_TOKENS_PERSON: tokens(dailyTokens.person, 'for one person', ', and none for owners'),
  FLOTILLA_DAILY_TOKENS_CHAT: tokens(dailyTokens.chat, 'for one chat'),
  FLOTILLA_DAILY_TOKENS_TOTAL: tokens(dailyTokens.total, 'in all'),
  FLOTILLA_DAILY_USD: dailyUsd
    .optional()
    .describe(
      'US dollars a day for one person, for one chat and in all, each once or not, like person=1.50,chat=5,total=20',
    ),
  FLOTILLA_TURN_USD: usd.optional().describe('US dollars for one answer with all its steps, like 0.50'),
  FLOTILLA_SESSION_IDLE_HOURS: whole({
    min: 1,
    max: 8760,
    byDefault: 8,
    what: 'hours without a message after which a session ends',
  }),
  FLOTILLA_RECORDS_DAYS: whole({
    min: 1,
    max: 30,
    byDefault: 7,
    what: 'days for which what was asked and answered is kept for those who learn from it',
  }),
  FLOTILLA_HISTORY_TOKENS: wholeNumber(200, 10_000_000)
    .optional()
    .describe('the most history tokens in a prompt, a whole number from 200 to 10000000'),
  FLOTILLA_TIME_ZONE: timeZone.optional().describe("an IANA time zone like Asia/Shanghai (the machine's when unset)"),
  FLOTILLA_BROWSER_FETCH: z
    .enum(['on', 'off'])
    .default('off')
    .describe('on or off: whether the bot may open pages of the public web (off when unset)'),
  FLOTILLA_HTTP_HOSTS: httpHosts
    .optional()
    .describe(
      'the hosts that the bot may send requests to, up to 50: exact names with a port where it is an odd one, and +key behind those that heed an Idempotency-Key, like api.example.org,shop.example.org:8443+key',
    ),
  FLOTILLA_HTTP_SECRETS: httpSecrets
    .optional()
    .describe(
      'JSON with headers for some of these hosts, each value of 8 characters or more, like {"api.example.org":{"authorization":"Bearer …"}}',
    ),
  FLOTILLA_SEARCH: search
    .optional()
    .describe(
      'the service that searches the web: searxng= and the http:// or https:// URL of a SearXNG instance that allows the format json, or tavily= or brave= and the key there',
    ),
  ...meilisearchVariables,
  TELEGRAM_BOT_TOKEN: z
    .string()
    .regex(/^\d{1,20}:[\w-]{1,100}$/)
    .optional()
    .describe("the bot's token as BotFather gives it: digits, a colon, letters"),
  TELEGRAM_API_ROOT: httpUrl
    .optional()
    .describe('the http:// or https:// URL of a Bot API server (api.telegram.org when unset)'),
  TELEGRAM_WEBHOOK_URL: z
    .string()
    .refine(isPublicAddress)
    .optional()
    .describe('a public https:// URL that reaches the telegram process (http:// only on this machine)'),
  TELEGRAM_WEBHOOK_SECRET: z
    .string()
    .regex(/^[\w-]{1,256}$/)
    .optional()
    .describe('1 to 256 characters of A-Z a-z 0-9 _ -, made up by you'),
  TELEGRAM_RATES: z
    .string()
    .regex(/^[1-9]\d{0,5},[1-9]\d{0,5},[1-9]\d{0,5}$/)
    .default('30,1,20')
    .transform((text) => {
      const [botPerS = 30, chatPerS = 1, groupPerMinute = 20] = text.split(',').map(Number)
      return { botPerS, chatPerS, groupPerMinute }
    })
    .describe(
      'the most messages a second in all, a second in one chat and a minute in one group, like 30,1,20 (the default)',
    ),
  DISCORD_BOT_TOKEN: z
    .string()
    .regex(/^[\w-]{10,100}(\.[\w-]{1,100}){2}$/)
    .optional()
    .describe("the bot's token as the Bot page of the developer portal gives it: three parts with dots between"),
  DISCORD_API_ROOT: httpUrl
    .optional()
    .describe("the http:// or https:// URL of Discord's interface (https://discord.com/api when unset)"),
  DISCORD_RATE: z
    .string()
    .regex(/^[1-9]\d{0,5}$/)
    .default('50')
    .transform(Number)
    .describe('the most requests a second: 50 (the default), or what Discord has granted your bot'),
  FEISHU_APP_ID: z
    .string()
    .regex(/^cli_[0-9a-fA-F]{16}$/)
    .optional()
    .describe(
      "the app's id as the page Credentials & Basic Info of the developer console gives it: cli_ and sixteen signs",
    ),
  FEISHU_APP_SECRET: z
    .string()
    .regex(/^[\w-]{10,100}$/)
    .optional()
    .describe("the app's secret from the same page"),
  FEISHU_DOMAIN: z
    .enum(['feishu', 'lark'])
    .or(httpUrl)
    .default('feishu')
    .describe('feishu or lark, wherever the app was made (feishu when unset), or an http:// or https:// URL'),
  FEISHU_WEBHOOK_URL: z
    .string()
    .refine(isPublicAddress)
    .optional()
    .describe('a public https:// URL that reaches the feishu process (http:// only on this machine)'),
  FEISHU_ENCRYPT_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,256}$/)
    .optional()
    .describe('the Encrypt Key of the page Events & Callbacks, for the webhook'),
  FEISHU_VERIFICATION_TOKEN: z
    .string()
    .regex(/^[\w-]{1,256}$/)
    .optional()
    .describe('the Verification Token of the page Events & Callbacks, for the webhook'),
  FEISHU_CALLS: z
    .string()
    .regex(/^\d{1,9}(,([2-9]|[1-9]\d{1,2}))?$/)
    .default('10000,6')
    .transform((text) => {
      const [monthly = 10_000, updates = 6] = text.split(',').map(Number)
      return { monthly, updates }
    })
    .describe(
      'the calls that your plan has a month, 0 for no limit, and how often the card of one answer is changed at most, 2 or more (6 where it is left out), like 10000,6 (the default)',
    ),
})
export type Environment = z.infer<typeof environment>
