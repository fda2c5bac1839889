// Which of the operator's settings are secrets.

/** Variables whose values are never shown; URLs may carry a password. */
export const secretVariables: ReadonlySet<string> = new Set([
  'REDIS_URL',
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'FLOTILLA_SEARCH',
  'FLOTILLA_HTTP_SECRETS',
  'MEILISEARCH_KEYS',
  'TELEGRAM_BOT_TOKEN',
  'TELEGRAM_API_ROOT',
  'TELEGRAM_WEBHOOK_URL',
  'TELEGRAM_WEBHOOK_SECRET',
  'DISCORD_BOT_TOKEN',
  'DISCORD_API_ROOT',
  'FEISHU_APP_SECRET',
  'FEISHU_ENCRYPT_KEY',
  'FEISHU_VERIFICATION_TOKEN',
  'FEISHU_WEBHOOK_URL',
])
