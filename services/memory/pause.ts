// /memory pause and resume: what a person says is not noticed, suggested, inferred or logged until they lift that; in a group what anybody says there, where
// an owner or an administrator wants it. It is the person's setting `memory_notice`; that of a chat stands under the chat's own name.
import { toChat, type ConversationId, type PrincipalId } from '#shared/chat/conversation.ts'
import type { Localised } from '#shared/chat/message.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { CommandContext } from '#shared/feature/feature.ts'
import type { People } from '#shared/feature/ports.ts'
import { mayChange, sayNotAllowed } from '#shared/feature/rights.ts'
import { say } from '#shared/feature/say.ts'
import { noticeId } from './settings.ts'

type Wish = 'pause' | 'resume'

const wishes: Readonly<Record<string, Wish>> = {
  pause: 'pause',
  stop: 'pause',
  off: 'pause',
  暂停: 'pause',
  停: 'pause',
  resume: 'resume',
  continue: 'resume',
  on: 'resume',
  继续: 'resume',
  恢复: 'resume',
}

export const readPause = (args: string): Wish | undefined => wishes[args.toLowerCase()]

const settings = { pause: 'off', resume: 'on' } as const

/** Safe to repeat. */
export async function pause(
  { setChoice }: Pick<People, 'setChoice'>,
  context: CommandContext,
  wish: Wish,
): Promise<readonly StepEffect<never>[]> {
  const { language, event, conversation, principal } = context
  if (!mayChange(event.group, context)) return sayNotAllowed(language)
  await setChoice(event.group ? toChat(conversation) : principal, noticeId, settings[wish])
  const { zh, en } = (event.group ? ofGroup : ofPerson)[wish]
  return say(language, zh, en)
}

const ofPerson = {
  pause: {
    zh: '暂停了：在所有聊天里，你说的我不再留意、不提议记、也不写进当天的日志。你说“记住……”我还是照记。`/memory 继续` 恢复。',
    en: 'Paused: in all chats I notice nothing of what you say, suggest nothing of it, and the day’s log has none of it. What you have me remember is still kept. `/memory resume` lifts that.',
  },
  resume: { zh: '恢复了：你说的我会再留意。', en: 'I notice again what you say.' },
} as const
const ofGroup = {
  pause: {
    zh: '暂停了：这个群里说的我不再留意，也不写进当天的日志。“记住……”我还是照记。`/memory 继续` 恢复。',
    en: 'Paused: I notice nothing of what is said in this group, and the day’s log has none of it. What you have me remember is still kept. `/memory resume` lifts that.',
  },
  resume: { zh: '恢复了：这个群里说的我会再留意。', en: 'I notice again what is said in this group.' },
} as const

/** For who looks at memory, or has something kept, all the same. */
export const pausedNote: Localised = {
  zh: '记忆暂停着，只记你让我记的；`/memory 继续` 恢复。',
  en: 'Memory is paused: I keep what you order alone. `/memory resume` lifts that.',
}

/** Whether nothing is to be made of what this person says here. It is asked each time, so that it holds at once. Throws BotError `store-unavailable`. */
export async function isPaused(
  { findChoice }: Pick<People, 'findChoice'>,
  { principal, conversation }: { readonly principal: PrincipalId; readonly conversation: ConversationId },
): Promise<boolean> {
  const names = [...new Set([principal, toChat(conversation)])]
  const chosen = await Promise.all(names.map((one) => findChoice(one, noticeId)))
  return chosen.includes('off')
}
