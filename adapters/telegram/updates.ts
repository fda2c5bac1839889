// The parts of Telegram's updates that are read, checked: what comes over the network is trusted in nothing.
// https://core.telegram.org/bots/api#update
import { z } from 'zod'

/** What the bot asks for; everything else would be ignored. */
export const allowedUpdates = [
  'message',
  'edited_message',
  'callback_query',
  'my_chat_member',
  'message_reaction',
] as const

const user = z.object({
  id: z.number().int(),
  is_bot: z.boolean().default(false),
  first_name: z.string().default(''),
  last_name: z.string().optional(),
  language_code: z.string().optional(),
})
export type TgUser = z.infer<typeof user>

const chat = z.object({ id: z.number().int(), type: z.string(), title: z.string().optional() })

const entity = z.object({
  type: z.string(),
  offset: z.number().int().nonnegative(),
  length: z.number().int().nonnegative(),
  user: z.object({ id: z.number().int() }).optional(),
})
export type TgEntity = z.infer<typeof entity>

const mostEntities = 2000
/** One that cannot be read takes none of the others along. */
const entities = z
  .array(z.unknown())
  .optional()
  .catch(undefined)
  .transform((all) => all?.slice(0, mostEntities).flatMap((one) => entity.safeParse(one).data ?? []))

/** A chat that speaks as itself: a channel, or an administrator who hides behind the group. That it speaks matters more than its shape. */
const speaker = z.object({ title: z.string().optional() }).catch({})

/** Who wrote what is forwarded, or replied to in another chat. https://core.telegram.org/bots/api#messageorigin */
const origin = z
  .object({
    sender_user: user.optional(),
    sender_user_name: z.string().optional(),
    sender_chat: speaker.optional(),
    chat: speaker.optional(),
  })
  .catch({})
export type TgOrigin = z.infer<typeof origin>

const content = {
  text: z.string().optional(),
  entities,
  caption: z.string().optional(),
  caption_entities: entities,
}
const base = {
  message_id: z.number().int(),
  chat,
  from: user.optional(),
  sender_chat: speaker.optional(),
  message_thread_id: z.number().int().optional(),
  is_topic_message: z.boolean().optional(),
}

/** All other fields are content, read by the table in `content.ts`. */
export const message = z.looseObject({
  ...base,
  ...content,
  date: z.number().int().nonnegative(),
  via_bot: z.unknown().optional(),
  is_automatic_forward: z.boolean().optional(),
  forward_origin: origin.optional(),
  media_group_id: z.string().max(64).optional(),
  quote: z.object({ text: z.string() }).optional(),
  reply_to_message: z
    .looseObject({
      ...base,
      ...content,
      forward_origin: origin.optional(),
      forum_topic_created: z.unknown().optional(),
    })
    .optional(),
  /** A reply to a message of another chat; its text is known only as far as it is quoted. */
  external_reply: z.looseObject({ origin: origin.default({}) }).optional(),
  migrate_to_chat_id: z.number().int().optional(),
  migrate_from_chat_id: z.number().int().optional(),
})
export type TgMessage = z.infer<typeof message>

export const press = z.object({
  id: z.string(),
  from: user,
  data: z.string().optional(),
  message: z
    .object({
      ...base,
      from: z.unknown().optional(),
      reply_markup: z
        .object({
          inline_keyboard: z.array(z.array(z.object({ text: z.string(), callback_data: z.string().optional() }))),
        })
        .optional()
        .catch(undefined),
    })
    .optional(),
})
export type TgPress = z.infer<typeof press>

export const reaction = z.object({
  chat,
  message_id: z.number().int(),
  user: user.optional(),
  date: z.number().int().nonnegative(),
  new_reaction: z.array(z.object({ type: z.string().max(64), emoji: z.string().max(64).optional() })).max(20),
})
export type TgReaction = z.infer<typeof reaction>

const member = z.object({
  status: z.string(),
  is_member: z.boolean().optional(),
  can_send_messages: z.boolean().optional(),
})
export const membership = z.object({
  chat,
  from: user,
  date: z.number().int().nonnegative(),
  old_chat_member: member,
  new_chat_member: member,
})
export type TgMembership = z.infer<typeof membership>

/** An update of any kind; which kind it is, is looked at later. */
export const anyUpdate = z.looseObject({ update_id: z.number().int() })
