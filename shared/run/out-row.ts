// One row of the outbox: something to be delivered to a conversation, in order, ending `sent | failed | unknown | expired`.
import { z } from 'zod'
import type { ChatEvent } from '#shared/chat/event.ts'
import { button, languages } from '#shared/chat/message.ts'
import { urgency } from './question.ts'

/** Where a channel can show a file, this one stands for the text, under its caption. */
const outFile = z.object({
  name: z.string().regex(/^[\w.-]{1,64}$/),
  caption: z.string().min(1).max(1000),
  text: z.string().min(1).max(1_000_000),
})
export type OutFile = z.infer<typeof outFile>

const base = {
  v: z.literal(1),
  /** The id of its own row. Only in the streams of web and console: there the body stands alone, without a row around it. */
  row: z.string().optional(),
  /** Ids of the events this row answers; every event of a person is named by some row, or was ignored. */
  answers: z.array(z.string()),
  language: z.enum(languages),
}
export const outBody = z.discriminatedUnion('kind', [
  z.object({
    ...base,
    kind: z.literal('send'),
    text: z.string().min(1),
    file: outFile.optional(),
    buttons: z.array(z.array(button)).optional(),
    /**
     * Of a card that asks people something: how urgent it is, how long it may be answered, ms from when it is sent, what a list says of it,
     * whether words in reply refuse what it asks for, and whether its last paragraph says no more than until when it may be answered.
     */
    asks: z
      .object({
        urgency,
        deadlineMs: z.number().int().positive(),
        title: z.string().max(200).exactOptional(),
        denies: z.literal(true).exactOptional(),
        dated: z.literal(true).exactOptional(),
      })
      .exactOptional(),
    /** Of a card that asks nobody by itself: words in reply to it are for who asked. */
    words: z.literal(true).exactOptional(),
    /** The platform message this one replies to, in groups. */
    replyTo: z.string().optional(),
    /** The row whose message this one replaces by an edit, if that was delivered; else it is sent anew. */
    replaces: z.string().optional(),
    /** Platform ids of the messages whose texts went into it. Kept in the streams of web and console only. */
    about: z.array(z.string()).optional(),
    /** The beginning of a reply that is still being written: it answers nothing, and nobody is told when it does not arrive. */
    partial: z.literal(true).optional(),
    /** How far a turn, or a task, is with its plan: it answers nothing, gives way to what does, and nobody is told when it does not arrive. */
    plan: z.literal(true).optional(),
    /** A turn ends with it that goes on once a person has answered: there is no answer yet. */
    waits: z.literal(true).exactOptional(),
    /** That message's id on the platform, where a press told it: a row's own is kept for two days only. */
    replacesMessage: z.string().max(64).optional(),
  }),
  z.object({ ...base, kind: z.literal('react'), messageId: z.string(), emoji: z.string() }),
  /** Takes the buttons off the message of the row it replaces; a message that is gone needs nothing. */
  z.object({
    ...base,
    kind: z.literal('unbutton'),
    replaces: z.string(),
    replacesMessage: z.string().max(64).optional(),
  }),
  /** Tells that rows, `about` the last of them, may not have arrived, or did not; an answer to the question shows them again. */
  z.object({
    ...base,
    kind: z.literal('notice'),
    about: z.string(),
    outcome: z.enum(['unknown', 'failed', 'expired']),
    /** Empty when none is kept. */
    question: z.string(),
    /** How many were lost, and how many of them, the newest, can be shown again; one when left out. */
    count: z.number().optional(),
    kept: z.number().optional(),
  }),
])
export type OutBody = z.infer<typeof outBody>

/** The row of a turn's reply, and that of its beginning, if it was shown while it grew. */
export const toEndRow = (turn: string): string => `${turn}-end`
export const toFirstRow = (turn: string): string => `${turn}-first`
/** The row of a turn's plan, and the one that changes its message when the turn has ended. */
export const toPlanRow = (turn: string): string => `${turn}-plan`
export const toPlanEndRow = (turn: string): string => `${turn}-planned`
/** The turn, or the other step, that a row is of, or a part of a row. */
export function toTurn(row: string): string {
  const [whole = ''] = row.split('.', 1)
  return whole.replace(/-(?:end|first|plan|planned|\d{1,9})$/, '')
}
export const isFirstRow = (row: string): boolean => row.endsWith('-first')
/** Whether a turn's reply ends with it: by its own name, or since it takes the place of the reply's beginning. */
export const endsTurn = ({
  row = '',
  replaces = '',
}: {
  row?: string | undefined
  replaces?: string | undefined
}): boolean => row.endsWith('-end') || isFirstRow(replaces)

export type OutRow = {
  /** Unique in its conversation and the same after a crash: it is derived from the step that made it. */
  readonly id: string
  readonly body: OutBody
  /** A row not begun within this time ends `expired`. */
  readonly expiresInMs: number
}

/** What a body needs to change the message of the card whose question has ended; nothing for any other event. */
export function toReplaced(event: ChatEvent | undefined): { replaces?: string; replacesMessage?: string } {
  if ((event?.kind !== 'answer' && event?.kind !== 'expired') || event.card === undefined) return {}
  return { replaces: event.card, ...(event.messageId === undefined ? {} : { replacesMessage: event.messageId }) }
}

/** The body of a row that takes the buttons off the message of row `replaces`. */
export function unbutton(replaces: string, replacesMessage?: string): OutBody {
  const message = replacesMessage === undefined ? {} : { replacesMessage }
  return { v: 1, kind: 'unbutton', answers: [], language: 'en', replaces, ...message }
}
