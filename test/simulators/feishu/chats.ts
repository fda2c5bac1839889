// The routes about chats, their members, and people.
import { z } from 'zod'
import { findUser } from './access.ts'
import { refusals } from './api-error.ts'
import { check, type RouteCall, type RouteDeps, type RouteResult } from './route.ts'
import { toIds } from './wire.ts'
import type { FsChat, World } from './world.ts'

/** Of a chat that it is not in the bot learns nothing but the name. https://open.feishu.cn/document/uAjLw4CM/ukTMukTMukTM/reference/im-v1/chat/get */
export function getChat({ world }: RouteDeps, { path }: RouteCall): RouteResult {
  const chat = findChat(world, path['chat'])
  const everybody = 'all_members'
  if (!chat.hasBot) throw refusals.outsideChat()
  const isDirect = chat.mode === 'p2p'
  return {
    data: {
      avatar: '',
      name: chat.name,
      description: '',
      i18n_names: {},
      add_member_permission: everybody,
      share_card_permission: 'allowed',
      at_all_permission: everybody,
      edit_permission: everybody,
      ...(chat.owner === undefined || isDirect ? {} : { owner_id_type: 'open_id', owner_id: chat.owner.openId }),
      user_manager_id_list: [...chat.admins].map(({ openId }) => openId),
      bot_manager_id_list: [],
      group_message_type: chat.mode === 'topic' ? 'thread' : 'chat',
      chat_mode: chat.mode,
      chat_type: 'private',
      chat_tag: isDirect ? '' : 'inner',
      join_message_visibility: everybody,
      leave_message_visibility: everybody,
      membership_approval: 'no_approval_required',
      moderation_permission: chat.isModerated ? 'only_owner' : everybody,
      external: false,
      tenant_key: world.app.tenantKey,
      user_count: String(chat.members.size),
      bot_count: '1',
      chat_status: chat.isDissolved ? 'dissolved' : 'normal',
    },
  }
}

const page = z.object({
  page_size: z.coerce.number().int().min(1).max(100).default(20),
  page_token: z.coerce.number().int().min(0).default(0),
})

/** People only; bots are left out. */
export function listMembers({ world }: RouteDeps, { path, query }: RouteCall): RouteResult {
  const chat = findChat(world, path['chat'])
  if (chat.isDissolved) throw refusals.dissolved()
  if (!chat.hasBot) throw refusals.outsideChat()
  const { page_size: size, page_token: from } = check(page, Object.fromEntries(query))
  const all = [...chat.members]
  const items = all.slice(from, from + size).map(({ openId, name }) => ({
    member_id_type: 'open_id',
    member_id: openId,
    name,
    tenant_key: world.app.tenantKey,
  }))
  const hasMore = from + size < all.length
  return {
    data: {
      items,
      ...(hasMore ? { page_token: String(from + size) } : {}),
      has_more: hasMore,
      member_total: all.length,
    },
  }
}

export function isInChat({ world }: RouteDeps, { path }: RouteCall): RouteResult {
  return { data: { is_in_chat: findChat(world, path['chat']).hasBot } }
}

function findChat({ app, chats }: World, id: string | undefined): FsChat {
  if (!app.hasBotAbility) throw refusals.noBotAbilityForChat()
  const chat = id === undefined ? undefined : chats.get(id)
  if (chat === undefined) throw refusals.badChat()
  return chat
}

/** The name needs a permission of its own; without it the field is missing. */
export function getUser({ world }: RouteDeps, { path, query }: RouteCall): RouteResult {
  const user = findUser(world, query.get('user_id_type') ?? 'open_id', path['user'] ?? '')
  if (user === undefined) throw refusals.userUnknown()
  if (!user.isReachable || !user.isContact) throw refusals.userUnseen()
  const { name } = user
  const seesNames = world.app.scopes.has('contact:user.base:readonly')
  return { data: { user: { ...toIds(user, world), ...(seesNames ? { name, en_name: '', avatar: {} } : {}) } } }
}
