// The table of Bot API methods, and the small ones themselves. A method reads its parameters, changes the world and returns the
// result, or throws an ApiError; nothing here speaks HTTP.
import { z } from 'zod'
import { ApiError, badRequest } from './api-error.ts'
import {
  answerCallbackQuery,
  deleteMessage,
  editMessageReplyMarkup,
  editMessageText,
  setMessageReaction,
} from './changing.ts'
import { chatField, check, type CallParams } from './params.ts'
import { sendDocument, sendDraft, sendMessage, sendRichMessage } from './sending.ts'
import type { UpdateQueue } from './updates.ts'
import type { Webhook } from './webhook.ts'
import { findReachedChat, findWritableChat, userOf, type World } from './world.ts'

const downloadLimitBytes = 20 * 1024 * 1024

export type MethodDeps = {
  readonly world: World
  readonly queue: UpdateQueue
  readonly webhook: Webhook
  /** How long a press can be answered. */
  readonly callbackTimeoutMs: number
}

export type Method = (params: CallParams, gone: AbortSignal) => unknown

export function createMethods(deps: MethodDeps): Readonly<Record<string, Method>> {
  const { world, queue, webhook } = deps
  return {
    getMe: () => getMe(world),
    getUpdates: ({ fields }, gone) => queue.poll(check(pollParams, fields), gone),
    setWebhook: ({ fields }) => {
      const settings = check(webhookParams, fields)
      if (settings.url === '') webhook.remove(settings.drop_pending_updates === true)
      else webhook.set(settings)
      return true
    },
    deleteWebhook: ({ fields }) => {
      webhook.remove(check(dropParams, fields).drop_pending_updates === true)
      return true
    },
    getWebhookInfo: () => webhook.info(),
    sendMessage: (params) => sendMessage(world, params),
    sendRichMessage: (params) => sendRichMessage(world, params),
    sendDocument: (params) => sendDocument(world, params),
    sendMessageDraft: (params) => sendDraft(world, params),
    sendRichMessageDraft: (params) => sendDraft(world, params),
    editMessageText: (params) => editMessageText(world, params),
    editMessageReplyMarkup: (params) => editMessageReplyMarkup(world, params),
    deleteMessage: (params) => deleteMessage(world, params),
    setMessageReaction: (params) => setMessageReaction(world, params),
    answerCallbackQuery: (params) => answerCallbackQuery(world, params, deps.callbackTimeoutMs),
    sendChatAction: (params) => sendChatAction(world, params),
    getFile: (params) => getFile(world, params),
    getChat: (params) => getChat(world, params),
    getChatMember: (params) => getChatMember(world, params),
    getChatAdministrators: (params) => getChatAdministrators(world, params),
    leaveChat: (params) => leaveChat(world, params),
    setMyCommands: (params) => setMyCommands(world, params),
    getMyCommands: (params) => world.commands.get(commandScope(params)) ?? [],
    deleteMyCommands: (params) => {
      world.commands.delete(commandScope(params))
      return true
    },
  }
}

const pollParams = z.looseObject({
  offset: z.number().int().optional(),
  limit: z.number().int().optional(),
  timeout: z.number().int().optional(),
  allowed_updates: z.array(z.string()).optional(),
})
const webhookParams = z.looseObject({
  url: z.string(),
  secret_token: z.string().optional(),
  max_connections: z.number().int().min(1).max(100).optional(),
  allowed_updates: z.array(z.string()).optional(),
  drop_pending_updates: z.boolean().optional(),
})
const dropParams = z.looseObject({ drop_pending_updates: z.boolean().optional() })

function getMe(world: World): object {
  return {
    ...world.bot,
    can_join_groups: world.canJoinGroups,
    can_read_all_group_messages: world.canReadAllGroupMessages,
    supports_inline_queries: false,
    can_connect_to_business: false,
    has_main_web_app: false,
    has_topics_enabled: false,
    allows_users_to_create_topics: false,
    can_manage_bots: false,
    supports_join_request_queries: false,
  }
}

