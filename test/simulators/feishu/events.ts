// What the bot is told, as events of schema 2.0: each only if its type is subscribed and a permission for it is granted, and messages of
// groups only where the bot is named, unless it may hear all of them.
// https://open.feishu.cn/document/ukTMukTMukTM/uUTNz4SN1MjL1UzM
import type { Answer, Delivery } from './delivery.ts'
import type { Envelope } from './envelope.ts'
import { newId } from './ids.ts'
import { hearing, scopesOfEvents } from './scopes.ts'
import { toIds } from './wire.ts'
import {
  toldParent,
  type FsChat,
  type FsUser,
  type PressState,
  type Reaction,
  type StoredMessage,
  type World,
} from './world.ts'

export type RecallType = 'message_owner' | 'group_owner' | 'group_manager' | 'enterprise_manager'

export type Events = {
  said(message: StoredMessage): void
  /** Only where `im.message.updated_v1` is subscribed, which the vendor's documents do not describe: it is taken to look like a message. */
  edited(message: StoredMessage): void
  recalled(message: StoredMessage, by: RecallType): void
  reacted(message: StoredMessage, reaction: Reaction, kind: 'created' | 'deleted'): void
  read(messages: readonly StoredMessage[], by: FsUser): void
  botMoved(chat: FsChat, by: FsUser, kind: 'added' | 'deleted'): void
  disbanded(chat: FsChat, by: FsUser): void
  updated(chat: FsChat, by: FsUser, before: Readonly<Record<string, unknown>>): void
  entered(chat: FsChat, by: FsUser): void
  menu(by: FsUser, key: string): void
  /** Resolves with what the bot answers to it. */
  pressed(press: PressState, action: Readonly<Record<string, unknown>>): Promise<Answer>
  /** Any event, just as it is, whatever is subscribed. */
  inject(type: string, event: Readonly<Record<string, unknown>>): string
}

