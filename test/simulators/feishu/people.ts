// What people do in Feishu clients: write, answer, edit, take back, press, react, read, open the direct chat, choose from the bot's menu.
// Each becomes the event that the bot would get. An impossible act throws.
import type { Events } from './events.ts'
import { newId } from './ids.ts'
import { press } from './press.ts'
import { isEmoji } from './reactions.ts'
import { withNames } from './message-content.ts'
import {
  chatOf,
  directChatOf,
  rewrite,
  storeMessage,
  toUser,
  type FsChat,
  type FsUser,
  type Mention,
  type StoredMessage,
  type World,
} from './world.ts'

export type SayOptions = {
  /** The id of a message in the same chat that this one answers. */
  readonly replyTo?: string | undefined
  /** The id of a topic of the chat. */
  readonly thread?: string | undefined
}

export type FileOptions = SayOptions & {
  readonly name?: string | undefined
  readonly content?: string | undefined
}

export type Person = Pick<FsUser, 'openId' | 'unionId' | 'userId' | 'name'> & {
  /** The direct chat with the bot. */
  readonly dm: string
  /** All that say something give the message's id. `@name` names a person or the bot, `@all` everybody. */
  say(chat: string, text: string, options?: SayOptions): string
  /** A rich text: its paragraphs as Feishu writes them. */
  sayPost(
    chat: string,
    content: readonly (readonly object[])[],
    options?: SayOptions & { title?: string | undefined },
  ): string
  /** The key of a picture for `sayPost`. */
  picture(name: string): string
  send(chat: string, type: 'image' | 'file' | 'audio' | 'media' | 'sticker', options?: FileOptions): string
  /** Any other kind of message, its content just as it is: `share_chat`, `share_user`, `interactive`, `merge_forward`, `location` … */
  sayAny(chat: string, type: string, content: Readonly<Record<string, unknown>>, options?: SayOptions): string
  /** Passes messages of the chat on as one that holds them. */
  forward(chat: string, messages: readonly string[], options?: SayOptions): string
  /** Opens a topic below a message, or with a new one; its id. */
  openThread(chat: string, text: string, options?: { readonly below?: string | undefined }): string
  /** Told to bots only where they subscribe to it, see `events.ts`. */
  edit(chat: string, message: string, text: string): void
  recall(chat: string, message: string): void
  /** Presses the button with this label or value; `isForged` sends the value although there is no such button. Gives the press's token. */
  press(chat: string, message: string, button: unknown, options?: { readonly isForged?: boolean | undefined }): string
  react(chat: string, message: string, emoji: string): void
  unreact(chat: string, message: string, emoji: string): void
  read(chat: string): void
  enter(): void
  menu(key: string): void
}

export type People = {
  /** The person of this name, made up on first use. Everybody is a member of a group from the first act in it. */
  person(name: string): Person
}

type Deps = { readonly world: World; readonly events: Events; onChange(): void }

export function createPeople(deps: Deps): People {
  return { person: (name) => toPerson(deps, userNamed(deps.world, name)) }
}

export function userNamed(world: World, name: string): FsUser {
  const known = [...world.users.values()].find((user) => user.name === name || user.openId === name)
  if (known !== undefined) return known
  const user = toUser(name)
  world.users.set(user.openId, user)
  return user
}

