// A pressed button: resolved first, so that the toast tells what really happened, within the three seconds that Feishu waits. Buttons that
// have had their day are taken away afterwards: a change that comes before the toast is undone by it.
// https://open.feishu.cn/document/feishu-cards/card-callback-communication
import { setTimeout as sleep } from 'node:timers/promises'
import { conversationId, type ConversationId } from '#shared/chat/conversation.ts'
import type { Language } from '#shared/chat/message.ts'
import { resolvePress, type ResolveDeps } from '#adapters/press/resolve-press.ts'
import { pressTexts } from '#adapters/press/texts.ts'
import { buttonValue } from './card.ts'
import { takeButtonsOff, type Sending } from './deliver.ts'
import { toAddress, toConversation, toPrincipal } from './ids.ts'
import { isGroup, type Lookups } from './lookups.ts'
import type { FsPress } from './payloads.ts'
import { remember } from './remember.ts'

export type PressDeps = ResolveDeps & {
  readonly lookups: Pick<Lookups, 'isAdmin' | 'names'>
  /** Takes the buttons off the message of this name, unless that was done lately for this button. */
  dropButtons(message: string, button: string): Promise<void>
  /** Of who presses what carries no language. */
  readonly language: Language
}

/** What Feishu shows to whoever pressed. */
export type Toast = { readonly toast: { readonly type: 'success' | 'warning'; readonly content: string } }

/** Also after what the press undid was made again. */
const afterToastMs = 3000
const editTimeoutMs = 5000

/**
 * Throws BotError `store-unavailable` when nobody knows yet who won. `after`: the card has been changed where that is to be done; it
 * never rejects.
 */
export async function takePress(
  deps: PressDeps,
  press: FsPress,
  id: string,
): Promise<{ readonly toast: Toast; readonly after: Promise<void> }> {
  const value = buttonValue.safeParse(press.action.value).data
  const actor = toPrincipal(press.operator.open_id)
  const conversation = value && findConversation(press, value.to)
  const messageId = press.context.open_message_id
  const language = value?.language ?? deps.language
  const [isAdmin, name = ''] = await Promise.all([
    conversation !== undefined && deps.lookups.isAdmin(conversation, actor),
    deps.lookups.names.find(press.operator.open_id),
  ])
  const { won, dropsButtons, text } = await resolvePress(deps, {
    id,
    data: value?.button,
    conversation,
    actor,
    name,
    messageId,
    isAdmin,
    language,
    labelOf: (data) => value?.labels[data],
    nameOf: (principal) => deps.lookups.names.peek(principal.slice('feishu:'.length)) ?? somebody[language],
  })
  // Of a card that was passed on the message is somebody else's.
  const isOurs = dropsButtons && conversation !== undefined
  const after = isOurs ? deps.dropButtons(messageId, value?.button ?? '') : Promise.resolve()
  return { toast: toToast(won, text), after }
}

const somebody = { zh: '别人', en: 'somebody else' }

export const troubleToast = (language: Language): Toast => toToast(false, pressTexts.trouble[language])

const toToast = (won: boolean, content: string): Toast => ({
  toast: { type: won ? 'success' : 'warning', content: content.toWellFormed().slice(0, 300) },
})

/** A card that was passed on into another chat is none of this one. */
function findConversation({ context, operator }: FsPress, to: string): ConversationId | undefined {
  if (!conversationId.safeParse(to).success || !to.startsWith('feishu:')) return undefined
  const { chat } = toAddress(to)
  const isThere = isGroup(to) ? chat === context.open_chat_id : toConversation(chat) === toPrincipal(operator.open_id)
  return isThere ? to : undefined
}

/** Whoever presses what has had its day again and again must not cost two calls each time. */
export function createDropButtons(sending: Sending, now: () => number): PressDeps['dropButtons'] {
  const limit = () => ({ timeoutMs: editTimeoutMs, signal: new AbortController().signal })
  const dropped = remember<true>({
    async ask(key) {
      await sleep(afterToastMs)
      const [message = ''] = key.split(' ', 1)
      const result = await takeButtonsOff(sending, message, limit())
      return !result || result.kind === 'ok' ? true : undefined
    },
    keepMs: 3_600_000,
    keepFailureMs: 300_000,
    most: 1000,
    now,
  })
  return async (message, button) => {
    await dropped.find(`${message} ${button}`)
  }
}
