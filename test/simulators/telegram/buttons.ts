// What Telegram checks of an inline keyboard: every button does one thing, its data is 1 to 64 bytes, its URL is one.
import { badRequest } from './api-error.ts'
import type { TgReplyMarkup } from './types.ts'

const maxDataBytes = 64
const maxButtons = 100
const actions = [
  'callback_data',
  'url',
  'web_app',
  'login_url',
  'switch_inline_query',
  'switch_inline_query_current_chat',
]
const otherActions = ['switch_inline_query_chosen_chat', 'copy_text', 'disabled', 'callback_game', 'pay']

export function checkMarkup(markup: TgReplyMarkup | undefined): void {
  const buttons = (markup?.inline_keyboard ?? []).flat()
  if (buttons.length > maxButtons) throw badRequest('reply markup is too long')
  for (const button of buttons) {
    if (button.text === '') throw badRequest('button text must be non-empty')
    const does = [...actions, ...otherActions].filter((action) => button[action] !== undefined)
    if (does.length !== 1) throw badRequest('text buttons are unallowed in the inline keyboard')
    const { callback_data: data, url } = button
    if (data !== undefined && (data === '' || Buffer.byteLength(data) > maxDataBytes)) {
      throw badRequest('BUTTON_DATA_INVALID')
    }
    if (url !== undefined && !/^(?:https?|tg|mailto|tel):/i.test(url)) throw badRequest('BUTTON_URL_INVALID')
  }
}

/** True when both show the same buttons; no keyboard and an empty one are the same. */
export function isSameMarkup(a: TgReplyMarkup | undefined, b: TgReplyMarkup | undefined): boolean {
  return JSON.stringify(a?.inline_keyboard ?? []) === JSON.stringify(b?.inline_keyboard ?? [])
}
