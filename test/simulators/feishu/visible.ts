// What a person sees in a chat now: messages that were not recalled, with their latest text, buttons, files and reactions; and what
// became of a press.
import type { CardButton } from './card-json.ts'
import type { FsChat, PressState, StoredMessage, World } from './world.ts'

export type VisibleButton = Pick<CardButton, 'label' | 'value' | 'url' | 'isDisabled'>

export type VisibleMessage = {
  readonly id: string
  /** `bot`, or the author's open id. */
  readonly from: string
  /** The author's name as shown. */
  readonly name: string
  /** As `text`, `post`, `interactive`, `file`. */
  readonly type: string
  readonly text: string
  /** Every text it has had, the first one first. */
  readonly texts: readonly string[]
  /** How often it was edited by `PUT`, of twenty times. */
  readonly edits: number
  readonly buttons: readonly (readonly VisibleButton[])[]
  /** The card shows that it is being written. */
  readonly isStreaming: boolean
  /** How often its growing text did not continue the one before, and so was shown at once. */
  readonly jumps: number
  readonly replyTo: string | undefined
  readonly thread: string | undefined
  /** Open ids of the people whom it notifies; `all` for everybody. */
  readonly pings: readonly string[]
  readonly files: readonly { readonly name: string; readonly text: string }[]
  /** Names of those who reacted, by emoji. */
  readonly reactions: Readonly<Record<string, readonly string[]>>
  readonly at: number
}

/** With a topic's id only what is in it; without one, everything of the chat. */
export function toVisible(world: World, chat: FsChat, thread?: string): VisibleMessage[] {
  return [...chat.messages.values()]
    .filter((one) => !one.isRecalled && (thread === undefined || one.thread === thread))
    .map((one) => toVisibleMessage(world, one))
}

function toVisibleMessage(world: World, stored: StoredMessage): VisibleMessage {
  const { sender, texts, card, entity, mentions } = stored
  const { bot } = world.app
  const reactions: Record<string, string[]> = {}
  for (const { emoji, by } of stored.reactions) (reactions[emoji] ??= []).push(by?.name ?? bot.name)
  return {
    id: stored.id,
    from: sender === undefined ? 'bot' : sender.openId,
    name: sender?.name ?? bot.name,
    type: stored.type,
    text: texts.at(-1) ?? '',
    texts: [...texts],
    edits: stored.edits,
    buttons: (card?.buttons ?? []).map((row) =>
      row.map(({ label, value, url, isDisabled }) => ({ label, value, url, isDisabled })),
    ),
    isStreaming: entity?.streamingSince !== undefined,
    jumps: entity?.jumps ?? 0,
    replyTo: stored.parent?.id,
    thread: stored.thread,
    pings: [...mentions.map(({ openId }) => openId), ...pingsOf(texts.at(-1) ?? '', card !== undefined)],
    files: filesOf(world, stored),
    reactions,
    at: stored.createdAt,
  }
}

/** A card names people within its markdown. */
function pingsOf(text: string, isCard: boolean): string[] {
  if (!isCard) return []
  return [...text.matchAll(/<at (?:id|user_id)="?([\w,]+)"?>/g)].flatMap(([, ids = '']) => ids.split(','))
}

function filesOf({ files }: World, { type, content }: StoredMessage): { name: string; text: string }[] {
  if (!['file', 'image', 'audio', 'media', 'post'].includes(type)) return []
  return [...content.matchAll(/"(?:image|file)_key":"([^"]+)"/g)].flatMap(([, key = '']) => {
    const file = files.get(key)
    return file === undefined ? [] : [{ name: file.name, text: file.bytes.toString() }]
  })
}

/** What the person who pressed sees of it. */
export type VisiblePress = {
  readonly token: string
  readonly state: 'waiting' | 'answered' | 'failed'
  readonly toast: string | undefined
  /** The number of the error that is shown. */
  readonly error: number | undefined
  readonly answeredAfterMs: number | undefined
}

export function toVisiblePress({ token, at, answeredAt, toast, error }: PressState): VisiblePress {
  const state = error !== undefined ? 'failed' : answeredAt === undefined ? 'waiting' : 'answered'
  return { token, state, toast, error, answeredAfterMs: answeredAt === undefined ? undefined : answeredAt - at }
}