function toPerson(deps: Deps, user: FsUser): Person {
  const { world, events, onChange } = deps
  const { openId, unionId, userId, name } = user
  const enter = (id: string): FsChat => {
    const chat = chatOf(world, id)
    if (chat.isDissolved) throw new Error(`The chat ${id} is dissolved`)
    if (chat.mode === 'p2p' && !chat.members.has(user)) throw new Error(`The direct chat ${id} is not ${name}'s`)
    chat.members.add(user)
    return chat
  }
  const find = (chat: FsChat, id: string): StoredMessage => {
    const stored = chat.messages.get(id)
    if (stored === undefined || stored.isRecalled) throw new Error(`There is no message ${id} in ${chat.id}`)
    return stored
  }
  const put = (id: string, message: Parameters<typeof storeMessage>[2], options: SayOptions = {}): StoredMessage => {
    const chat = enter(id)
    const { replyTo, thread } = options
    const root = thread === undefined ? undefined : [...chat.messages.values()].find((one) => one.thread === thread)
    if (thread !== undefined && root === undefined) throw new Error(`There is no topic ${thread} in ${id}`)
    const parent = replyTo === undefined ? root : find(chat, replyTo)
    const opened = chat.mode === 'topic' && parent === undefined ? newId.thread() : (thread ?? parent?.thread)
    const stored = storeMessage(world, chat, { ...message, parent, thread: opened })
    user.hasStoppedBot &&= chat.mode !== 'p2p'
    events.said(stored)
    onChange()
    return stored
  }
  const say: Person['say'] = (id, text, options) => put(id, toText(world, user, text), options).id
  const sayAny: Person['sayAny'] = (id, type, content, options) =>
    put(id, { sender: user, type, content: JSON.stringify(content), text: `[${type}]` }, options).id
  return {
    openId,
    unionId,
    userId,
    name,
    dm: directChatOf(world, user).id,
    say,
    sayAny,
    forward: (id, messages, options) => {
      const chat = enter(id)
      const content = 'Merged and Forwarded Message'
      const forwards = messages.map((message) => find(chat, message))
      return put(id, { sender: user, type: 'merge_forward', content, text: content, forwards }, options).id
    },
    sayPost: (id, content, { title = '', ...options } = {}) => {
      const { content: marked, mentions, text } = toPost(world, content, title)
      return put(id, { sender: user, type: 'post', content: marked, mentions, text }, options).id
    },
    picture: (fileName) => {
      const key = newId.image()
      world.files.set(key, { name: fileName, bytes: Buffer.from(fileName), type: 'image/png' })
      return key
    },
    send: (id, type, { name: fileName = `a.${type}`, content = fileName, ...options } = {}) => {
      const isImage = type === 'image'
      const key = isImage ? newId.image() : newId.file()
      world.files.set(key, { name: fileName, bytes: Buffer.from(content), type: isImage ? 'image/png' : '' })
      const named = type === 'file' || type === 'media' ? { file_name: fileName } : {}
      const json = JSON.stringify(isImage ? { image_key: key } : { file_key: key, ...named })
      return put(id, { sender: user, type, content: json, text: `[${type}]` }, options).id
    },
    openThread: (id, text, { below } = {}) => {
      const chat = enter(id)
      const root = below === undefined ? undefined : find(chat, below)
      const thread = root?.thread ?? newId.thread()
      if (root === undefined && chat.mode !== 'topic') {
        const made = put(id, toText(world, user, text))
        made.thread = thread
        return thread
      }
      if (root === undefined) return put(id, toText(world, user, text)).thread ?? thread
      root.thread = thread
      put(id, toText(world, user, text), { replyTo: root.id })
      return thread
    },
    edit: (id, message, text) => {
      const stored = find(enter(id), message)
      if (stored.sender !== user || stored.type !== 'text')
        throw new Error(`Message ${message} cannot be edited by ${name}`)
      const next = toText(world, user, text)
      stored.mentions = next.mentions
      rewrite(world, stored, next)
      events.edited(stored)
      onChange()
    },
    recall: (id, message) => {
      const chat = enter(id)
      const stored = find(chat, message)
      const isOwner = chat.owner === user
      if (stored.sender !== user && !isOwner && !chat.admins.has(user))
        throw new Error(`${name} cannot recall ${message}`)
      stored.isRecalled = true
      events.recalled(stored, stored.sender === user ? 'message_owner' : isOwner ? 'group_owner' : 'group_manager')
      onChange()
    },
    press: (id, message, button, { isForged = false } = {}) => {
      const stored = find(enter(id), message)
      const shown = stored.card?.buttons.flat().find((one) => isSame(one.label, button) || isSame(one.value, button))
      if (!isForged && (shown === undefined || shown.isDisabled)) {
        throw new Error(`Message ${message} shows no button ${JSON.stringify(button)}`)
      }
      return press(deps, { by: user, message: stored, button: shown ?? { value: button, name: undefined } })
    },
    react: (id, message, emoji) => {
      if (!isEmoji(emoji)) throw new Error(`Feishu has no reaction ${emoji}`)
      const stored = find(enter(id), message)
      const reaction = { id: newId.reaction(), emoji, by: user, at: world.clock.now() }
      stored.reactions.push(reaction)
      events.reacted(stored, reaction, 'created')
      onChange()
    },
    unreact: (id, message, emoji) => {
      const stored = find(enter(id), message)
      const at = stored.reactions.findIndex((one) => one.by === user && one.emoji === emoji)
      const [reaction] = at < 0 ? [] : stored.reactions.splice(at, 1)
      if (reaction === undefined) throw new Error(`${name} has not reacted with ${emoji}`)
      events.reacted(stored, reaction, 'deleted')
      onChange()
    },
    read: (id) => {
      const chat = enter(id)
      const own = [...chat.messages.values()].filter(({ sender, isRecalled }) => sender === undefined && !isRecalled)
      // Only for direct messages are bots told.
      if (chat.mode === 'p2p' && own.length > 0) events.read(own, user)
    },
    enter: () => events.entered(directChatOf(world, user), user),
    menu: (key) => events.menu(user, key),
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return one !== undefined && JSON.stringify(one) === JSON.stringify(other)
}

type Said = Pick<StoredMessage, 'type' | 'content' | 'mentions'> & { readonly sender: FsUser; readonly text: string }

function toText(world: World, sender: FsUser, text: string): Said {
  const { marked, mentions } = markNames(world, text)
  return {
    sender,
    type: 'text',
    content: JSON.stringify({ text: marked }),
    mentions,
    text: withNames(marked, mentions),
  }
}

/** `@name` of anybody known becomes `@_user_1` and so on; `@all` becomes `@_all`. */
function markNames(world: World, text: string): { readonly marked: string; readonly mentions: readonly Mention[] } {
  const mentions: Mention[] = []
  const known = [world.app.bot, ...world.users.values()].toSorted((a, b) => b.name.length - a.name.length)
  let marked = text.replaceAll(/@all\b/g, '@_all')
  if (marked !== text) mentions.push({ key: '@_all', openId: 'all', name: 'all' })
  for (const { name, openId } of known) {
    if (name === '' || !marked.includes(`@${name}`)) continue
    const key = `@_user_${mentions.filter((one) => one.key !== '@_all').length + 1}`
    marked = marked.replaceAll(`@${name}`, key)
    mentions.push({ key, openId, name })
  }
  return { marked, mentions }
}

function toPost(world: World, content: readonly (readonly object[])[], title: string) {
  const mentions: Mention[] = []
  const nameOf = (openId: string) =>
    openId === world.app.bot.openId ? world.app.bot.name : (world.users.get(openId)?.name ?? openId)
  const lines: string[] = title === '' ? [] : [title]
  const marked = content.map((paragraph) => {
    let line = ''
    const pieces = paragraph.map((piece) => {
      if (!('tag' in piece)) return piece
      if (piece.tag !== 'at' || !('user_id' in piece) || typeof piece.user_id !== 'string') {
        line += 'text' in piece && typeof piece.text === 'string' ? piece.text : `[${String(piece.tag)}]`
        return piece
      }
      const key = `@_user_${mentions.length + 1}`
      mentions.push({ key, openId: piece.user_id, name: nameOf(piece.user_id) })
      line += `@${nameOf(piece.user_id)}`
      return { ...piece, user_id: key, user_name: nameOf(piece.user_id) }
    })
    lines.push(line)
    return pieces
  })
  return { content: JSON.stringify({ title, content: marked }), mentions, text: lines.join('\n') }
}
