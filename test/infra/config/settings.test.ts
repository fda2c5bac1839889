// What the operator may set, and how each mistake is told.
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadSettings } from '#infra/config/settings.ts'
import { environment } from '#infra/config/variables.ts'
import { secretVariables } from '#infra/config/secret-variables.ts'
import { BotError } from '#shared/errors.ts'

function refusal(env: Record<string, string>): string {
  try {
    loadSettings(env, '/srv/bot')
  } catch (error) {
    expect(error).toBeInstanceOf(BotError)
    return error instanceof Error ? error.message : ''
  }
  throw new Error('the settings were accepted')
}

describe('defaults', () => {
  test('starts with an empty environment, on the embedded Redis and without a channel but the web', () => {
    const settings = loadSettings({}, '/srv/bot')
    expect(settings).toMatchObject({
      redisUrl: undefined,
      telegram: undefined,
      discord: undefined,
      port: 8787,
      dataFolder: path.resolve('/srv/bot/.flotilla'),
      owners: [],
      allowEveryone: false,
      leaseMs: 3000,
      queueShards: 1,
      search: undefined,
      meilisearch: undefined,
      browserFetch: false,
      http: undefined,
      executorConcurrency: 1024,
      sessionIdleHours: 8,
      recordsDays: 7,
    })
    expect(settings.model.concurrency).toBe(1024)
  })

  test.each([
    ['a key', { OPENAI_API_KEY: 'k' }, 200_000, 5_000_000],
    ['an endpoint elsewhere', { OPENAI_BASE_URL: 'https://m.example/v1', FLOTILLA_MODEL: 'm' }, 200_000, 5_000_000],
    [
      'a key for a gateway on this machine',
      { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1:4000/v1', FLOTILLA_MODEL: 'm' },
      200_000,
      5_000_000,
    ],
    ['a model on this machine', { OPENAI_BASE_URL: 'http://localhost:8080/v1', FLOTILLA_MODEL: 'm' }, 0, 0],
    ['neither', {}, 0, 0],
    ['neither, with a limit set', { FLOTILLA_DAILY_TOKENS_PERSON: '77' }, 77, 0],
  ])('limits the tokens of a day with %s', (_, env, person, total) => {
    const { daily } = loadSettings(env, '/srv/bot')
    expect([daily.person.tokens, daily.total.tokens]).toEqual([person, total])
  })

  test('treats a blank value as unset and trims the others', () => {
    const settings = loadSettings({ FLOTILLA_PORT: ' ', FLOTILLA_MODEL: ' some-model ' }, '/srv/bot')
    expect(settings.port).toBe(8787)
    expect(settings.model.main).toBe('some-model')
  })

  test('reads the hosts of requests and their secrets, which are never shown', () => {
    const settings = loadSettings(
      {
        FLOTILLA_HTTP_HOSTS: 'api.example.org, shop.example.org:8443+key',
        FLOTILLA_HTTP_SECRETS: '{"API.example.org":{"Authorization":"Bearer CANARY-1"}}',
      },
      '/srv/bot',
    )
    expect(settings.http).toMatchObject({
      hosts: [
        { entry: 'api.example.org', honoursKeys: false },
        { entry: 'shop.example.org:8443', port: 8443, honoursKeys: true },
      ],
      secrets: { 'api.example.org': { authorization: 'Bearer CANARY-1' } },
    })
    expect(settings.secrets).toEqual(expect.arrayContaining(['Bearer CANARY-1', 'CANARY-1']))
    expect(loadSettings({ FLOTILLA_HTTP_HOSTS: 'a.example' }, '/').http?.secrets).toEqual({})
  })

  test.each([
    ['a secret of a host that is not listed', 'b.example', '{"a.example":{"x-key":"CANARY-12"}}', 'does not list'],
    [
      'a secret of a listed host at another port',
      'a.example:81',
      '{"a.example":{"x-key":"CANARY-12"}}',
      'does not list',
    ],
    ['no JSON', 'a.example', '{"a.example":CANARY-12}', 'It must be JSON'],
    ['a value that is too short to be blanked', 'a.example', '{"a.example":{"x-key":"CANARY"}}', 'It must be JSON'],
    ['a header that is the request’s own', 'a.example', '{"a.example":{"Host":"CANARY-12"}}', 'It must be JSON'],
    ['a value of two lines', 'a.example', '{"a.example":{"x-key":"CANARY\\nx-y: 12"}}', 'It must be JSON'],
    ['a host listed twice', 'a.example,A.example', '', 'FLOTILLA_HTTP_HOSTS is'],
  ])('refuses %s without showing it', (_, hosts, secrets, words) => {
    const message = refusal({ FLOTILLA_HTTP_HOSTS: hosts, FLOTILLA_HTTP_SECRETS: secrets })
    expect(message).toContain(words)
    expect(message).not.toContain('CANARY')
  })

  test('reads lists, JSON and money', () => {
    const settings = loadSettings(
      {
        FLOTILLA_OWNERS: 'telegram:4711, web:owner',
        FLOTILLA_MODEL_PRICES: '{"big":{"in":2.5,"out":10,"cached":1.25},"small":{"in":0,"out":0}}',
        FLOTILLA_DAILY_USD: 'chat=5, total=12.50',
        FLOTILLA_ALLOW: '*',
      },
      '/srv/bot',
    )
    expect(settings.owners).toEqual(['telegram:4711', 'web:owner'])
    expect(settings.model.prices).toEqual({ big: { in: 2.5, out: 10, cached: 1.25 }, small: { in: 0, out: 0 } })
    expect(settings.daily).toMatchObject({ chat: { usd: 5 }, total: { usd: 12.5 } })
    expect(settings.daily.person.usd).toBeUndefined()
    expect(settings.allowEveryone).toBe(true)
  })

  test.each([
    ['FLOTILLA_DAILY_USD', ['5', 'person=0', 'person=free', 'person=1=2', 'me=3', 'chat=1,chat=2', 'chat=1,', '=1']],
    ['FLOTILLA_SEARCH', ['tavily', 'tavily=', 'tavily=two words', 'https://search.example.org', 'google=k', '=k']],
  ])('refuses what %s cannot be', (name, values) => {
    for (const value of values) expect(() => loadSettings({ [name]: value }, '/')).toThrow(name)
  })

  test('reads the window of the main model, and of others', () => {
    const { model } = loadSettings({ FLOTILLA_CONTEXT_TOKENS: '128000' }, '/')
    expect(model).toMatchObject({ contextTokens: 128_000, otherContextTokens: {} })
    const all = loadSettings({ FLOTILLA_CONTEXT_TOKENS: '128000,fallback=32000,fast=4096' }, '/').model
    expect(all).toMatchObject({ contextTokens: 128_000, otherContextTokens: { fast: 4096, fallback: 32_000 } })
    for (const wrong of ['fast=4096', '128000,fast=12', '128000,slow=4096', '128000, fast=4096', '1e6'])
      expect(() => loadSettings({ FLOTILLA_CONTEXT_TOKENS: wrong }, '/')).toThrow('FLOTILLA_CONTEXT_TOKENS')
  })

  test.each([
    [{ FLOTILLA_SEARCH: 'searxng=http://user:pass-word@127.0.0.1:8888/' }, { kind: 'searxng' }, 'pass-word'],
    [{ FLOTILLA_SEARCH: 'tavily=tvly-1234' }, { kind: 'tavily', apiKey: 'tvly-1234' }, 'tvly-1234'],
    [{ FLOTILLA_SEARCH: 'brave=BSA1234' }, { kind: 'brave', apiKey: 'BSA1234' }, 'BSA1234'],
  ])('knows by which service to search, and what of it is secret', (env: Record<string, string>, search, secret) => {
    const settings = loadSettings(env, '/srv/bot')
    expect(settings.search).toMatchObject(search)
    expect(settings.secrets).toEqual([secret])
    expect(loadSettings({ FLOTILLA_BROWSER_FETCH: 'on' }, '/').browserFetch).toBe(true)
  })

  describe('Meilisearch', () => {
    const [reader, writer, operator] = ['a', 'b', 'c'].map((sign) => sign.repeat(64))
    const url = 'https://search.example.org/under/'
    const load = (keys: string) => loadSettings({ MEILISEARCH_URL: url, MEILISEARCH_KEYS: keys }, '/')

    test('reads where it is, and its keys, which are secrets', () => {
      const { meilisearch, secrets } = load(`reader=${reader}, writer=${writer},operator=${operator}`)
      expect(meilisearch).toEqual({ url, keys: { reader, writer, operator } })
      expect(secrets).toEqual([reader, writer, operator])
      expect(load(`writer=${writer},reader=${reader}`).meilisearch?.keys).toEqual({ reader, writer })
    })

    test.each([
      ['no reader', `writer=${writer}`],
      ['one key for two roles', `reader=${reader},writer=${reader}`],
      ['a role twice', `reader=${reader},reader=${operator},writer=${writer}`],
      ['another role', `reader=${reader},writer=${writer},owner=${operator}`],
      ['what may be a master key', `reader=${reader},writer=CANARY-master-key`],
      ['a key alone', `${reader}`],
    ])('refuses %s without showing it', (_, keys) => {
      const said = refusal({ MEILISEARCH_URL: url, MEILISEARCH_KEYS: keys })
      expect(said).toMatch(/^ {2}- MEILISEARCH_KEYS has \d+ characters.*never the master key/m)
      expect(said).not.toMatch(/CANARY|aaaa/)
    })

    test.each([`${url}?key=x`, 'https://user:CANARY@search.example.org', 'ftp://search.example.org'])(
      'refuses %s as its address',
      (address) => {
        const keys = `reader=${reader},writer=${writer}`
        expect(refusal({ MEILISEARCH_URL: address, MEILISEARCH_KEYS: keys })).toContain('without credentials')
      },
    )

    test('wants both or neither, and knows a slip of the pen', () => {
      expect(refusal({ MEILISEARCH_URL: url })).toContain('MEILISEARCH_URL is set without MEILISEARCH_KEYS')
      expect(refusal({ MEILISEARCH_KEYS: `reader=${reader},writer=${writer}` })).toContain('without MEILISEARCH_URL')
      expect(refusal({ MEILISEARCH_KEY: 'x' })).toContain('Did you mean MEILISEARCH_KEYS?')
    })
  })

  test('accepts a webhook with token and secret', () => {
    const env = {
      TELEGRAM_BOT_TOKEN: '42:abc-DEF',
      TELEGRAM_WEBHOOK_URL: 'https://bot.example.org/hook',
      TELEGRAM_WEBHOOK_SECRET: 's3cret',
    }
    expect(loadSettings(env, '/srv/bot').telegram?.webhook).toEqual({
      url: 'https://bot.example.org/hook',
      secret: 's3cret',
    })
  })
})

describe('refusals', () => {
  const wrong: Record<string, string> = {
    REDIS_URL: 'localhost:6379',
    OPENAI_API_KEY: 'sk with blanks',
    OPENAI_BASE_URL: 'ftp://models.example.org',
    FLOTILLA_MODEL: 'two words',
    FLOTILLA_FAST_MODEL: 'two words',
    FLOTILLA_FALLBACK_MODEL: 'two words',
    FLOTILLA_EMBEDDING_MODEL: 'two words',
    FLOTILLA_EMBEDDING_WEIGHT: '1.5',
    FLOTILLA_CONTEXT_TOKENS: '12',
    FLOTILLA_MODEL_CONCURRENCY: '0',
    FLOTILLA_MODEL_DIALECT: 'one-system,klingon',
    FLOTILLA_MODEL_PRICES: '{"big": 3}',
    FLOTILLA_PORT: '70000',
    FLOTILLA_LISTEN: 'everywhere',
    FLOTILLA_PUBLIC_URL: 'https://chat.example.org/path',
    FLOTILLA_DATA: 'a\0b',
    FLOTILLA_OWNERS: 'Ann',
    FLOTILLA_ALLOW: 'everyone',
    FLOTILLA_LANGUAGE: 'fr',
    FLOTILLA_ANSWER_BUTTONS: 'maybe',
    FLOTILLA_CURIOSITY: 'yes',
    FLOTILLA_LOG_LEVEL: 'loud',
    FLOTILLA_LEASE_MS: '8s',
    FLOTILLA_QUEUE_SHARDS: '0',
    FLOTILLA_EXECUTOR_CONCURRENCY: '-1',
    FLOTILLA_DAILY_TOKENS_PERSON: '1e6',
    FLOTILLA_DAILY_TOKENS_CHAT: 'many',
    FLOTILLA_DAILY_TOKENS_TOTAL: '0',
    FLOTILLA_DAILY_USD: 'person=$5',
    FLOTILLA_TURN_USD: '0',
    FLOTILLA_SESSION_IDLE_HOURS: '0.5',
    FLOTILLA_RECORDS_DAYS: '31',
    FLOTILLA_HISTORY_TOKENS: '-3',
    FLOTILLA_TIME_ZONE: 'Mars/Olympus',
    FLOTILLA_BROWSER_FETCH: 'yes',
    FLOTILLA_HTTP_HOSTS: 'https://api.example.org',
    FLOTILLA_HTTP_SECRETS: 'Bearer x',
    FLOTILLA_SEARCH: 'searxng=search.example.org',
    MEILISEARCH_URL: 'search.example.org:7700',
    MEILISEARCH_KEYS: 'reader=short,writer=short',
    TELEGRAM_BOT_TOKEN: 'not-a-token',
    TELEGRAM_API_ROOT: 'api.example.org',
    TELEGRAM_WEBHOOK_URL: 'http://bot.example.org/hook',
    TELEGRAM_WEBHOOK_SECRET: 'no spaces allowed',
    DISCORD_BOT_TOKEN: 'not-a-token',
    DISCORD_API_ROOT: 'discord.example.org',
    TELEGRAM_RATES: '30,1',
    DISCORD_RATE: '0',
    FEISHU_APP_ID: 'cli_short',
    FEISHU_APP_SECRET: 'a b',
    FEISHU_DOMAIN: 'larksuite',
    FEISHU_WEBHOOK_URL: 'http://example.com/feishu',
    FEISHU_ENCRYPT_KEY: 'a b',
    FEISHU_VERIFICATION_TOKEN: 'a b',
    FEISHU_CALLS: '10000,1',
  }

  test('has a wrong value here for every variable', () => {
    expect(Object.keys(wrong).toSorted()).toEqual(Object.keys(environment.shape).toSorted())
  })

  test.each(Object.keys(environment.shape))('refuses a malformed %s by name, with its form', (name) => {
    const message = refusal({ [name]: wrong[name] ?? '' })
    expect(message).toContain(name)
    expect(message).toContain('It must be')
    expect(message).not.toContain('left unset.')
  })

  test('tells all problems at once', () => {
    const message = refusal({
      FLOTILLA_PORT: 'abc',
      FLOTILLA_ALLOW: 'yes',
      FLOTILLA_MODLE: 'x',
      FLOTILLA_DAILY_USD: 'total=3',
    })
    expect(message).toContain('FLOTILLA_PORT is "abc" (3 characters)')
    expect(message).toContain('FLOTILLA_ALLOW')
    expect(message).toContain('Did you mean FLOTILLA_MODEL?')
    expect(message).toContain('without FLOTILLA_MODEL_PRICES')
  })

  test('reads the token of Discord, and knows a slip of the pen in its name', () => {
    const token = 'MTEwMDAwMDAwMDAwMDAwMDAwMQ.GaBcDe.abcdefghijklmnopqrstuvwxyz0'
    const settings = loadSettings({ DISCORD_BOT_TOKEN: token, DISCORD_API_ROOT: 'http://127.0.0.1:1/api' }, '/')
    expect(settings.discord).toEqual({ token, apiRoot: 'http://127.0.0.1:1/api', requestsPerS: 50 })
    expect(settings.secrets).toContain(token)
    expect(refusal({ DISCORD_BOT_TOKN: 'x' })).toContain('Did you mean DISCORD_BOT_TOKEN?')
  })

  test.each([...secretVariables])('never shows the value of %s', (name) => {
    const value = name === 'TELEGRAM_BOT_TOKEN' ? 'CANARY no token' : 'CANARY no value'
    const message = refusal({ [name]: value })
    expect(message).not.toContain('CANARY')
    expect(message).toContain('15 characters')
  })

  test('refuses an unknown FLOTILLA_ variable, with the nearest name', () => {
    expect(refusal({ FLOTILLA_PROT: '1' })).toContain('FLOTILLA_PROT is not a setting. Did you mean FLOTILLA_PORT?')
    expect(refusal({ FLOTILLA_QUITE_SOMETHING_ELSE_ENTIRELY: '1' })).toContain('infra/docs/settings.md')
  })

  test('takes a near miss of a Telegram variable for a mistake, and leaves foreign ones alone', () => {
    expect(refusal({ TELEGRAM_BOT_TOKN: 'x' })).toContain('Did you mean TELEGRAM_BOT_TOKEN?')
    expect(refusal({ DISCORD_TOKEN: 'x' })).toContain('Did you mean DISCORD_BOT_TOKEN?')
    expect(refusal({ TELEGRAM_TOKEN: 'x' })).toContain('Did you mean TELEGRAM_BOT_TOKEN?')
    expect(refusal({ REDIS_URI: 'x' })).toContain('Did you mean REDIS_URL?')
    expect(loadSettings({ TELEGRAM_DESKTOP_THEME: 'x', OPENAI_ORGANIZATION: 'y' }, '/').telegram).toBeUndefined()
  })
})

describe('contradictions', () => {
  const token = '42:abc'
  const url = 'https://bot.example.org/hook'
  test.each([
    ['a webhook without secret', { TELEGRAM_BOT_TOKEN: token, TELEGRAM_WEBHOOK_URL: url }, 'TELEGRAM_WEBHOOK_SECRET'],
    [
      'a webhook with a blank secret',
      { TELEGRAM_BOT_TOKEN: token, TELEGRAM_WEBHOOK_URL: url, TELEGRAM_WEBHOOK_SECRET: ' ' },
      'TELEGRAM_WEBHOOK_SECRET',
    ],
    ['a webhook without token', { TELEGRAM_WEBHOOK_URL: url, TELEGRAM_WEBHOOK_SECRET: 's' }, 'TELEGRAM_BOT_TOKEN'],
    [
      'a secret without webhook',
      { TELEGRAM_BOT_TOKEN: token, TELEGRAM_WEBHOOK_SECRET: 's' },
      'Set TELEGRAM_WEBHOOK_URL',
    ],
    ['a fallback that is the model', { FLOTILLA_MODEL: 'm', FLOTILLA_FALLBACK_MODEL: 'm' }, 'FLOTILLA_FALLBACK_MODEL'],
    ['money without prices', { FLOTILLA_DAILY_USD: 'person=1' }, 'FLOTILLA_MODEL_PRICES'],
    [
      'a history above the window',
      { FLOTILLA_CONTEXT_TOKENS: '4000', FLOTILLA_HISTORY_TOKENS: '4000' },
      'FLOTILLA_HISTORY_TOKENS',
    ],
  ])('refuses %s', (_, env: Record<string, string>, named) => {
    expect(refusal(env)).toContain(named)
  })
})

test.each([
  'redis://127.0.0.1:6379',
  'rediss://user:pw@redis.example.org:6380/1',
  'unix:///run/redis.sock?password=pw',
  'cluster://one:7000,two:7001',
  'cluster://user:p%40ss@one:7000,two:7001',
  'clusters://:pw@one:7000',
  'sentinel://user:pw@one:26379,two:26379/main',
  'sentinels://one:26379/main',
])('accepts %s for Redis', (url) => {
  expect(loadSettings({ REDIS_URL: url }, '/').redisUrl).toBe(url)
})

test.each([
  'cluster://one',
  'cluster://user:pw:7000',
  'cluster://one:7000/name',
  'cluster://one:7000,',
  'cluster://user:%zz@one:7000',
  'sentinel://one:26379',
  'sentinel:///main',
  'http://one:7000',
])('refuses %s for Redis, without a word of it', (url) => {
  const said = refusal({ REDIS_URL: url })
  expect(said).toMatch(/REDIS_URL .*cluster:.*sentinel:/)
  expect(said).not.toContain(url)
})

describe('secrets for the log', () => {
  test.each(['cluster://user:pa%20ss@one:7000,two:7001', 'sentinels://:pa%20ss@one:26379/main'])(
    'lists the password of %s',
    (url) => {
      expect(loadSettings({ REDIS_URL: url }, '/').secrets).toEqual(['pa ss'])
    },
  )

  test('lists keys and URL passwords, not hosts', () => {
    const { secrets } = loadSettings(
      {
        OPENAI_API_KEY: 'sk-1',
        REDIS_URL: 'redis://user:pa%20ss@redis.example.org:6379',
        TELEGRAM_BOT_TOKEN: '42:abc',
      },
      '/',
    )
    expect(secrets.toSorted()).toEqual(['42:abc', 'pa ss', 'sk-1'])
  })
})

test('there are at most 55 variables', () => {
  expect(Object.keys(environment.shape).length).toBeLessThanOrEqual(55)
})