export function createEvents(world: World, delivery: Delivery): Events {
  const { app, clock } = world
  const wrap = (type: string, event: Envelope['event']): Envelope => ({
    schema: '2.0',
    header: {
      event_id: newId.event(),
      event_type: type,
      // Events tell ms, presses µs.
      create_time: `${clock.now()}${type === 'card.action.trigger' ? '000' : ''}`,
      token: app.verificationToken,
      app_id: app.id,
      tenant_key: app.tenantKey,
    },
    event,
  })
  const isGranted = (scopes: readonly string[] | undefined) =>
    scopes === undefined || scopes.some((scope) => app.scopes.has(scope))
  const push = (type: string, event: Envelope['event']) => {
    if (app.isEnabled && app.events.has(type) && isGranted(scopesOfEvents[type])) delivery.push(wrap(type, event))
  }
  const isHeard = ({ chat, mentions }: StoredMessage): boolean => {
    if (!chat.hasBot || chat.isDissolved || !app.hasBotAbility) return false
    if (chat.mode === 'p2p') return isGranted(hearing.p2p)
    return isGranted(mentions.some(({ openId }) => openId === app.bot.openId) ? hearing.mention : hearing.group)
  }
  const aboutChat = (chat: FsChat, by: FsUser, name: string) => ({
    chat_id: chat.id,
    operator_id: toIds(by, world),
    external: false,
    operator_tenant_key: app.tenantKey,
    name,
    i18n_names: { zh_cn: name, en_us: name, ja_jp: name },
  })
  return {
    said: (message) => {
      if (isHeard(message)) push('im.message.receive_v1', toReceived(world, message))
    },
    edited: (message) => {
      if (isHeard(message)) push('im.message.updated_v1', toReceived(world, message))
    },
    recalled: ({ id, chat }, by) => {
      if (chat.hasBot) {
        const event = { message_id: id, chat_id: chat.id, recall_time: String(clock.now()), recall_type: by }
        push('im.message.recalled_v1', event)
      }
    },
    reacted: ({ id, chat }, { emoji, by, at }, kind) => {
      if (!chat.hasBot) return
      push(`im.message.reaction.${kind}_v1`, {
        message_id: id,
        reaction_type: { emoji_type: emoji },
        ...(by === undefined
          ? { operator_type: 'app', app_id: app.id }
          : { operator_type: 'user', user_id: toIds(by, world) }),
        action_time: String(kind === 'created' ? at : clock.now()),
      })
    },
    read: (messages, by) =>
      push('im.message.message_read_v1', {
        reader: { reader_id: toIds(by, world), read_time: String(clock.now()), tenant_key: app.tenantKey },
        message_id_list: messages.map(({ id }) => id),
      }),
    // The name is the bot's, not the chat's, as the vendor's SDK notes.
    botMoved: (chat, by, kind) => push(`im.chat.member.bot.${kind}_v1`, aboutChat(chat, by, app.bot.name)),
    disbanded: (chat, by) => push('im.chat.disbanded_v1', aboutChat(chat, by, chat.name)),
    updated: (chat, by, before) => {
      const after = Object.fromEntries(Object.keys(before).map((key) => [key, key === 'name' ? chat.name : null]))
      const { name: _, i18n_names: __, ...about } = aboutChat(chat, by, chat.name)
      push('im.chat.updated_v1', { ...about, after_change: after, before_change: before })
    },
    entered: (chat, by) => {
      const last = [...chat.messages.values()].at(-1)
      push('im.chat.access_event.bot_p2p_chat_entered_v1', {
        chat_id: chat.id,
        operator_id: toIds(by, world),
        ...(last === undefined ? {} : { last_message_id: last.id, last_message_create_time: String(last.createdAt) }),
      })
    },
    menu: (by, key) =>
      push('application.bot.menu_v6', {
        operator: { operator_name: by.name, operator_id: toIds(by, world) },
        event_key: key,
        timestamp: Math.floor(clock.now() / 1000),
      }),
    pressed: async ({ token, by, message }, action) => {
      if (!app.events.has('card.action.trigger')) return { kind: 'absent' }
      return await delivery.call(
        wrap('card.action.trigger', {
          operator: { tenant_key: app.tenantKey, ...toIds(by, world) },
          token,
          action,
          host: 'im_message',
          context: { open_message_id: message.id, open_chat_id: message.chat.id },
        }),
      )
    },
    inject: (type, event) => {
      const envelope = wrap(type, event)
      delivery.push(envelope)
      return envelope.header.event_id
    },
  }
}

function toReceived(world: World, message: StoredMessage): Envelope['event'] {
  const { id, chat, sender, root, thread, type, content, mentions, createdAt, updatedAt } = message
  const parent = toldParent(message)
  const { app } = world
  const idsOf = (openId: string) => {
    const user = openId === app.bot.openId ? app.bot : world.users.get(openId)
    return user === undefined ? { open_id: openId } : toIds(user, world)
  }
  const named = mentions.filter(({ key }) => key !== '@_all')
  return {
    sender: {
      sender_id: sender === undefined ? {} : toIds(sender, world),
      sender_type: 'user',
      tenant_key: app.tenantKey,
    },
    message: {
      message_id: id,
      ...(root === undefined ? {} : { root_id: root.id }),
      ...(parent === undefined ? {} : { parent_id: parent.id }),
      create_time: String(createdAt),
      update_time: String(updatedAt ?? createdAt),
      chat_id: chat.id,
      ...(thread === undefined ? {} : { thread_id: thread }),
      chat_type: chat.mode === 'p2p' ? 'p2p' : 'group',
      message_type: type,
      content,
      // Nobody is named by @_all, which stands in the text alone.
      ...(named.length === 0
        ? {}
        : {
            mentions: named.map(({ key, openId, name }) => ({
              key,
              id: idsOf(openId),
              mentioned_type: openId === app.bot.openId ? 'bot' : 'user',
              name,
              tenant_key: app.tenantKey,
            })),
          }),
      user_agent: 'Mozilla/5.0 Lark/7.40',
    },
  }
}
