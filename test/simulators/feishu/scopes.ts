// The permissions that an application has, by what they govern. Each method and each event needs one of several; where all of them are
// taken away, exactly that is refused (99991672), or no longer delivered.
// https://open.feishu.cn/document/server-docs/application-scope/scope-list

/** Everything a bot of this kind asks for; all granted when the simulator starts. */
export const allScopes = [
  'admin:app.info:readonly',
  'application:application.app_version:readonly',
  'application:application:self_manage',
  'cardkit:card:read',
  'cardkit:card:write',
  'contact:contact.base:readonly',
  'contact:user.base:readonly',
  'contact:user.employee_id:readonly',
  'im:chat:read',
  'im:chat:readonly',
  'im:chat.access_event.bot_p2p_chat:read',
  'im:chat.members:bot_access',
  'im:chat.members:read',
  'im:message',
  'im:message.group_at_msg:readonly',
  'im:message.group_msg',
  'im:message.p2p_msg:readonly',
  'im:message.reactions:read',
  'im:message.reactions:write_only',
  'im:message:readonly',
  'im:message:recall',
  'im:message:send_as_bot',
  'im:message:update',
  'im:resource',
  'im:resource:upload',
] as const

const send = ['im:message:send', 'im:message', 'im:message:send_as_bot']
const update = ['im:message:update', 'im:message', 'im:message:send_as_bot']
const read = ['im:message:readonly', 'im:message']
/** In groups only with this one too (*message/get*). */
export const readingGroups = 'im:message.group_msg'
const react = ['im:message', 'im:message.reactions:write_only']
const chat = ['im:chat:readonly', 'im:chat', 'im:chat:read']
const card = ['cardkit:card:write']

/** By the name of the route; those that are absent need none. */
export const scopesOfRoutes: Readonly<Record<string, readonly string[]>> = {
  createMessage: send,
  replyMessage: send,
  patchMessage: update,
  editMessage: update,
  getMessage: read,
  listMessages: ['im:message.history:readonly', ...read],
  deleteMessage: ['im:message:recall', 'im:message', 'im:message:send_as_bot'],
  addReaction: react,
  removeReaction: react,
  listReactions: ['im:message:readonly', 'im:message.reactions:read'],
  uploadFile: ['im:resource:upload', 'im:resource'],
  uploadImage: ['im:resource:upload', 'im:resource'],
  getResource: ['im:message.history:readonly', ...read],
  getChat: chat,
  listMembers: ['im:chat:readonly', 'im:chat', 'im:chat.group_info:readonly', 'im:chat.members:read'],
  isInChat: ['im:chat:readonly', 'im:chat', 'im:chat.group_info:readonly', 'im:chat.members:read'],
  getUser: [
    'contact:contact.base:readonly',
    'contact:contact:access_as_app',
    'contact:contact:readonly',
    'contact:contact:readonly_as_app',
  ],
  createCard: card,
  updateCard: card,
  updateCardSettings: card,
  updateCardContent: card,
  addCardElements: card,
  updateCardElement: card,
  patchCardElement: card,
  deleteCardElement: card,
  convertCardId: ['cardkit:card:read'],
  getApplication: ['admin:app.info:readonly', 'application:application:self_manage'],
  listVersions: ['application:application:self_manage', 'application:application.app_version:readonly'],
  getVersion: ['application:application:self_manage', 'application:application.app_version:readonly'],
}

const readingAny = ['im:message', 'im:message:readonly', 'im:message.p2p_msg:readonly', 'im:message.p2p_msg']

/** By the type of the event; a message's depend on where it was said, see `events.ts`. */
export const scopesOfEvents: Readonly<Record<string, readonly string[]>> = {
  'im.message.recalled_v1': read,
  'im.message.message_read_v1': readingAny,
  'im.message.reaction.created_v1': [...read, 'im:message.reactions:read'],
  'im.message.reaction.deleted_v1': [...read, 'im:message.reactions:read'],
  'im.chat.member.bot.added_v1': ['im:chat.members:bot_access', ...chat],
  'im.chat.member.bot.deleted_v1': ['im:chat.members:bot_access', ...chat],
  'im.chat.disbanded_v1': chat,
  'im.chat.updated_v1': chat,
  'im.chat.access_event.bot_p2p_chat_entered_v1': ['im:chat.access_event.bot_p2p_chat:read'],
}

/** What lets the bot hear a message. */
export const hearing = {
  p2p: ['im:message.p2p_msg:readonly', 'im:message.p2p_msg'],
  mention: ['im:message.group_at_msg:readonly', 'im:message.group_at_msg', 'im:message.group_msg'],
  group: ['im:message.group_msg'],
} as const
