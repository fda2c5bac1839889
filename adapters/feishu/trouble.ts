// What a refused or failed call means: for the operator, in plain words with the fix, and for the chat it was made in.
// https://open.feishu.cn/document/server-docs/im-v1/message/create
import { explainBy, toRefusalText, untilSomebodyActsMs } from '#adapters/calls/trouble.ts'
import type { Refused } from '#adapters/calls/call-result.ts'
import { oddResponse, type Missing } from './answers.ts'

const wrongSecret =
  'Feishu refuses the app. Set FEISHU_APP_ID and FEISHU_APP_SECRET to those on the page Credentials & Basic Info (凭证与基础信息) of the developer console, and FEISHU_DOMAIN to feishu or lark, wherever the app was made.'

/** A wrong id, a wrong secret, an app that was switched off. */
const ofApp: Readonly<Record<number, string>> = {
  10_003: wrongSecret,
  10_012: wrongSecret,
  10_013: wrongSecret,
  10_014: wrongSecret,
  10_015: wrongSecret,
  99_991_543: wrongSecret,
  99_991_662: 'The app is switched off: switch it on in the admin console of the tenant.',
  99_991_673: 'The app is not installed in the tenant: publish a version of it, and have an administrator approve it.',
  230_006: 'The app has no bot: add the feature Bot in the developer console, and publish a version.',
  11_205: 'The app has no bot: add the feature Bot in the developer console, and publish a version.',
}

const usedUp =
  'The tenant has used up its calls of this month: Feishu takes no more until the next, or until the plan is changed.'
const missingPermission = 99_991_672
const quota = 99_991_403
const groupsUnread = 230_027
const ofGroupsText =
  'The app may not read messages of groups, so that it knows nothing of what people quote there: add the permission im:message.group_msg in the developer console, and publish a version.'

/** Refusals of where something was to go. */
const ofChats: Readonly<Record<number, string>> = {
  230_002: 'The bot is not in the group.',
  230_013: 'The bot may not be used by this person: widen its availability in the developer console.',
  230_018: 'The settings of the group forbid the bot to write.',
  230_029: 'The person has left the tenant.',
  230_035: 'The bot may not write in the group.',
  230_038: 'The person is of another tenant.',
  230_053: 'The person takes no messages from the bot.',
  232_009: 'The group was dissolved.',
}
const ofChat = new Set(Object.values(ofChats))

/** Refusals of what a message says. */
const ofContent = new Set([230_001, 230_022, 230_025, 230_028, 230_099, 200_621, 200_570, 200_860, 300_304])

/** The chat takes texts, and no cards ("private connection group"). */
const cardless = 230_054
const withdrawn = new Set([230_011, 230_110])
const noCard = 230_001
const beingPressed = 200_810

export const takesNoCards = ({ code }: { readonly code: number }): boolean => code === cardless

/** Whether a message was taken back, by its author or by an administrator. */
export const isWithdrawn = ({ code }: { readonly code: number }): boolean => withdrawn.has(code)

/** Whether a message may be none that shows a card. */
export const isNoCard = ({ code }: { readonly code: number }): boolean => code === noCard

/** Whether a card takes no change for a moment, since Feishu waits for what a press comes to. */
export const isBeingPressed = ({ code }: { readonly code: number }): boolean => code === beingPressed

export const isOfContent = ({ code }: { readonly code: number }): boolean => ofContent.has(code)

/** Whether a row's reason is about where it was to go, not about what it said. */
export const isOfChat = (reason: string): boolean => ofChat.has(reason)

/** Whether nothing can be sent by this app until somebody mends it. */
export const isOfApp = ({ code }: { readonly code: number }): boolean => code in ofApp

/** Whether the app may not ask for this, whoever and whatever it is about. */
export const isOfPermission = ({ code }: { readonly code: number }): boolean => code === missingPermission

/** Whether the app may read messages of direct chats, but none of groups. */
export const isOfGroups = ({ code }: { readonly code: number }): boolean => code === groupsUnread

const ofAppReasons = new Set([...Object.values(ofApp), usedUp])
/** Whether a row's reason is the same for all chats, so that it is told once for all of them. */
export const isOfAppReason = (reason: string): boolean => ofAppReasons.has(reason)

/** Whether a refusal is neither of the app nor of the chat, its rights or its content: then it is of the message that was to be changed. */
export function isOfMessage({ code }: { readonly code: number }): boolean {
  return !(code in ofApp) && !(code in ofChats) && !ofContent.has(code) && code !== missingPermission && code !== quota
}

export const isMissingPermission = ({ code }: { readonly code: number }): boolean => code === missingPermission

/** Whether the tenant has no more calls in this month. */
export const isUsedUp = ({ code }: { readonly code: number }): boolean => code === quota

/** A sentence on why it was refused. */
export function toReasonText({ code, reason, scope }: Refused<Missing>): string {
  if (code === missingPermission) {
    const which = scope === undefined ? 'a permission' : `the permission ${scope}`
    return `The app lacks ${which}: add it in the developer console, and publish a version.`
  }
  if (code === quota) return usedUp
  if (code === groupsUnread) return ofGroupsText
  return ofApp[code] ?? ofChats[code] ?? toRefusalText('Feishu', { code, reason })
}

export const toTrouble = explainBy<Missing>({
  name: 'Feishu',
  api: 'its interface',
  oddResponse,
  root: 'FEISHU_DOMAIN',
  rightRoot: 'set FEISHU_DOMAIN to feishu or lark, or leave it out',
  ofRefusal: (refused) => ({ text: toReasonText(refused), leastMs: untilSomebodyActsMs }),
})
