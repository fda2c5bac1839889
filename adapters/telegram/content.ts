// The table of what a Telegram message can hold, by the name of its field. Each kind is read (its sender's own words, or words of others),
// told as what it is, a repetition of another field, or a service message, which stays silent. A kind that is not in the table, such as one
// that Telegram adds later, is told as unknown, so that it never stays without an answer. Pure.
// https://core.telegram.org/bots/api#message
import { z } from 'zod'
import { unknownKind, type Media } from '#shared/chat/quotation.ts'
import { describe } from './describe.ts'
import { toRichWords } from './rich-words.ts'
import type { TgEntity } from './updates.ts'

export type Content = {
  readonly text: string
  readonly entities: readonly TgEntity[]
  /** Words that its sender did not choose: of a contact, a place, a game. */
  readonly others: readonly string[]
  readonly media: readonly Media[]
  /** Telegram tells of something that was done, such as a pin; nobody said anything. */
  readonly isService: boolean
}

type Carrier = {
  readonly [field: string]: unknown
  readonly text?: string | undefined
  readonly entities?: readonly TgEntity[] | undefined
  readonly caption?: string | undefined
  readonly caption_entities?: readonly TgEntity[] | undefined
}

/** Undefined where it cannot be read: then it is told as what it is. */
type Read = (value: unknown) => string | undefined

const short = z.string().transform((text) => text.toWellFormed().slice(0, 1000))
const parts = <T extends z.ZodType>(one: T) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((all) => all.slice(0, 200).flatMap((part) => one.safeParse(part).data ?? []))
const reader =
  <T>(shape: z.ZodType<T>, toText: (value: T) => string): Read =>
  (value) => {
    const read = shape.safeParse(value)
    return read.success ? toText(read.data) : undefined
  }

const point = z.object({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) })
const toPoint = ({ latitude, longitude }: z.infer<typeof point>): string => `${latitude}, ${longitude}`

/** What its sender wrote or chose themselves. */
const ownWords: Readonly<Record<string, Read>> = {
  checklist: reader(
    z.object({ title: short, tasks: parts(z.object({ text: short, completion_date: z.number().optional() })) }),
    ({ title, tasks }) =>
      [title, ...tasks.map(({ text, completion_date: at = 0 }) => `${at > 0 ? '☑' : '☐'} ${text}`)].join('\n'),
  ),
  poll: reader(z.object({ question: short, options: parts(z.object({ text: short })) }), ({ question, options }) =>
    [`Poll: ${question}`, ...options.map(({ text }) => `- ${text}`)].join('\n'),
  ),
  location: reader(point, (at) => `Location: ${toPoint(at)}`),
}

/** What somebody else wrote: a contact is called as its owner likes, a venue as its owner does. */
const othersWords: Readonly<Record<string, Read>> = {
  contact: reader(
    z.object({ phone_number: short, first_name: short, last_name: short.optional() }),
    ({ phone_number: phone, first_name: first, last_name: last = '' }) =>
      `Contact: ${`${first} ${last}`.trim()}, ${phone}`,
  ),
  venue: reader(
    z.object({ title: short, address: short, location: point }),
    ({ title, address, location }) => `Venue: ${title}, ${address} (${toPoint(location)})`,
  ),
  game: reader(
    z.object({ title: short, description: short }),
    ({ title, description }) => `Game: ${title}. ${description}`,
  ),
  invoice: reader(
    z.object({ title: short, description: short }),
    ({ title, description }) => `Invoice: ${title}. ${description}`,
  ),
  giveaway: reader(
    z.object({ winner_count: z.number(), prize_description: short.default('') }),
    ({ winner_count: winners, prize_description: prize }) => `Giveaway, winners: ${winners}. ${prize}`,
  ),
}

const called: Readonly<Record<string, Read>> = {
  sticker: reader(z.object({ emoji: z.string().max(40) }), ({ emoji }) => emoji),
  dice: reader(z.object({ emoji: z.string().max(40), value: z.number() }), ({ emoji, value }) => `${emoji} ${value}`),
}

