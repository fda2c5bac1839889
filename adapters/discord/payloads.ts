// The parts of Discord's gateway events and answers that are read, checked: what comes over the network is trusted in nothing.
// https://docs.discord.com/developers/events/gateway-events
import { z } from 'zod'

export const snowflake = z.string().regex(/^\d{1,20}$/)

const user = z.object({
  id: snowflake,
  username: z.string().default(''),
  global_name: z.string().nullish(),
  bot: z.boolean().default(false),
  system: z.boolean().default(false),
})
export type DcUser = z.infer<typeof user>

const attachment = z.object({
  filename: z.string().catch(''),
  content_type: z.string().nullish().catch(undefined),
  size: z.number().int().nonnegative().optional().catch(undefined),
})

const mostListed = 200
/** An entry that cannot be read is left out, and the others stay. */
const listOf = <T>(one: z.ZodType<T>) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((all) => all.slice(0, mostListed).flatMap((given) => one.safeParse(given).data ?? []))

/** The content of a message; the table in `content.ts` reads it. */
const content = {
  content: z.string().default(''),
  mentions: listOf(user),
  attachments: listOf(attachment),
  sticker_items: listOf(z.object({ name: z.string().catch('') })),
  embeds: z.array(z.unknown()).catch([]),
  components: z.unknown().optional(),
  poll: z.unknown().optional(),
  activity: z.unknown().optional(),
  shared_client_theme: z.unknown().optional(),
  flags: z.number().int().optional().catch(undefined),
  mention_roles: listOf(snowflake),
}

const snapshot = z.object(content)
/** What is forwarded: without its author. */
export type DcSnapshot = z.infer<typeof snapshot>
export type DcContent = DcSnapshot
const snapshots = z
  .array(z.object({ message: snapshot }))
  .optional()
  .catch(undefined)

const reference = z
  .object({ type: z.number().int().default(0), message_id: snowflake.optional() })
  .nullish()
  .catch(undefined)
const referenced = z.object({
  id: snowflake,
  author: user,
  ...content,
  type: z.number().int().default(0),
  webhook_id: snowflake.optional(),
  message_reference: reference,
  message_snapshots: snapshots,
})
export type DcReferenced = z.infer<typeof referenced>

export const message = z.object({
  id: snowflake,
  channel_id: snowflake,
  guild_id: snowflake.optional(),
  author: user,
  member: z.object({ nick: z.string().nullish() }).optional(),
  ...content,
  timestamp: z.string(),
  edited_timestamp: z.string().nullish(),
  webhook_id: snowflake.optional(),
  type: z.number().int(),
  message_reference: reference,
  referenced_message: referenced.nullish().catch(undefined),
  message_snapshots: snapshots,
})
export type DcMessage = z.infer<typeof message>

const plainType = 0
const replyType = 19
/** The newest type that is known to be a note of Discord's about something done, such as a pin; a newer one may be a person's words. */
const newestServiceType = 46

/** https://docs.discord.com/developers/resources/message#message-object-message-types */
export const isService = (type: number): boolean =>
  type !== plainType && type !== replyType && type <= newestServiceType

export const deletion = z.object({ id: snowflake, channel_id: snowflake, guild_id: snowflake.optional() })
export const bulkDeletion = z.object({
  ids: z.array(snowflake).max(1000),
  channel_id: snowflake,
  guild_id: snowflake.optional(),
})

/** Whose message it is stands only where one is added. */
export const reaction = z.object({
  user_id: snowflake,
  channel_id: snowflake,
  message_id: snowflake,
  message_author_id: snowflake.optional(),
  member: z.object({ user: z.object({ bot: z.boolean().optional() }).optional() }).optional(),
  emoji: z.object({ name: z.string().max(100).nullish() }),
})
export type DcReaction = z.infer<typeof reaction>

/** A channel of any kind; a thread when its type is 10, 11 or 12. */
export const channel = z.object({
  id: snowflake,
  type: z.number().int(),
  guild_id: snowflake.optional(),
  parent_id: snowflake.nullish(),
  name: z.string().nullish().catch(undefined),
})
export type DcChannel = z.infer<typeof channel>
const channelList = z.array(channel.or(z.unknown().transform(() => undefined))).default([])

export const guild = z.object({
  id: snowflake,
  name: z.string().default(''),
  joined_at: z.string().nullish(),
  system_channel_id: snowflake.nullish(),
  unavailable: z.boolean().optional(),
  channels: channelList,
  threads: channelList,
})
export type DcGuild = z.infer<typeof guild>
export const guildDeletion = z.object({ id: snowflake, unavailable: z.boolean().optional() })
export const threadList = z.object({ guild_id: snowflake, threads: channelList })

const option = z.object({ name: z.string(), value: z.union([z.string(), z.number(), z.boolean()]).optional() })
export const interaction = z.object({
  id: snowflake,
  application_id: snowflake,
  type: z.number().int(),
  token: z.string().regex(/^[\w.~%-]{1,1000}$/),
  data: z
    .object({ name: z.string().optional(), custom_id: z.string().optional(), options: z.array(option).optional() })
    .optional(),
  guild_id: snowflake.optional(),
  channel_id: snowflake.optional(),
  channel: channel.optional().catch(undefined),
  member: z.object({ user, nick: z.string().nullish(), permissions: z.string().optional() }).optional(),
  user: user.optional(),
  locale: z.string().optional(),
  message: z
    .object({
      id: snowflake,
      channel_id: snowflake.optional(),
      components: z
        .array(
          z.object({
            components: z
              .array(z.object({ custom_id: z.string().optional(), label: z.string().nullish() }))
              .default([]),
          }),
        )
        .default([])
        .catch([]),
    })
    .optional(),
})
export type DcInteraction = z.infer<typeof interaction>

/** What every event of the gateway has. */
export const dispatch = z.object({ t: z.string(), s: z.number().int().nonnegative(), d: z.unknown() })
export type Dispatch = z.infer<typeof dispatch>

const gatewayUrl = z.string().refine((url) => /^wss?:$/.test(URL.parse(url)?.protocol ?? ''))
/** What of the gateway's own messages the library takes as it comes, by opcode. */
export const frames: Readonly<Record<number, z.ZodType>> = {
  9: z.object({ d: z.boolean() }),
  10: z.object({ d: z.object({ heartbeat_interval: z.number().min(50).max(600_000) }) }),
}
export const invalidSession = z.object({ op: z.literal(9), d: z.boolean() })
export const ready = z.object({ d: z.object({ session_id: z.string().min(1), resume_gateway_url: gatewayUrl }) })
export const anyFrame = z.object({ op: z.number().int(), t: z.string().nullish() })

export const self = z.object({ id: snowflake, username: z.string() })
export const gatewayInfo = z.object({
  url: gatewayUrl,
  shards: z.number().int().min(1).max(10_000),
  session_start_limit: z
    .object({ max_concurrency: z.number().int().min(1).default(1) })
    .default({ max_concurrency: 1 }),
})
/** A message or an application, of which only the id is wanted. */
export const withId = z.object({ id: snowflake })
