// What the HTTP interface shows of a conversation: people's messages and the bot's, in the order of the stream.
import type { Button } from '#shared/chat/message.ts'
import type { Urgency } from '#shared/run/question.ts'
import type { OutItem } from '#queues/shown/shown.ts'
import { endsTurn, isFirstRow, toTurn } from '#shared/run/out-row.ts'
import { toPosition } from '#queues/shown/out-position.ts'
import type { BlockReader } from './open-block-reader.ts'
import type { PageBlock } from './page-blocks.ts'

export type ApiMessage = {
  /** Its position in the conversation: pass it as `after`, or as Last-Event-ID. */
  readonly id: string
  /** `change` says nothing itself: it takes away the buttons of the message that it `replaces`, or all that is about one it `forgets`. */
  readonly role: 'user' | 'bot' | 'change'
  /** As it was written: of the bot, Markdown. */
  readonly text: string
  /** The bot's text as blocks. What a person writes is shown as it is. */
  readonly blocks?: readonly PageBlock[]
  /** When it entered the stream, ms since 1970. */
  readonly at: number
  /** Of a user's message: the id that replies name in `answers`. */
  readonly eventId?: string
  readonly answers?: readonly string[]
  /** Ids of the user's messages whose texts went into it. */
  readonly about?: readonly string[]
  /** Id of a user's message that is gone, with all that is about it. */
  readonly forgets?: string
  /** Whether a turn ends with it: then it can be answered again. A card, or what a command says, ends none. */
  readonly endsTurn?: boolean
  /** The turn that ends with it, as its drafts name it. */
  readonly turn?: string
  /** That turn goes on once a person has answered: there is nothing yet to be answered again. */
  readonly waits?: boolean
  /** The bot's own name for its message. */
  readonly row?: string
  /** The `row` of an earlier message that this one stands for from now on. */
  readonly replaces?: string
  readonly buttons?: readonly (readonly Button[])[]
  /** Of a card that asks people something: how urgent it is, how long after `at` it may be answered, and whether words in reply deny it. */
  readonly asks?: { readonly urgency: Urgency; readonly deadlineMs: number; readonly denies?: true }
  /** Of another card with buttons: words in reply to it count. */
  readonly words?: true
  /** Under this name GET …/messages/{id}/file gives what the text tells of. */
  readonly file?: string
}

/** Undefined for what a page does not show, such as a reaction. */
export async function toApiMessage(item: OutItem, reader: Pick<BlockReader, 'read'>): Promise<ApiMessage | undefined> {
  const id = toPosition(item)
  const { at } = item
  if (item.role === 'person') {
    const { event } = item
    if (event.kind === 'delete') return { id, role: 'change', text: '', at, forgets: event.messageId }
    return event.kind === 'message' ? { id, role: 'user', text: event.text, at, eventId: event.id } : undefined
  }
  const { body } = item
  const named = body.row === undefined ? {} : { row: body.row }
  if (body.kind === 'unbutton')
    return { id, role: 'change', text: '', at, replaces: body.replaces, answers: body.answers }
  if (body.kind !== 'send') return undefined
  const { answers, about = answers, buttons, asks, words, replaces, file, waits, row = '' } = body
  const text = file?.caption ?? body.text
  const shown = {
    ...(buttons ? { buttons } : {}),
    ...(asks ? { asks } : {}),
    ...(words ? { words } : {}),
    // Here a reply that grows is a draft, so that its beginning is no message of its own.
    ...(replaces === undefined || isFirstRow(replaces) ? {} : { replaces }),
    ...(file ? { file: file.name } : {}),
    ...(endsTurn(body) ? { endsTurn: true, turn: toTurn(isFirstRow(replaces ?? '') ? (replaces ?? '') : row) } : {}),
    ...(waits ? { waits } : {}),
  }
  // Until when it may be answered is said below its buttons, in the reader's own time.
  const above = asks?.dated && buttons ? text.slice(0, text.lastIndexOf('\n\n')) : text
  return { id, role: 'bot', text, blocks: await reader.read(above), at, answers, about, ...named, ...shown }
}
