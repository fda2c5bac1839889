// What people do in Telegram clients: write, edit, press buttons, send files, react. Each becomes the update that the bot would
// get. In groups with privacy mode on, the bot sees commands, mentions and replies to it only.
import { detectEntities } from './detect-entities.ts'
import type { TgEntity } from './types.ts'
import type { UpdateQueue } from './updates.ts'
import { chatOf, findMessage, storeMessage, userOf, type ChatState, type StoredMessage, type World } from './world.ts'

/** `chat` is the private chat with `from` when left out. */
export type Where = { readonly from: number; readonly chat?: number | undefined }

export type TextInput = Where & {
  readonly text: string
  readonly topic?: number | undefined
  /** The id of the message replied to. */
  readonly replyTo?: number | undefined
  /** Computed from the text when left out. */
  readonly entities?: readonly TgEntity[] | undefined
  /** Seconds since 1970; now when left out. */
  readonly date?: number | undefined
  /** Further fields of the message as Telegram writes them: `forward_origin`, `media_group_id`, `via_bot`, `sender_chat`, `quote` … */
  readonly extra?: Readonly<Record<string, unknown>> | undefined
}

export type MediaInput = Omit<TextInput, 'text' | 'entities'> & {
  readonly kind: 'photo' | 'document' | 'voice' | 'audio' | 'video' | 'sticker'
  readonly caption?: string | undefined
  readonly name?: string | undefined
  /** The content; made up when left out. */
  readonly content?: string | undefined
  /** What Telegram says of the size; the content's when left out. */
  readonly bytes?: number | undefined
}

/** Content of any kind, under Telegram's own names: `rich_message`, `checklist`, `poll`, or a field that does not exist yet. */
export type ContentInput = Omit<TextInput, 'text' | 'entities' | 'extra'> & {
  readonly content: Readonly<Record<string, unknown>>
}

/** What became of it: the message's id, and the update's unless the bot does not see it. */
export type Said = { readonly message: number; readonly update: number | undefined }

export type People = {
  sendText(input: TextInput): Said
  sendMedia(input: MediaInput): Said
  sendContent(input: ContentInput): Said
  /** Edits a message into content of another kind. Throws unless the message is that person's own. */
  editContent(input: Where & { readonly message: number; readonly content: ContentInput['content'] }): Said
  /** Throws unless the message is that person's own. */
  edit(input: Where & { readonly message: number; readonly text: string }): Said
  /** Deletes a message without any update, as Telegram does. */
  remove(input: { readonly chat: number; readonly message: number }): void
  /** Throws unless the message shows a button with this data; `isForged` presses it all the same. */
  press(input: Where & { readonly message: number; readonly data: string; readonly isForged?: boolean | undefined }): {
    readonly id: string
    readonly update: number | undefined
  }
  react(input: Where & { readonly message: number; readonly emoji: string }): void
  /** Presses the Stop button of a draft. */
  stopGeneration(input: Where & { readonly draft: number }): void
}

