// The forms a text goes in, the best first: rich message -> text with entities -> plain text. A step down follows only a refusal of the
// form itself; what nobody knows to have failed is never sent in another form: it could show twice. Why: infra/decisions/010.
import type { OutBody } from '#shared/run/out-row.ts'
import { splitBody } from '#adapters/markup/split-body.ts'
import { toEntities, type EntityText, type TextEntity } from '#adapters/markup/to-entities.ts'
import { takeTurn } from '#adapters/markup/in-turns.ts'
import { askedTwice } from '#adapters/markup/asked-twice.ts'
import { orPlain } from '#adapters/markup/or-plain.ts'
import { mostRichChars, toRich, type RichBlock } from '#adapters/markup/to-rich.ts'
import type { CallResult, Refused } from './bot-api.ts'
import { isOfChat } from './trouble.ts'

/** Whether the Bot API server knows rich messages: an older one of one's own may not. Learnt by a refusal, kept for the process. */
export type RichSupport = { isKnown: boolean }

/** Without automatic entities nothing in a rich message becomes a mention or a command. */
type RichForm = { readonly blocks: RichBlock[]; readonly skip_entity_detection: true }
type Form =
  | { readonly kind: 'rich'; readonly message: RichForm }
  | { readonly kind: 'text'; readonly text: string; readonly entities: TextEntity[] }
/** `too-long`: not a rich message, or refused as one, and too long for a text. */
type Stepped<T> = CallResult<T> | { readonly kind: 'too-long' }

/** UTF-16 units of a message after rendering. https://core.telegram.org/bots/api#sendmessage */
export const maxTextUnits = 4096
const textLimit = { limit: maxTextUnits, measure: (markdown: string) => toEntities(markdown).text.length }
const richLimit = { limit: mostRichChars, measure: (markdown: string) => markdown.length }
const readRich = askedTwice(
  orPlain(
    (markdown) => toRich(markdown, maxTextUnits),
    () => undefined,
  ),
)

/** Parts that each fit the form they will be sent in. */
export async function splitToForms(support: RichSupport, body: OutBody): Promise<readonly OutBody[]> {
  if (body.kind === 'send') await takeTurn(body.text.length)
  // What is far too long is judged by its beginning; its parts are judged again.
  const isRich =
    support.isKnown && body.kind === 'send' && readRich(body.text.slice(0, mostRichChars).toWellFormed()) !== undefined
  // What then still fits no form is split when its turn comes.
  return await (isRich ? splitBody(body, richLimit) : splitToTexts(body))
}

export async function splitToTexts(body: OutBody): Promise<readonly OutBody[]> {
  return await splitBody(body, textLimit)
}

type Asked = {
  readonly text: string
  /** The text with entities; as a message shows it by default. */ readonly toText?: () => EntityText
}

/** Asks with each form until one is not refused for being that form. */
export async function stepDown<T>(
  support: RichSupport,
  { text, toText = () => toEntities(text) }: Asked,
  send: (form: Form) => Promise<CallResult<T>>,
): Promise<Stepped<T>> {
  await takeTurn(text.length)
  const blocks = support.isKnown ? readRich(text) : undefined
  if (blocks) {
    const sent = await send({ kind: 'rich', message: { blocks, skip_entity_detection: true } })
    if (sent.kind !== 'refused' || !isOfRich(sent)) return sent
    if (isUnknown(sent)) support.isKnown = false
  }
  const rendered = toText()
  if (rendered.text.length > maxTextUnits) return { kind: 'too-long' }
  const sent = await send({ kind: 'text', text: rendered.text, entities: [...rendered.entities] })
  const isMarkup = sent.kind === 'refused' && sent.code === 400 && /entit|parse|ENTITY/.test(sent.reason)
  return isMarkup && rendered.entities.length > 0 ? send({ kind: 'text', text: rendered.text, entities: [] }) : sent
}

/** Refusals of the message that was to be changed or answered. */
const ofMessage =
  /message (is not modified|to edit not found|can't be edited|to be replied not found|thread not found|_id_invalid)/i

function isOfRich(refused: Refused): boolean {
  if (refused.code === 404) return isUnknown(refused)
  const { code, reason, migratedTo } = refused
  return code === 400 && migratedTo === undefined && !isOfChat(reason) && !ofMessage.test(reason)
}

/** An old server knows no such method, and misses the text in an edit. */
function isUnknown({ code, reason }: Refused): boolean {
  return code === 404 ? /method not found/i.test(reason) : /message text is empty/i.test(reason)
}
