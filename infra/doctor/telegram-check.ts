// Whether the Telegram token is valid and updates can arrive.
import { Api, GrammyError } from 'grammy'
import type { TelegramSettings } from '#infra/config/settings.ts'
import type { Finding } from './checks.ts'

export async function checkTelegram(settings: TelegramSettings | undefined): Promise<Finding[]> {
  if (!settings) return [{ level: 'ok', about: 'Telegram', found: 'not configured (TELEGRAM_BOT_TOKEN)' }]
  const api = new Api(settings.token, {
    ...(settings.apiRoot ? { apiRoot: settings.apiRoot } : {}),
    timeoutSeconds: 10,
  })
  try {
    const me = await api.getMe()
    const hook = await api.getWebhookInfo()
    const findings: Finding[] = [{ level: 'ok', about: 'Telegram', found: `the token is @${me.username}'s` }]
    if (settings.webhook === undefined && hook.url) {
      findings.push({
        level: 'error',
        about: 'Telegram',
        found: 'a webhook is set, so polling gets nothing',
        fix: 'Restart the telegram process, which removes it, or set TELEGRAM_WEBHOOK_URL.',
      })
    }
    if (settings.webhook && hook.last_error_message) {
      findings.push({
        level: 'warning',
        about: 'Telegram webhook',
        found: hook.last_error_message,
        fix: 'Check that TELEGRAM_WEBHOOK_URL reaches this fleet over HTTPS.',
      })
    }
    return findings
  } catch (error) {
    const refused = error instanceof GrammyError
    const fix = refused
      ? 'Get the token from @BotFather and set TELEGRAM_BOT_TOKEN.'
      : 'Check the network and TELEGRAM_API_ROOT.'
    return [
      { level: 'error', about: 'Telegram', found: refused ? error.description : 'the Bot API cannot be reached', fix },
    ]
  }
}
