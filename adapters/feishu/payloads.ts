// The parts of Feishu's events and answers that are read, checked: what comes over the network is trusted in nothing.
// https://open.feishu.cn/document/server-docs/im-v1/message/events/receive
import { z } from 'zod'

/** Ids of people, chats and messages. Ours hold them, so they may hold no more than these signs. */
const id = z.string().regex(/^[\w@.-]{1,64}$/)
/** A time as it stands there, ms since 1970: it need be none. */
const stamp = z.union([z.string().max(32), z.number()]).transform(String)
const maybeStamp = stamp.optional().catch(undefined)
const openId = z.object({ open_id: id })

/** What every event has around it. */
export const anyEvent = z.object({
  schema: z.literal('2.0'),
  header: z.object({
    event_id: z.string().regex(/^[\w:.-]{1,64}$/),
    event_type: z.string().max(100),
    create_time: maybeStamp,
    token: z.string().optional(),
    app_id: z.string(),
  }),
  event: z.unknown(),
})
export type FsEvent = z.infer<typeof anyEvent>

const mention = z.object({
  /** As it stands in the text: `@_user_1`. */
  key: z.string().regex(/^@_\w{1,40}$/),
  id: z.object({ open_id: id.optional().catch(undefined) }).catch({}),
  name: z.string().catch(''),
})
const mostMentions = 1000
/** An entry that cannot be read is left out, and the others stay. */
const mentions = z
  .array(z.unknown())
  .catch([])
  .transform((all) => all.slice(0, mostMentions).flatMap((one) => mention.safeParse(one).data ?? []))
export type FsMention = z.infer<typeof mention>

export const message = z.object({
  sender: z.object({ sender_id: openId.optional().catch(undefined), sender_type: z.string() }),
  message: z.object({
    message_id: id,
    root_id: id.optional().catch(undefined),
    parent_id: id.optional().catch(undefined),
    thread_id: id.optional().catch(undefined),
    create_time: stamp,
    update_time: maybeStamp,
    chat_id: id,
    chat_type: z.string(),
    message_type: z.string().max(64),
    content: z.string(),
    mentions,
  }),
})
export type FsMessage = z.infer<typeof message>

export const recall = z.object({ message_id: id, chat_id: id })

/** Names no chat. */
export const reaction = z.object({
  message_id: id,
  reaction_type: z.object({ emoji_type: z.string().min(1).max(64) }),
  operator_type: z.string(),
  user_id: openId.optional().catch(undefined),
  action_time: maybeStamp,
})

/** The bot came into a chat or went out of it, or the chat is no more. */
export const membership = z.object({
  chat_id: id,
  operator_id: openId.optional().catch(undefined),
})

/** A person chose an entry of the bot's own menu, in their direct chat. */
export const menu = z.object({
  operator: z.object({ operator_name: z.string().nullish(), operator_id: openId }),
  event_key: z.string().max(200),
})

/** A pressed button. `value` is what the card said it carries. */
export const press = z.object({
  operator: openId,
  action: z.object({ tag: z.string(), value: z.unknown().optional() }),
  context: z.object({ open_message_id: id, open_chat_id: id }),
})
export type FsPress = z.infer<typeof press>

export const self = z.object({ bot: z.object({ open_id: id, app_name: z.string().default('') }) })
export const sent = z.object({ message_id: id })
export const reactionId = z.object({ reaction_id: z.string().regex(/^[\w.~=-]{1,200}$/) })
export const createdCard = z.object({ card_id: z.string().regex(/^\w{1,20}$/) })
export const uploaded = z.object({ file_key: z.string().min(1) })

/** A message as it is told when it is asked for; the first is the one, the others are what it forwards. */
export const messageList = z.object({
  items: z
    .array(
      z.object({
        message_id: id,
        msg_type: z.string(),
        chat_id: id.optional(),
        root_id: id.optional().catch(undefined),
        thread_id: id.optional().catch(undefined),
        upper_message_id: id.optional().catch(undefined),
        deleted: z.boolean().default(false),
        sender: z
          .object({ id: z.string().max(64), id_type: z.string(), sender_type: z.string() })
          .optional()
          .catch(undefined),
        body: z.object({ content: z.string() }).optional(),
        mentions: z
          .array(z.object({ key: z.string(), id: z.string(), name: z.string().default('') }))
          .default([])
          .catch([]),
      }),
    )
    .min(1),
})
export type FsItem = z.infer<typeof messageList>['items'][number]

export const chat = z.object({
  name: z.string().nullish(),
  chat_mode: z.string(),
  owner_id: id.optional().catch(undefined),
  user_manager_id_list: z.array(id).nullish().catch(undefined),
})
export type FsChat = z.infer<typeof chat>

export const user = z.object({ user: z.object({ name: z.string().default('') }) })