/** Told as what it is. */
const told = toNames(
  `photo document voice audio video video_note animation sticker dice story paid_media giveaway_winners`,
)

/** What Telegram repeats in another field for old clients: the first stands for the second. */
const doubles: readonly (readonly [string, string])[] = [
  ['animation', 'document'],
  ['live_photo', 'photo'],
  ['venue', 'location'],
]

/** Told as what it is, though it has words or a field of its own. */
const alias: Readonly<Record<string, string>> = { live_photo: 'photo' }

const service = toNames(`
  new_chat_members new_chat_member new_chat_participant left_chat_member left_chat_participant chat_owner_left chat_owner_changed
  new_chat_title new_chat_photo delete_chat_photo group_chat_created supergroup_chat_created channel_chat_created pinned_message
  message_auto_delete_timer_changed migrate_to_chat_id migrate_from_chat_id successful_payment refunded_payment users_shared
  user_shared chat_shared connected_website write_access_allowed passport_data proximity_alert_triggered boost_added
  chat_background_set checklist_tasks_done checklist_tasks_added poll_option_added poll_option_deleted direct_message_price_changed
  paid_message_price_changed forum_topic_created forum_topic_edited forum_topic_closed forum_topic_reopened
  general_forum_topic_hidden general_forum_topic_unhidden giveaway_created giveaway_completed gift unique_gift gift_upgrade_sent
  suggested_post_approved suggested_post_approval_failed suggested_post_declined suggested_post_paid suggested_post_refunded
  managed_bot_created community_chat_added community_chat_removed community_chat_joined web_app_data video_chat_scheduled
  video_chat_started video_chat_ended video_chat_participants_invited voice_chat_scheduled voice_chat_started voice_chat_ended
  voice_chat_participants_invited`)

export function toContent(one: Carrier): Content {
  const doubled = new Set(doubles.flatMap(([main, double]) => (has(one, main) ? [double] : [])))
  const fields = (names: readonly string[]): string[] => names.filter((name) => has(one, name) && !doubled.has(name))
  const rich = one['rich_message'] === undefined ? undefined : toRichWords(one['rich_message'])
  const own = fields(Object.keys(ownWords)).map((name) => ({ name, text: ownWords[name]?.(one[name]) }))
  const others = fields(Object.keys(othersWords)).map((name) => ({ name, text: othersWords[name]?.(one[name]) }))
  const unread = [...own, ...others].filter(({ text }) => text === undefined).map(({ name }) => ({ kind: name }))
  const media = [
    ...fields([...told, ...Object.keys(alias)]).map((name) => toMedia(name, one[name])),
    ...unread,
    ...(rich?.media ?? []),
  ]
  const texts = own.flatMap(({ text }) => text ?? [])
  const words = others.flatMap(({ text }) => text ?? [])
  const said = toSaid(one, { rich, text: texts.join('\n') })
  const isService = service.some((name) => has(one, name))
  // A caption stands under something.
  const isBare = one.caption === undefined ? said.text.trim() === '' && words.length === 0 : true
  const isUnknown = !isService && media.length === 0 && isBare && one.text === undefined
  return { ...said, others: words, media: isUnknown ? [{ kind: unknownKind }] : media, isService }
}

const has = (one: Carrier, name: string): boolean => one[name] !== undefined && one[name] !== null

function toMedia(name: string, value: unknown): Media {
  const word = called[name]?.(value)
  return { ...describe(alias[name] ?? name, value), ...(word === undefined ? {} : { name: word }) }
}

function toSaid(
  one: Carrier,
  { rich, text }: { readonly rich: Pick<Content, 'text' | 'entities'> | undefined; readonly text: string },
): Pick<Content, 'text' | 'entities'> {
  if (one.text !== undefined) return { text: one.text, entities: one.entities ?? [] }
  if (rich !== undefined && rich.text.trim() !== '') return { text: rich.text, entities: rich.entities }
  if (one.caption !== undefined) return { text: one.caption, entities: one.caption_entities ?? [] }
  return { text, entities: [] }
}

function toNames(list: string): readonly string[] {
  return list.trim().split(/\s+/)
}
