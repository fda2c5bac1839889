// A pressed button: resolved in Redis first, so that the toast tells what really happened; then the spinner is ended at once.
// A button's data is `<question>.<choice>`; anything else is forged or from another time.
import { cleanName } from '#shared/chat/clean-text.ts'
import type { Language } from '#shared/chat/message.ts'
import { BotError } from '#shared/errors.ts'
import type { Hints } from '#queues/jobs/hints.ts'
import type { Kernel, ResolveResult } from '#queues/kernel/kernel.ts'
import type { BotApi } from './bot-api.ts'
import { toConversation, toPrincipal } from './place.ts'
import { pressTexts } from './texts.ts'
import { toLanguage, toName } from './to-event.ts'
import type { TgPress } from './updates.ts'

export type PressDeps = {
  readonly kernel: Pick<Kernel, 'resolve'>
  readonly hints: Pick<Hints, 'inbound'>
  readonly bot: BotApi
  /** ms since 1970; a press comes without a time. */
  readonly now: () => number
}

const answerTimeoutMs = 5000

/**
 * Throws BotError `store-unavailable` when nobody knows yet who won: then the update must come again. The toast is not waited for;
 * the returned promise of it never rejects.
 */
export async function takePress(
  deps: PressDeps,
  press: TgPress,
  id: string,
): Promise<{ readonly answered: Promise<void> }> {
  const language = toLanguage(press.from) ?? 'en'
  let result: ResolveResult
  try {
    result = await resolve(deps, press, id)
  } catch (error) {
    if (error instanceof BotError && error.retry !== 'never') throw error
    return { answered: answer(deps.bot, press.id, pressTexts.trouble[language]) }
  }
  const toast = answer(deps.bot, press.id, toToast(result, press, language))
  if (result.kind === 'WON') deps.hints.inbound(result.conversation).catch(() => {})
  if (!isLeftOver(result, press)) return { answered: toast }
  return { answered: Promise.all([toast, dropButtons(deps.bot, press)]).then(() => undefined) }
}

async function resolve(deps: PressDeps, press: TgPress, id: string): Promise<ResolveResult> {
  const [question = '', choice = ''] = press.data?.split('.', 2) ?? []
  const { message } = press
  if (!message || press.from.is_bot || !/^p\d\d-[a-z0-9]{22}$/.test(question)) return { kind: 'UNKNOWN' }
  const conversation = toConversation(message.chat.id, message.is_topic_message ? message.message_thread_id : undefined)
  const actor = toPrincipal(press.from.id)
  return await deps.kernel.resolve({
    question,
    actor,
    chat: conversation,
    choice,
    event: {
      v: 1,
      id,
      kind: 'answer',
      conversation,
      principal: actor,
      name: cleanName(toName(press.from)),
      at: deps.now(),
      question,
      choice,
      payload: '',
      messageId: String(message.message_id),
    },
  })
}

/**
 * Whether nobody else will take the buttons away: they belong to a question that is no longer known, or to one without a card.
 * What was pressed must be on the message, as Telegram shows it: forged data takes no buttons away.
 */
function isLeftOver(result: ResolveResult, press: TgPress): boolean {
  if (result.kind === 'WON') return result.question.card === undefined
  return result.kind === 'UNKNOWN' && press.data !== undefined && toLabel(press, press.data) !== undefined
}

/** A press that comes again, because its first answer was lost, is told what it was told before. */
function toToast(result: ResolveResult, press: TgPress, language: Language): string {
  if (result.kind === 'WON') return pressTexts.won[language]
  if (result.kind !== 'ALREADY') return pressTexts[result.kind === 'FORBIDDEN' ? 'forbidden' : 'unknown'][language]
  const [question = '', pressed] = press.data?.split('.', 2) ?? []
  const label = toLabel(press, `${question}.${result.choice}`) ?? result.choice
  if (result.by !== toPrincipal(press.from.id)) {
    const by = result.by.slice('telegram:'.length)
    return language === 'zh' ? `${pressTexts.already.zh}${label}（${by}）` : `${pressTexts.already.en}${by}: ${label}`
  }
  return result.choice === pressed ? pressTexts.won[language] : pressTexts.mine[language] + label
}

function toLabel(press: TgPress, data: string): string | undefined {
  const rows = press.message?.reply_markup?.inline_keyboard ?? []
  return rows.flat().find((button) => button.callback_data === data)?.text
}

async function answer(bot: BotApi, id: string, text: string): Promise<void> {
  const short = text.toWellFormed().slice(0, 190).toWellFormed()
  await bot.ask((api, signal) => api.answerCallbackQuery(id, { text: short }, signal), {
    timeoutMs: answerTimeoutMs,
    signal: new AbortController().signal,
  })
}

/** That it may fail is no harm, since a second press is told so. */
async function dropButtons(bot: BotApi, { message }: TgPress): Promise<void> {
  if (!message) return
  await bot.ask((api, signal) => api.editMessageReplyMarkup(message.chat.id, message.message_id, {}, signal), {
    timeoutMs: answerTimeoutMs,
    signal: new AbortController().signal,
  })
}
