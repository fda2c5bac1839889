// What a person sees in a chat now: messages that are not deleted, with their latest text, buttons and reply target.
import type { TgEntity } from './types.ts'
import type { ChatState, StoredMessage, World } from './world.ts'

const draftLifeMs = 30_000

export type VisibleButton = {
  readonly text: string
  readonly data?: string | undefined
  readonly url?: string | undefined
}

export type VisibleMessage = {
  readonly id: number
  readonly from: 'bot' | number
  /** Text, caption, or a rich message written out; of one in Markdown or HTML the source. */
  readonly text: string
  readonly entities: readonly TgEntity[]
  readonly isRich: boolean
  /** How often it was edited, and all its texts, the first one first. */
  readonly edits: number
  readonly texts: readonly string[]
  readonly buttons: readonly (readonly VisibleButton[])[]
  readonly replyTo: number | undefined
  readonly topic: number | undefined
  /** False when the sender switched link previews off. */
  readonly hasLinkPreview: boolean
  readonly reaction: string | undefined
  readonly document: string | undefined
  /** What the document holds, read as text. */
  readonly documentText: string | undefined
  readonly date: number
}

/** Messages in order of id; service messages are left out. */
export function toVisible(state: ChatState, files: World['files']): VisibleMessage[] {
  return [...state.messages.values()]
    .filter((one) => !one.isDeleted && !isService(one))
    .map((one) => toVisibleMessage(one, files))
}

/** The texts of drafts that are still shown. */
export function toVisibleDrafts(state: ChatState, now: number): string[] {
  return [...state.drafts.values()].filter((draft) => now - draft.at < draftLifeMs).map((draft) => draft.text)
}

function isService({ wire }: StoredMessage): boolean {
  return ['new_chat_members', 'forum_topic_created', 'migrate_to_chat_id', 'migrate_from_chat_id'].some(
    (field) => wire[field] !== undefined,
  )
}

function toVisibleMessage(stored: StoredMessage, files: World['files']): VisibleMessage {
  const { wire } = stored
  const rows = wire.reply_markup?.inline_keyboard ?? []
  const { document } = wire
  return {
    id: wire.message_id,
    from: stored.fromBot ? 'bot' : wire.from.id,
    text: wire.text ?? wire.caption ?? stored.rich?.text ?? '',
    entities: wire.entities ?? wire.caption_entities ?? stored.rich?.entities ?? [],
    isRich: stored.rich !== undefined,
    edits: stored.texts.length - 1,
    texts: [...stored.texts],
    buttons: rows.map((row) => row.map(({ text, callback_data, url }) => ({ text, data: callback_data, url }))),
    replyTo: wire.reply_to_message?.message_id,
    topic: wire.message_thread_id,
    hasLinkPreview: wire.link_preview_options?.is_disabled !== true,
    reaction: stored.reaction,
    document: hasFileName(document) ? document.file_name : undefined,
    documentText: hasFileName(document) ? files.get(document.file_id)?.bytes.toString() : undefined,
    date: wire.date,
  }
}

function hasFileName(value: unknown): value is { readonly file_name: string; readonly file_id: string } {
  if (typeof value !== 'object' || value === null || !('file_name' in value) || !('file_id' in value)) return false
  return typeof value.file_name === 'string' && typeof value.file_id === 'string'
}