export function createPeople(world: World, queue: UpdateQueue): People {
  const say = (input: Omit<TextInput, 'text'>, content: Readonly<Record<string, unknown>>): Said => {
    const state = chatOf(world, input.chat ?? input.from)
    const replyTo = findMessage(state, input.replyTo)
    if (input.replyTo !== undefined && replyTo === undefined) throw missing(input.replyTo)
    if (input.topic !== undefined && !state.topics.has(input.topic)) throw new Error(`There is no topic ${input.topic}`)
    if (state.closed === 'blocked') state.closed = undefined
    const from = userOf(world, input.from)
    const stored = storeMessage(world, state, {
      from,
      topic: input.topic,
      replyTo,
      date: input.date,
      content: { ...content, ...input.extra },
    })
    return { message: stored.wire.message_id, update: tell(world, queue, { state, stored, kind: 'message' }) }
  }
  return {
    sendText: (input) => {
      const entities = input.entities ?? detectEntities(input.text)
      return say(input, { text: input.text, entities: entities.length > 0 ? entities : undefined })
    },
    sendMedia: (input) => say(input, toMedia(world, input)),
    sendContent: (input) => say(input, input.content),
    editContent: ({ from, chat, message, content }) => {
      const state = chatOf(world, chat ?? from)
      const stored = findMessage(state, message)
      if (stored === undefined || stored.wire.from.id !== from) throw missing(message)
      const edited = { text: undefined, entities: undefined, edit_date: Math.floor(Date.now() / 1000) }
      stored.wire = { ...stored.wire, ...edited, ...content }
      return { message, update: tell(world, queue, { state, stored, kind: 'edited_message' }) }
    },
    edit: ({ from, chat, message, text }) => {
      const state = chatOf(world, chat ?? from)
      const stored = findMessage(state, message)
      if (stored === undefined || stored.wire.from.id !== from) throw missing(message)
      const entities = detectEntities(text)
      stored.texts.push(text)
      stored.wire = {
        ...stored.wire,
        text,
        entities: entities.length > 0 ? entities : undefined,
        edit_date: Math.floor(Date.now() / 1000),
      }
      return { message, update: tell(world, queue, { state, stored, kind: 'edited_message' }) }
    },
    remove: ({ chat, message }) => {
      const stored = findMessage(chatOf(world, chat), message)
      if (stored === undefined) throw missing(message)
      stored.isDeleted = true
    },
    press: ({ from, chat, message, data, isForged = false }) => {
      const stored = findMessage(chatOf(world, chat ?? from), message)
      if (stored === undefined) throw missing(message)
      const buttons = (stored.wire.reply_markup?.inline_keyboard ?? []).flat()
      if (!isForged && !buttons.some((button) => button.callback_data === data)) {
        throw new Error(`Message ${message} shows no button with the data "${data}"`)
      }
      const id = String(4_000_000_000 + world.presses.size)
      world.presses.set(id, { id, at: Date.now(), from, answer: undefined })
      const query = { id, from: userOf(world, from), message: stored.wire, chat_instance: `instance-${from}`, data }
      return { id, update: queue.push('callback_query', query)?.update_id }
    },
    react: ({ from, chat, message, emoji }) => {
      const state = chatOf(world, chat ?? from)
      if (findMessage(state, message) === undefined) throw missing(message)
      queue.push('message_reaction', {
        chat: state.chat,
        message_id: message,
        user: userOf(world, from),
        date: Math.floor(Date.now() / 1000),
        old_reaction: [],
        new_reaction: [{ type: 'emoji', emoji }],
      })
    },
    stopGeneration: ({ from, chat, draft }) => {
      const state = chatOf(world, chat ?? from)
      if (state.drafts.get(draft)?.canStop !== true) throw new Error(`There is no draft ${draft} with a Stop button`)
      state.drafts.delete(draft)
      queue.push('stopped_message_generation', { chat: state.chat, draft_id: draft })
    },
  }
}

type Telling = {
  readonly state: ChatState
  readonly stored: StoredMessage
  readonly kind: 'message' | 'edited_message'
}

/** Queues the update of a message if the bot may see it; the update's id. */
export function tell(world: World, queue: UpdateQueue, { state, stored, kind }: Telling): number | undefined {
  if (state.closed === 'kicked' || state.closed === 'deleted') return undefined
  if (!isSeen(world, state, stored)) return undefined
  return queue.push(kind, stored.wire)?.update_id
}

function isSeen(world: World, state: ChatState, { wire }: StoredMessage): boolean {
  if (state.chat.type === 'private' || state.readsAll || state.admins.has(world.bot.id)) return true
  const text = wire.text ?? wire.caption ?? ''
  if (wire.text === undefined && wire.caption === undefined) return true
  if (wire.reply_to_message?.from.id === world.bot.id) return true
  return (wire.entities ?? wire.caption_entities ?? []).some((entity) => {
    const part = text.slice(entity.offset, entity.offset + entity.length).toLowerCase()
    const own = `@${world.bot.username.toLowerCase()}`
    if (entity.type === 'mention') return part === own
    return entity.type === 'bot_command' && (!part.includes('@') || part.endsWith(own))
  })
}

function toMedia(world: World, input: MediaInput): Record<string, unknown> {
  const name = input.name ?? `${input.kind}.bin`
  const bytes = Buffer.from(input.content ?? `content of ${name}`)
  const size = input.bytes ?? bytes.length
  const id = `file-${world.files.size + 1}`
  world.files.set(id, { name, bytes, size })
  const file = { file_id: id, file_unique_id: `u-${id}`, file_size: size }
  const entities = detectEntities(input.caption ?? '')
  const caption = {
    caption: input.caption,
    caption_entities: entities.length > 0 ? entities : undefined,
  }
  switch (input.kind) {
    case 'photo':
      return { photo: [{ ...file, width: 90, height: 90 }], ...caption }
    case 'sticker':
      return { sticker: { ...file, type: 'regular', width: 512, height: 512, is_animated: false, is_video: false } }
    case 'document':
      return { document: { ...file, file_name: name, mime_type: 'application/octet-stream' }, ...caption }
    case 'voice':
      return { voice: { ...file, duration: 3, mime_type: 'audio/ogg' }, ...caption }
    case 'audio':
      return { audio: { ...file, duration: 3, file_name: name }, ...caption }
    case 'video':
      return { video: { ...file, width: 320, height: 240, duration: 3, file_name: name }, ...caption }
  }
}

function missing(message: number): Error {
  return new Error(`There is no such message of that person's to use: ${message}`)
}
