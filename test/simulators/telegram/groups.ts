// What people do with groups and with the bot itself: add it, throw it out, open topics, upgrade the group, block the bot.
import type { TgChat } from './types.ts'
import { tell } from './people.ts'
import type { UpdateQueue } from './updates.ts'
import { addChat, chatOf, storeMessage, userOf, type ChatState, type World } from './world.ts'

export type GroupInput = {
  /** Negative, as Telegram's. */
  readonly chat: number
  /** Who adds the bot. */
  readonly by: number
  readonly title?: string | undefined
  readonly type?: 'group' | 'supergroup' | undefined
  /** A supergroup with topics. */
  readonly isForum?: boolean | undefined
  readonly isBotAdmin?: boolean | undefined
  /** Administrators besides the adding person. */
  readonly admins?: readonly number[] | undefined
  /** Those of them who hide behind the group. */
  readonly anonymous?: readonly number[] | undefined
}

export type Groups = {
  /** Makes the group if need be and tells the bot that it was added. */
  addBotToGroup(input: GroupInput): void
  removeBotFromGroup(input: { readonly chat: number; readonly by: number }): void
  /** The topic's id, for `topic` and `message_thread_id`. */
  createTopic(input: { readonly chat: number; readonly by: number; readonly name: string }): number
  /** The old id refuses everything from now on and names the new one. */
  upgradeGroup(input: { readonly chat: number; readonly to: number; readonly by: number }): void
  /** What @BotFather sets: privacy mode, for groups the bot is added to from now on, and whether groups may add it. */
  setPrivacyMode(isOn: boolean): void
  setJoinGroups(isAllowed: boolean): void
  /** The group's own permissions: whether members may write who are no administrators. */
  setMembersWrite(chat: number, mayWrite: boolean): void
  /** The bot stays in the group and may not write there; it is not told of it. */
  mute(chat: number): void
  unmute(chat: number): void
  block(user: number): void
  unblock(user: number): void
  /** The chat is gone: "chat not found" from now on, without any update. */
  deleteChat(chat: number): void
}

export function createGroups(world: World, queue: UpdateQueue): Groups {
  const tellMember = (state: ChatState, by: number, statuses: readonly [before: string, after: string]) => {
    const [old_chat_member, new_chat_member] = statuses.map((status) => ({ status, user: world.bot }))
    const date = Math.floor(Date.now() / 1000)
    const from = userOf(world, by)
    queue.push('my_chat_member', { chat: state.chat, from, date, old_chat_member, new_chat_member })
  }
  const service = (state: ChatState, by: number, content: Readonly<Record<string, unknown>>, topic?: number) => {
    const stored = storeMessage(world, state, { from: userOf(world, by), content, topic })
    tell(world, queue, { state, stored, kind: 'message' })
    return stored.wire.message_id
  }
  return {
    addBotToGroup: (input) => {
      if (!world.canJoinGroups) throw new Error('The bot cannot be added to groups: /setjoingroups is off')
      if (input.chat >= 0) throw new Error(`A group's id is negative, not ${input.chat}`)
      const state = world.chats.get(input.chat) ?? addChat(world, toGroup(input))
      state.closed = undefined
      state.readsAll = world.canReadAllGroupMessages
      for (const admin of [input.by, ...(input.admins ?? [])]) state.admins.add(admin)
      for (const hidden of input.anonymous ?? []) state.anonymous.add(hidden)
      if (input.isBotAdmin === true) state.admins.add(world.bot.id)
      tellMember(state, input.by, ['left', input.isBotAdmin === true ? 'administrator' : 'member'])
      service(state, input.by, { new_chat_members: [world.bot] })
    },
    removeBotFromGroup: ({ chat, by }) => {
      const state = chatOf(world, chat)
      tellMember(state, by, ['member', 'kicked'])
      state.closed = 'kicked'
    },
    createTopic: ({ chat, by, name }) => {
      const state = chatOf(world, chat)
      if (state.chat.is_forum !== true) throw new Error(`The chat ${chat} has no topics`)
      const topic = state.nextMessageId
      state.topics.set(topic, name)
      return service(state, by, { forum_topic_created: { name, icon_color: 7322096 } }, topic)
    },
    upgradeGroup: ({ chat, to, by }) => {
      const old = chatOf(world, chat)
      const title = old.chat.title ?? 'Group'
      const state = addChat(world, { id: to, type: 'supergroup', title })
      state.readsAll = old.readsAll
      state.mayMembersWrite = old.mayMembersWrite
      for (const admin of old.admins) state.admins.add(admin)
      service(old, by, { migrate_to_chat_id: to })
      service(state, by, { migrate_from_chat_id: chat })
      old.migratedTo = to
    },
    setPrivacyMode: (isOn) => {
      world.canReadAllGroupMessages = !isOn
    },
    setJoinGroups: (isAllowed) => {
      world.canJoinGroups = isAllowed
    },
    setMembersWrite: (chat, mayWrite) => {
      chatOf(world, chat).mayMembersWrite = mayWrite
    },
    mute: (chat) => {
      chatOf(world, chat).closed = 'muted'
    },
    unmute: (chat) => {
      chatOf(world, chat).closed = undefined
    },
    block: (user) => {
      const state = chatOf(world, user)
      tellMember(state, user, ['member', 'kicked'])
      state.closed = 'blocked'
    },
    unblock: (user) => {
      const state = chatOf(world, user)
      state.closed = undefined
      tellMember(state, user, ['kicked', 'member'])
    },
    deleteChat: (chat) => {
      chatOf(world, chat).closed = 'deleted'
    },
  }
}

function toGroup({ chat, title = `Group ${chat}`, type = 'supergroup', isForum = false }: GroupInput): TgChat {
  if (!isForum) return { id: chat, type, title }
  return { id: chat, type: 'supergroup', title, is_forum: true }
}
