// Messages, chats and people as the server API gives them.
// https://open.feishu.cn/document/uAjLw4CM/ukTMukTMukTM/reference/im-v1/message/get
import { toldParent, type FsUser, type StoredMessage, type World } from './world.ts'

export function toIds({ openId, unionId, userId }: FsUser, world: World) {
  const sees = world.app.scopes.has('contact:user.employee_id:readonly')
  return { open_id: openId, union_id: unionId, ...(sees ? { user_id: userId } : {}) }
}

export function toSender({ app }: World, { sender }: StoredMessage) {
  const who =
    sender === undefined
      ? { id: app.id, id_type: 'app_id', sender_type: 'app' }
      : { id: sender.openId, id_type: 'open_id', sender_type: 'user' }
  return { ...who, tenant_key: app.tenantKey }
}

export function toMessage(world: World, stored: StoredMessage) {
  const { id, chat, root, thread, type, createdAt, updatedAt, isRecalled, content, mentions } = stored
  const parent = toldParent(stored)
  return {
    message_id: id,
    ...(root === undefined ? {} : { root_id: root.id }),
    ...(parent === undefined ? {} : { parent_id: parent.id }),
    ...(thread === undefined ? {} : { thread_id: thread }),
    msg_type: type,
    create_time: String(createdAt),
    update_time: String(updatedAt ?? createdAt),
    deleted: isRecalled,
    updated: updatedAt !== undefined,
    chat_id: chat.id,
    sender: toSender(world, stored),
    body: { content: isRecalled ? 'This message was recalled' : content },
    ...(mentions.length === 0
      ? {}
      : {
          mentions: mentions.map(({ key, openId, name }) => ({
            key,
            id: openId,
            id_type: 'open_id',
            name,
            tenant_key: world.app.tenantKey,
          })),
        }),
  }
}
