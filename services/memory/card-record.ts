// The card of /memory with one record: all of its text, who said it and where, how often it was used, and what may be done with it.
import { parseConversation, type Channel } from '#shared/chat/conversation.ts'
import type { Localised } from '#shared/chat/message.ts'
import { ofPerson, type MemoryRecord } from '#shared/memory/record.ts'
import type { Choice } from '#shared/run/question.ts'
import { tellReasons } from './anchor-words.ts'
import { isAnswered, tellWhen } from './answers.ts'
import { toAsk, type Asked, type Effects, type Showing } from './card-list.ts'
import { toMessageLink } from './message-link.ts'
import { mayTouch, toSeen, type OnCard } from './on-card.ts'
import { toLabel, toPlace } from './place.ts'
import type { MemoryDeps } from './ports.ts'
import { groupsId } from './settings.ts'
import { cameOf, describe, toDay, toShown } from './words.ts'

export async function toRecordCard(
  deps: MemoryDeps,
  asked: Asked,
  { at, record, showing }: { readonly at: OnCard; readonly record: MemoryRecord; readonly showing: Showing },
): Promise<Effects> {
  const { language } = at
  const zone = (await asked.zone()) ?? deps.timeZone
  const isAllAllowed = !at.group && (await deps.findChoice(asked.principal, groupsId)) === 'on'
  const lines = [
    ...(showing.note === undefined ? [] : [`${showing.note}\n`]),
    `**${toOwnLabel(record, at, asked)}** ${toShown(record.text)}`,
    ...tellMore(record, { at, asked, zone, nowMs: deps.now() }).map((line) => `- ${line}`),
    ...(isAllAllowed ? [`- ${words.all[language]}`] : []),
    ...(mayTouch(record, at, asked) ? [] : [`\n${words.others[language]}`]),
  ]
  const { asks: _asks, ...open } = { ...at, open: toSeen(record) }
  const { inPlace } = showing
  return [
    {
      ...toAsk(open, asked, toButtons(record, at, { ...asked, isAllAllowed })),
      text: lines.join('\n'),
      inPlace,
      cameOf: cameOf([record]),
    },
  ]
}

export const toOwnLabel = (record: Pick<MemoryRecord, 'scope' | 'number'>, at: OnCard, asked: Asked): string =>
  toLabel(record, toPlace({ ...asked, group: at.group }))

type Telling = { readonly at: OnCard; readonly asked: Asked; readonly zone: string; readonly nowMs: number }

function tellMore(record: MemoryRecord, { at, asked, zone, nowMs }: Telling): readonly string[] {
  const { language } = at
  const { principal } = asked
  const isChinese = language === 'zh'
  const { status, confirmedBy, uses, lastUsedAt, supersededBy } = record
  const by = status === 'confirmed' ? confirmedBy : undefined
  const who = by === principal ? (isChinese ? '你' : 'you') : `\`${by}\``
  const times = uses === 1 ? 'time' : 'times'
  return [
    describe(record, { principal, language, zone, nowMs }),
    ...tellReasons(record, language),
    ...(isAnswered(record) ? [`${words.answer[language]}${tellWhen(record, language, zone)}`] : []),
    ...tellSources(record, at, asked),
    ...(by === undefined ? [] : [isChinese ? `由${by === principal ? who : ` ${who} `}确认` : `confirmed by ${who}`]),
    ...(lastUsedAt === undefined
      ? []
      : [
          isChinese
            ? `用过 ${uses} 次，最近在 ${toDay(lastUsedAt, zone)}`
            : `used ${uses} ${times}, last on ${toDay(lastUsedAt, zone)}`,
        ]),
    ...(supersededBy === undefined
      ? []
      : [isChinese ? `第 ${supersededBy} 条取代了它` : `number ${supersededBy} took its place`]),
  ]
}

const channelNames: Readonly<Record<Channel, Localised>> = {
  telegram: { zh: 'Telegram', en: 'Telegram' },
  discord: { zh: 'Discord', en: 'Discord' },
  feishu: { zh: '飞书', en: 'Feishu' },
  web: { zh: '网页', en: 'the page' },
  console: { zh: '终端', en: 'the terminal' },
}
const mostSources = 3

/** Where it was said, the newest first. In a group nothing is told of other chats. */
function tellSources({ from }: MemoryRecord, { language, group }: OnCard, { conversation }: Asked): readonly string[] {
  const isChinese = language === 'zh'
  const own = from.filter((one) => one.messages.length > 0 && (!group || one.conversation === conversation))
  const told = own.toReversed().slice(0, mostSources)
  const lines = told.map((one) => {
    const isHere = one.conversation === conversation
    const link = isHere ? toMessageLink(conversation, one.messages.at(-1) ?? '', { group }) : undefined
    const message = link === undefined ? '' : isChinese ? `：[那条消息](${link})` : `: [the message](${link})`
    if (isHere) return `${words.here[language]}${message}`
    const name = channelNames[parseConversation(one.conversation).channel][language]
    return isChinese ? `在别的聊天里说的（${name}）` : `said in another chat (${name})`
  })
  return [...new Set(lines)]
}

type Pressing = Asked & { readonly isAllAllowed: boolean }

function toButtons(record: MemoryRecord, at: OnCard, asked: Pressing): readonly (readonly Choice[])[] {
  const toChoice = (id: keyof typeof labels): Choice => ({ id, label: labels[id][at.language] })
  const back = [toChoice('back')]
  if (!mayTouch(record, at, asked)) return [back]
  if (record.supersededBy !== undefined) return [[toChoice('forget')], back]
  // Of others nobody says what is told in groups, nor where others read already.
  const isOwn = !asked.isAllAllowed && !at.group && record.scope === ofPerson(asked.principal)
  return [
    [toChoice('edit'), toChoice('forget'), toChoice(record.pinned === true ? 'unpin' : 'pin')],
    [
      ...(isOwn ? [toChoice(record.groups ? 'disallow' : 'allow')] : []),
      ...(record.status === 'unconfirmed' ? [toChoice('confirm')] : []),
    ],
    back,
  ]
}

export const labels = {
  edit: { zh: '改', en: 'Edit' },
  forget: { zh: '忘掉', en: 'Forget' },
  pin: { zh: '置顶', en: 'Pin' },
  unpin: { zh: '取消置顶', en: 'Unpin' },
  allow: { zh: '允许在群里用', en: 'Allow in groups' },
  disallow: { zh: '不在群里用', en: 'Not in groups' },
  confirm: { zh: '确认', en: 'Confirm' },
  drop: { zh: '确定忘掉', en: 'Yes, forget it' },
  back: { zh: '返回', en: 'Back' },
} as const satisfies Record<string, Localised>

const words = {
  others: {
    zh: '只有说这话的人、主人和管理员可以改它。',
    en: 'Only who said it, owners and admins can change it.',
  },
  all: {
    zh: '在群里回答你时可能用到（`/config` 里的“群里用记忆”）',
    en: 'may be told in groups, as all that I keep for you (Memory in groups under `/config`)',
  },
  here: { zh: '在这里说的', en: 'said here' },
  answer: { zh: '对我的问题的回答：', en: 'what was answered to my question: ' },
} as const
