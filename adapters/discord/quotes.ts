// Words of others that come with a message: what it replies to, and what it forwards. Pure. Discord does not say whose words a forward
// holds, only who passed them on. https://docs.discord.com/developers/resources/message#message-reference
import type { MessageEvent } from '#shared/chat/event.ts'
import type { Media, Quotation } from '#shared/chat/quotation.ts'
import { toName, toSaid, type BotIdentity } from './addressing.ts'
import type { DcMessage, DcSnapshot } from './payloads.ts'
import { toPrincipal } from './ids.ts'

export function toReply({ referenced_message: quoted }: DcMessage, bot: BotIdentity): MessageEvent['replyTo'] {
  if (!quoted) return undefined
  const isPerson = quoted.webhook_id === undefined
  const fromBot = isPerson && quoted.author.id === bot.id
  const isForward = findForwarded(quoted) !== undefined
  const text = isForward ? '' : toSaid(quoted, bot)
  const author = toName(quoted.author)
  const media = isForward ? [] : toMedia(quoted)
  return {
    messageId: quoted.id,
    fromBot,
    ...(text === '' ? {} : { text }),
    ...(isPerson && (fromBot || !quoted.author.bot) ? { principal: toPrincipal(quoted.author.id) } : {}),
    ...(author === '' ? {} : { author }),
    ...(media.length > 0 ? { media } : {}),
  }
}

/** What a message forwards, and what a message it replies to forwards. */
export function toQuoted(said: DcMessage, bot: BotIdentity): Quotation[] {
  const [own, replied] = [findForwarded(said), said.referenced_message && findForwarded(said.referenced_message)]
  // A message's own files stay the event's, so that people hear what becomes of them.
  const quoted = [
    ...(replied ? [{ snapshot: replied, media: toMedia(replied) }] : []),
    ...(own ? [{ snapshot: own, media: [] }] : []),
  ].map(({ snapshot, media }): Quotation => {
    const text = toSaid(snapshot, bot)
    return { how: 'forward', text, ...(media.length > 0 ? { media } : {}) }
  })
  return quoted.filter((quote) => quote.text !== '' || quote.media !== undefined)
}

export function findForwarded({
  message_snapshots: snapshots,
}: Pick<DcMessage, 'message_snapshots'>): DcSnapshot | undefined {
  return snapshots?.[0]?.message
}

/** As metadata only: nothing is downloaded. */
export function toMedia(said: Pick<DcMessage, 'attachments' | 'sticker_items' | 'poll'>): Media[] {
  return [
    ...said.attachments.map(({ filename, content_type: type, size }) => ({
      kind: /^(image|video|audio)\//.exec(type ?? '')?.[1] ?? 'document',
      ...(filename === '' ? {} : { name: filename.toWellFormed().slice(0, 200) }),
      ...(size === undefined ? {} : { bytes: size }),
    })),
    ...(said.sticker_items ?? []).map(({ name }) => ({ kind: 'sticker', name: name.toWellFormed().slice(0, 200) })),
    ...(said.poll === undefined || said.poll === null ? [] : [{ kind: 'poll' }]),
  ]
}
