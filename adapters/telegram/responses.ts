// The parts of the Bot API's responses that are read, checked. Whatever else answers at its address, a gateway, a proxy, a captive portal,
// must be known by its answer not being one of these. https://core.telegram.org/bots/api#making-requests
import { z } from 'zod'

/** Why a response counts for nothing. */
export const oddResponse = 'an answer that is not Telegram\u2019s'

/** Every response is one of the two; an error without a code comes from somebody else. */
export const envelope = z.union([
  z.object({ ok: z.literal(true), result: z.unknown().refine((result) => result !== undefined) }),
  z.object({
    ok: z.literal(false),
    error_code: z.number().int().min(400).max(599),
    description: z.string(),
  }),
])

/** What helps to mend an error, as far as it can be read. Nobody is asked to wait longer than a day. */
export const advice = z
  .object({
    retry_after: z
      .number()
      .nonnegative()
      .transform((seconds) => Math.min(seconds, 86_400))
      .optional()
      .catch(undefined),
    migrate_to_chat_id: z.number().int().optional().catch(undefined),
  })
  .catch({})

/** Of what only needs to be done. */
export const done = z.literal(true)

export const self = z.object({
  id: z.number().int(),
  username: z.string(),
  can_join_groups: z.boolean().default(false),
  can_read_all_group_messages: z.boolean().default(false),
})

/** Sent or edited; an edit may be answered with `true` instead. */
export const message = z.object({ message_id: z.number().int(), chat: z.object({ id: z.number().int() }) })
export const edited = message.or(done)

/** What the updates hold is looked at one by one. */
export const updateList = z.array(z.unknown())

export const commandList = z.array(z.object({ command: z.string(), description: z.string() }))

export const adminList = z.array(
  z.object({ user: z.object({ id: z.number().int() }), is_anonymous: z.boolean().default(false) }),
)

export const hook = z.object({
  url: z.string().default(''),
  pending_update_count: z.number().int().nonnegative(),
  last_error_message: z.string().optional(),
})

export const chatInfo = z.object({
  id: z.number().int(),
  title: z.string().optional(),
  permissions: z.object({ can_send_messages: z.boolean().optional() }).optional(),
})

export const chatMember = z.object({
  status: z.string(),
  is_member: z.boolean().optional(),
  can_send_messages: z.boolean().optional(),
})