const actionParams = z.looseObject({
  chat_id: chatField,
  message_thread_id: z.number().int().optional(),
  action: z.enum([
    ...(['typing', 'upload_photo', 'record_video', 'upload_video', 'record_voice', 'upload_voice'] as const),
    ...(['upload_document', 'choose_sticker', 'find_location', 'record_video_note', 'upload_video_note'] as const),
  ]),
})

function sendChatAction(world: World, { fields }: CallParams): true {
  const params = check(actionParams, fields)
  const state = findWritableChat(world, params.chat_id)
  const topic = params.message_thread_id
  if (topic !== undefined && !state.topics.has(topic)) throw badRequest('message thread not found')
  state.action = { action: params.action, at: Date.now(), topic }
  return true
}

function getFile(world: World, { fields }: CallParams): object {
  const { file_id } = check(z.looseObject({ file_id: z.string() }), fields)
  const file = world.files.get(file_id)
  if (file === undefined) throw badRequest('invalid file_id')
  if (file.size > downloadLimitBytes) throw badRequest('file is too big')
  return { file_id, file_unique_id: `u-${file_id}`, file_size: file.size, file_path: `files/${file_id}` }
}

const onlyChat = z.looseObject({ chat_id: chatField })

function getChat(world: World, { fields }: CallParams): object {
  const { chat, mayMembersWrite } = findReachedChat(world, check(onlyChat, fields).chat_id)
  const permissions = chat.type === 'private' ? undefined : { can_send_messages: mayMembersWrite }
  return { ...chat, permissions, accent_color_id: 0, max_reaction_count: 11, accepted_gift_types: {} }
}

function getChatMember(world: World, { fields }: CallParams): object {
  const params = check(z.looseObject({ chat_id: chatField, user_id: z.number().int() }), fields)
  const state = findReachedChat(world, params.chat_id)
  const user = params.user_id === world.bot.id ? world.bot : userOf(world, params.user_id)
  if (user === world.bot && state.closed === 'muted') {
    return { status: 'restricted', user, is_member: true, can_send_messages: false, until_date: 0 }
  }
  return { status: state.admins.has(params.user_id) ? 'administrator' : 'member', user }
}

/** Who hides behind the group is told to the bot all the same. */
function getChatAdministrators(world: World, { fields }: CallParams): object[] {
  const state = findReachedChat(world, check(onlyChat, fields).chat_id)
  if (state.chat.type === 'private') throw badRequest('there are no administrators in the private chat')
  return [...state.admins].map((user) => ({
    status: 'administrator',
    user: user === world.bot.id ? world.bot : userOf(world, user),
    is_anonymous: state.anonymous.has(user),
  }))
}

function leaveChat(world: World, { fields }: CallParams): true {
  const state = findReachedChat(world, check(onlyChat, fields).chat_id)
  if (state.chat.type === 'private') throw badRequest("chat member status can't be changed in private chats")
  state.closed = 'kicked'
  return true
}

const commandParams = z.looseObject({
  commands: z.array(z.object({ command: z.string(), description: z.string() })).max(100),
})

function setMyCommands(world: World, params: CallParams): true {
  const { commands } = check(commandParams, params.fields)
  for (const { command, description } of commands) {
    if (!/^[a-z0-9_]{1,32}$/.test(command)) throw badRequest('BOT_COMMAND_INVALID')
    if (description.length === 0 || description.length > 256) throw badRequest('BOT_COMMAND_DESCRIPTION_INVALID')
  }
  world.commands.set(commandScope(params), commands)
  return true
}

function commandScope({ fields }: CallParams): string {
  return JSON.stringify([fields['scope'] ?? { type: 'default' }, fields['language_code'] ?? ''])
}

/** What a token that is not the bot's gets. */
export function unauthorized(): ApiError {
  return new ApiError(401, 'Unauthorized')
}
