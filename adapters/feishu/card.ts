// The cards that messages are sent as (JSON 2.0): a text, and rows of buttons below it. Everything is a card, since only cards can be
// changed for two weeks. https://open.feishu.cn/document/feishu-cards/card-json-v2-structure
import { z } from 'zod'
import { languages, type Button, type Language } from '#shared/chat/message.ts'
import type { ConversationId } from '#shared/chat/conversation.ts'
import { toCardMarkdown, toFencedMarkdown } from '#adapters/markup/to-card.ts'
import { toGrowing } from '#adapters/markup/to-growing.ts'
import { parseJson } from '#shared/json.ts'

export type Card = Readonly<Record<string, unknown>>

/** What a button carries, and brings back when it is pressed. */
export type ButtonValue = {
  /** `<question>.<choice>`. */
  readonly button: string
  /** The conversation that the card was sent to: a press names only the chat, and not whether it is a direct one. */
  readonly to: ConversationId
  readonly language: Language
  /** What the buttons of the card say, by what they carry. */
  readonly labels: Readonly<Record<string, string>>
}

export const buttonValue = z.object({
  button: z.string().max(64),
  to: z.string().max(200),
  language: z.enum(languages).catch('en'),
  labels: z.record(z.string(), z.string()).catch({}),
})

/** The element that grows. Names of elements begin with a letter and have 20 signs at most. */
export const textElement = 'text'
const rowPrefix = 'row_'
/** From 1. */
export const toRowElement = (n: number): string => `${rowPrefix}${n}`
/** Each button carries the labels of all; where that grows beyond this many characters, none do. */
const mostLabelChars = 4000

export type Shown = {
  readonly text: string
  readonly buttons?: readonly (readonly Button[])[] | undefined
  readonly to: ConversationId
  readonly language: Language
  /** Shows letter by letter what is put into its text. */
  readonly isStreaming?: boolean
  /** `fenced`: tables are columns of text; `plain`: without any markup. */
  readonly form?: 'fenced' | 'plain'
}

export function toCard({ text, buttons = [], to, language, isStreaming, form }: Shown): Card {
  const toWords = (): string =>
    form === 'fenced' ? toFencedMarkdown(text) : (isStreaming && toGrowing(text)) || toCardMarkdown(text)
  const words =
    form === 'plain'
      ? { tag: 'div', element_id: textElement, text: { tag: 'plain_text', content: text } }
      : { tag: 'markdown', element_id: textElement, content: toWords() }
  const carried = { to, language, labels: toLabels(buttons.flat()) }
  const rows = buttons.filter((row) => row.length > 0).map((row, i) => toRow(row, i, carried))
  return {
    schema: '2.0',
    config: {
      update_multi: true,
      ...(isStreaming ? { streaming_mode: true } : {}),
      summary: { content: toSummary(text) },
    },
    body: { elements: [words, ...rows] },
  }
}

/** What the list of chats and a notification show. */
function toSummary(text: string): string {
  const words = text
    .replaceAll(/[*_~`#>|]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return (words.length > 100 ? `${words.slice(0, 99)}…` : words).toWellFormed() || '…'
}

function toRow(row: readonly Button[], i: number, carried: Omit<ButtonValue, 'button'>): object {
  return {
    tag: 'column_set',
    element_id: toRowElement(i + 1),
    flex_mode: 'flow',
    columns: row.map(({ id, label }) => ({
      tag: 'column',
      width: 'auto',
      elements: [
        {
          tag: 'button',
          text: { tag: 'plain_text', content: label },
          type: 'default',
          behaviors: [{ type: 'callback', value: { button: id, ...carried } satisfies ButtonValue }],
        },
      ],
    })),
  }
}

function toLabels(all: readonly Button[]): Record<string, string> {
  const chars = all.reduce((sum, { id, label }) => sum + id.length + label.length, 0)
  return chars * all.length > mostLabelChars ? {} : Object.fromEntries(all.map(({ id, label }) => [id, label]))
}

const sentCard = z.looseObject({
  schema: z.literal('2.0'),
  body: z.looseObject({ elements: z.array(z.looseObject({ element_id: z.string().optional() })) }),
})

/** A card of ours, as it was sent, without its buttons; undefined for another, or when it has none. */
export function withoutButtons(json: string): Card | undefined {
  const card = sentCard.safeParse(parseJson(json)).data
  if (!card) return undefined
  const elements = card.body.elements.filter(({ element_id: id }) => !id?.startsWith(rowPrefix))
  return elements.length === card.body.elements.length ? undefined : { ...card, body: { ...card.body, elements } }
}

const entity = z.object({ type: z.literal('card'), data: z.object({ card_id: z.string().regex(/^\w{1,20}$/) }) })

/** The card entity that a message shows, where that is all that Feishu tells of it. */
export const findEntity = (json: string): string | undefined => entity.safeParse(parseJson(json)).data?.data.card_id
