// Words of others that come with a message: what it replies to, what it forwards, and what it shows without saying it. Pure. Discord does not
// say whose words a forward holds, only who passed them on. https://docs.discord.com/developers/resources/message#message-reference
import type { MessageEvent } from '#shared/chat/event.ts'
import type { Media, Quotation } from '#shared/chat/quotation.ts'
import { toName, type Reader } from './addressing.ts'
import { toContent, type Content } from './content.ts'
import { isService, type DcMessage, type DcReferenced, type DcSnapshot } from './payloads.ts'
import { toPrincipal } from './ids.ts'

export function toReply({ referenced_message: quoted }: DcMessage, reader: Reader): MessageEvent['replyTo'] {
  if (!quoted) return undefined
  const isPerson = quoted.webhook_id === undefined
  const fromBot = isPerson && quoted.author.id === reader.id
  const { text, media } = toWords(quoted, reader)
  const author = toName(quoted.author)
  return {
    messageId: quoted.id,
    fromBot,
    ...(text === '' ? {} : { text }),
    ...(isPerson && (fromBot || !quoted.author.bot) ? { principal: toPrincipal(quoted.author.id) } : {}),
    ...(author === '' ? {} : { author }),
    ...(media.length > 0 ? { media: [...media] } : {}),
  }
}

/** All that a message says and shows; nothing of a forward, which is quoted by itself. */
function toWords(quoted: DcReferenced, reader: Reader): { readonly text: string; readonly media: readonly Media[] } {
  if (isForward(quoted) || isService(quoted.type)) return { text: '', media: [] }
  const content = toContent(quoted, reader)
  const fromBot = quoted.webhook_id === undefined && quoted.author.id === reader.id
  // The bot sends no embeds: under its own words stands what others wrote on a page.
  return fromBot ? { text: content.text, media: toFilesOnly(content) } : { text: toAll(content), media: content.media }
}

const toAll = ({ text, shown }: Content): string => [text, shown].filter((part) => part !== '').join('\n')
const toFilesOnly = ({ media, shown }: Content): readonly Media[] => (shown === '' ? media : [])

/** The words that a message forwards, those that its replied message forwards, and those that it shows where it says nothing itself. */
export function toQuoted(said: DcMessage, reader: Reader): Quotation[] {
  const [own, replied] = [findForwarded(said), said.referenced_message && findForwarded(said.referenced_message)]
  const quoted: Quotation[] = []
  if (replied) quoted.push(toQuotation(replied, reader))
  // A message's own files stay the event's, so that people hear what becomes of them.
  if (own) quoted.push({ how: 'forward', text: toAll(toContent(own, reader)) })
  const { text, shown } = toContent(said, reader)
  if (!isForward(said) && text === '' && shown !== '') quoted.push({ how: 'forward', text: shown })
  return quoted.filter((quote) => quote.text !== '' || quote.media !== undefined)
}

/** The message that a thread was opened from. */
export function toStarter(starter: DcMessage, reader: Reader): Quotation[] {
  const forwarded = findForwarded(starter)
  if (forwarded) return [toQuotation(forwarded, reader)]
  const {
    messageId: _,
    fromBot,
    text = '',
    ...whose
  } = toReply({ ...starter, referenced_message: starter }, reader) ?? {}
  const quote: Quotation = { how: 'reply', text, ...whose, ...(fromBot ? { fromBot: true } : {}) }
  return quote.text !== '' || quote.media !== undefined ? [quote] : []
}

function toQuotation(snapshot: DcSnapshot, reader: Reader): Quotation {
  const content = toContent(snapshot, reader)
  const media = content.media
  return { how: 'forward', text: toAll(content), ...(media.length > 0 ? { media: [...media] } : {}) }
}

type Forward = Pick<DcMessage, 'message_snapshots' | 'message_reference'>

const forwardType = 1

/** Whether it passes a message on, told or not. */
export const isForward = (said: Forward): boolean =>
  findForwarded(said) !== undefined || said.message_reference?.type === forwardType

export function findForwarded({ message_snapshots: snapshots }: Forward): DcSnapshot | undefined {
  return snapshots?.[0]?.message
}
