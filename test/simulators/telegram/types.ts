// The Bot API objects the simulator deals in, as far as it knows them. Wire names (snake_case) are Telegram's.
// https://core.telegram.org/bots/api#available-types
import { z } from 'zod'

export const tgUser = z.object({
  id: z.number().int(),
  is_bot: z.boolean(),
  first_name: z.string(),
  username: z.string().optional(),
  language_code: z.string().optional(),
})
export type TgUser = z.infer<typeof tgUser>

export type TgChat = {
  readonly id: number
  readonly type: 'private' | 'group' | 'supergroup'
  readonly title?: string
  readonly first_name?: string
  readonly username?: string | undefined
  readonly is_forum?: true
}

/** Offsets and lengths count UTF-16 units. */
export const tgEntity = z.object({
  type: z.string(),
  offset: z.number().int(),
  length: z.number().int(),
  url: z.string().optional(),
  user: tgUser.optional(),
  language: z.string().optional(),
  custom_emoji_id: z.string().optional(),
})
export type TgEntity = z.infer<typeof tgEntity>

export const tgButton = z.looseObject({
  text: z.string(),
  callback_data: z.string().optional(),
  url: z.string().optional(),
})
export type TgButton = z.infer<typeof tgButton>

export const tgReplyMarkup = z.looseObject({ inline_keyboard: z.array(z.array(tgButton)).optional() })
export type TgReplyMarkup = z.infer<typeof tgReplyMarkup>

export const tgLinkPreview = z.looseObject({ is_disabled: z.boolean().optional(), url: z.string().optional() })
export type TgLinkPreview = z.infer<typeof tgLinkPreview>

/** A message as it goes over the wire; media and service fields are extra. */
export type TgMessage = {
  readonly message_id: number
  readonly date: number
  readonly chat: TgChat
  readonly from: TgUser
  readonly message_thread_id?: number | undefined
  readonly is_topic_message?: true | undefined
  readonly reply_to_message?: TgMessage | undefined
  readonly text?: string | undefined
  readonly entities?: readonly TgEntity[] | undefined
  readonly caption?: string | undefined
  readonly caption_entities?: readonly TgEntity[] | undefined
  readonly edit_date?: number | undefined
  readonly reply_markup?: TgReplyMarkup | undefined
  readonly link_preview_options?: TgLinkPreview | undefined
  readonly [extra: string]: unknown
}

/** An update: its id and one field named after its kind. */
export type TgUpdate = { readonly update_id: number; readonly [kind: string]: unknown }
