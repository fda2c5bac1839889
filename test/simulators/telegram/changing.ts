// The methods that change what is there: edits, deletions, reactions, answers to presses.
// Refuses what Telegram refuses: unknown messages, others' messages, edits that change nothing, late and second answers.
import { z } from 'zod'
import { badRequest } from './api-error.ts'
import { checkMarkup, isSameMarkup } from './buttons.ts'
import { check, editMessageTextParams, messageParams, type CallParams } from './params.ts'
import { formatBody, readRich, toRichMessage, unfurl } from './sending.ts'
import { tgReplyMarkup, type TgMessage } from './types.ts'
import { findMessage, findWritableChat, type ChatState, type StoredMessage, type World } from './world.ts'

const notModified =
  'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message'
const notificationLimit = 200
/** The reactions bots may set. https://core.telegram.org/bots/api#reactiontypeemoji */
const reactions = new Set([
  ...Array.from(
    '❤👍👎🔥🥰👏😁🤔🤯😱🤬😢🎉🤩🤮💩🙏👌🕊🤡🥱🥴😍🐳🌚🌭💯🤣⚡🍌🏆💔🤨😐🍓🍾💋🖕😈😴😭🤓👻👀🎃🙈😇😨🤝✍🤗🫡🎅🎄☃💅🤪🗿🆒💘🙉🦄😘💊🙊😎👾🤷😡',
  ),
  '👨‍💻',
  '❤‍🔥',
  '🤷‍♂',
  '🤷‍♀',
])

export function editMessageText(world: World, { fields }: CallParams): TgMessage {
  const params = check(editMessageTextParams, fields)
  const { state, message } = findOwnMessage(world, params)
  checkMarkup(params.reply_markup)
  if (params.rich_message !== undefined) return editRich(world, { state, message }, params)
  const { text, entities } = formatBody(params.text ?? '', params.parse_mode, params.entities)
  if (text === '') throw badRequest('message text is empty')
  const { wire } = message
  if (wire.text === undefined && message.rich === undefined) throw badRequest('there is no text in the message to edit')
  const isSame =
    wire.text === text &&
    JSON.stringify(wire.entities ?? []) === JSON.stringify(entities) &&
    isSameMarkup(wire.reply_markup, params.reply_markup)
  if (isSame) throw badRequest(notModified)
  message.texts.push(text)
  message.rich = undefined
  message.wire = {
    ...wire,
    rich_message: undefined,
    text,
    entities: entities.length > 0 ? entities : undefined,
    // Without a keyboard in the request the old one goes, as in Telegram.
    reply_markup: params.reply_markup,
    link_preview_options: params.link_preview_options,
    edit_date: Math.floor(Date.now() / 1000),
  }
  unfurl(world, state, message)
  return message.wire
}

type Found = { readonly state: ChatState; readonly message: StoredMessage }

function editRich(world: World, { state, message }: Found, params: z.infer<typeof editMessageTextParams>): TgMessage {
  const rich = readRich(params.rich_message ?? {})
  const isSame =
    JSON.stringify(message.rich) === JSON.stringify(rich) &&
    isSameMarkup(message.wire.reply_markup, params.reply_markup)
  if (isSame) throw badRequest(notModified)
  message.texts.push(rich.text)
  message.rich = rich
  message.wire = {
    ...message.wire,
    text: undefined,
    entities: undefined,
    rich_message: toRichMessage(rich),
    reply_markup: params.reply_markup,
    edit_date: Math.floor(Date.now() / 1000),
  }
  unfurl(world, state, message)
  return message.wire
}

export function editMessageReplyMarkup(world: World, { fields }: CallParams): TgMessage {
  const params = check(messageParams.extend({ reply_markup: tgReplyMarkup.optional() }), fields)
  const { message } = findOwnMessage(world, params)
  checkMarkup(params.reply_markup)
  if (isSameMarkup(message.wire.reply_markup, params.reply_markup)) throw badRequest(notModified)
  message.wire = { ...message.wire, reply_markup: params.reply_markup }
  return message.wire
}

export function deleteMessage(world: World, { fields }: CallParams): true {
  const params = check(messageParams, fields)
  const state = findWritableChat(world, params.chat_id)
  const message = findMessage(state, params.message_id)
  if (message === undefined) throw badRequest('message to delete not found')
  const mayDelete = message.fromBot || state.chat.type === 'private' || state.admins.has(world.bot.id)
  if (!mayDelete) throw badRequest("message can't be deleted")
  message.isDeleted = true
  return true
}

const reactionParams = messageParams.extend({
  reaction: z.array(z.looseObject({ type: z.string(), emoji: z.string().optional() })).default([]),
})

export function setMessageReaction(world: World, { fields }: CallParams): true {
  const params = check(reactionParams, fields)
  const message = findMessage(findWritableChat(world, params.chat_id), params.message_id)
  if (message === undefined) throw badRequest('message to react not found')
  const [first, second] = params.reaction
  if (second !== undefined) throw badRequest('REACTIONS_TOO_MANY')
  const emoji = first?.emoji?.replaceAll('\uFE0F', '')
  if (first !== undefined && (emoji === undefined || !reactions.has(emoji))) throw badRequest('REACTION_INVALID')
  message.reaction = emoji
  return true
}

const answerParams = z.looseObject({
  callback_query_id: z.string(),
  text: z.string().optional(),
  show_alert: z.boolean().optional(),
})

/** A press can be answered once, within `timeoutMs` of it. */
export function answerCallbackQuery(world: World, { fields }: CallParams, timeoutMs: number): true {
  const params = check(answerParams, fields)
  const press = world.presses.get(params.callback_query_id)
  if (press === undefined || press.answer !== undefined || Date.now() - press.at > timeoutMs) {
    throw badRequest('query is too old and response timeout expired or query ID is invalid')
  }
  if ((params.text?.length ?? 0) > notificationLimit) throw badRequest('MESSAGE_TOO_LONG')
  press.answer = { text: params.text, alert: params.show_alert === true, at: Date.now() }
  return true
}

function findOwnMessage(
  world: World,
  params: { readonly chat_id: number | string; readonly message_id: number },
): Found {
  const state = findWritableChat(world, params.chat_id)
  const message = findMessage(state, params.message_id)
  if (message === undefined) throw badRequest('message to edit not found')
  if (!message.fromBot) throw badRequest("message can't be edited")
  return { state, message }
}
