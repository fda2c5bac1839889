// /reminders: a list with buttons that cancel one. The card repeats what people wrote, so it goes with those messages. In a group each person has
// their own; owners and administrators list those of all.
import { z } from 'zod'
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { Language } from '#shared/chat/message.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { AnswerContext, CommandContext } from '#shared/feature/feature.ts'
import { tellAsking } from '#shared/feature/kept.ts'
import { say } from '#shared/feature/say.ts'
import { disarm, type RemindersDeps } from './set.ts'
import { ofPerson, type Change, type Reminder, type Reminders } from './slice.ts'
import { toSchedule, type Speaking } from './words.ts'

const onPage = 10
const inRow = 5
/** What an administrator may do is not looked at again while a card is open. */
const cardLivesMs = 86_400_000

const shown = z.object({ all: z.boolean(), page: z.number().int().nonnegative() })
type Shown = z.infer<typeof shown>

const whose = (slice: Reminders, who: PrincipalId, { all }: Shown): readonly Reminder[] =>
  all ? slice.reminders : ofPerson(slice, who)

/** Anything behind the command is for owners and administrators: it lists those of all. */
export function list(
  deps: RemindersDeps,
  { principal, language, slice, args }: CommandContext<Reminders>,
): readonly StepEffect<Change>[] {
  const all = args.trim() !== ''
  return toPage({ slice, principal, language, nowMs: deps.now() }, { all, page: 0 })
}

type Listing = Speaking & { readonly slice: Reminders; readonly principal: PrincipalId }

/** `done`: what has just become of one of them, where it stands in the place of the card that was pressed. */
function toPage(listing: Listing, at: Shown, done?: string): readonly StepEffect<Change>[] {
  const { slice, principal, language } = listing
  const found = whose(slice, principal, at)
  const page = found.slice(at.page * onPage, (at.page + 1) * onPage)
  if (done !== undefined && page.length === 0) return [{ kind: 'send', text: done, inPlace: true }]
  if (page.length === 0) return sayNone(language)
  const of =
    found.length > page.length ? ` (${at.page * onPage + 1}–${at.page * onPage + page.length} / ${found.length})` : ''
  const title = language === 'zh' ? `提醒${of}：` : `Reminders${of}:`
  const hasMore = found.length > (at.page + 1) * onPage
  const card = toCard(page, { language, principal, at, hasMore, inPlace: done !== undefined })
  return [
    tellAsking(
      page.map((one) => one.said),
      card,
      (all) => {
        const items = page.flatMap((one, nth) => (all[nth] ? toItem(one, all[nth], { ...listing, all: at.all }) : []))
        return [...(done === undefined ? [] : [`${done}\n`]), title, ...items].join('\n')
      },
    ),
  ]
}

const sayNone = (language: Language): readonly StepEffect<never>[] =>
  say(
    language,
    '这里没有提醒。写例如 `/remind 明天上午9点 浇花` 就有了。',
    'There are no reminders here. `/remind tomorrow 9am water the plants` would set one.',
  )

function toItem(
  one: Reminder,
  { text, name }: { readonly text: string; readonly name?: string },
  speaking: Speaking & { readonly all: boolean },
): string {
  const before = speaking.all ? `${name ?? one.who} — ` : ''
  return `- ${one.id}: ${before}${toSchedule(one, speaking)}: ${text}`
}

type Card = {
  readonly language: Language
  readonly principal: PrincipalId
  readonly at: Shown
  readonly hasMore: boolean
  readonly inPlace: boolean
}

function toCard(page: readonly Reminder[], { language, principal, at, hasMore, inPlace }: Card) {
  const isChinese = language === 'zh'
  const buttons = page.map(({ id }) => ({ id: `c${id}`, label: isChinese ? `取消 ${id}` : `Cancel ${id}` }))
  const rows = Array.from({ length: Math.ceil(buttons.length / inRow) }, (_, i) =>
    buttons.slice(i * inRow, (i + 1) * inRow),
  )
  return {
    question: 'list',
    options: [...rows, ...(hasMore ? [[{ id: 'more', label: isChinese ? '更多' : 'More' }]] : [])],
    payload: JSON.stringify(at),
    topic: `reminders ${principal}`,
    deadlineMs: cardLivesMs,
    inPlace,
  }
}

/** A press on the card. */
export function answerList(
  deps: RemindersDeps,
  { event, principal, language, slice }: AnswerContext<Reminders>,
): readonly StepEffect<Change>[] {
  const at = shown.safeParse(JSON.parse(event.payload)).data ?? { all: false, page: 0 }
  const listing = { slice, principal, language, nowMs: deps.now() }
  if (event.choice === 'more') return toPage(listing, { ...at, page: at.page + 1 })
  const id = Number(event.choice.slice(1))
  const isThere = whose(slice, principal, at).some((one) => one.id === id)
  const left = { ...slice, reminders: slice.reminders.filter((one) => one.id !== id) }
  const done = toPage({ ...listing, slice: isThere ? left : slice }, at, sayCancelled(id, isThere, language))
  return [...(isThere ? cancel(id) : []), ...done]
}

export const cancel = (id: number): readonly StepEffect<Change>[] => [
  { kind: 'change', change: { drop: [id] } },
  disarm(id),
]

function sayCancelled(id: number, isThere: boolean, language: Language): string {
  if (language === 'zh') return isThere ? `提醒 ${id} 已取消。` : `提醒 ${id} 已经不在了。`
  return isThere ? `Reminder ${id} is cancelled.` : `Reminder ${id} is not there any more.`
}
