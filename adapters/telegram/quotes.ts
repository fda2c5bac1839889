// Words of others that come with a message: what it replies to, here or in another chat, and what it forwards. Pure.
import { z } from 'zod'
import type { MessageEvent } from '#shared/chat/event.ts'
import { unknownKind, type Media, type Quotation } from '#shared/chat/quotation.ts'
import type { BotIdentity } from './addressing.ts'
import { toContent, type Content } from './content.ts'
import { toPrincipal } from './ids.ts'
import type { TgMessage, TgOrigin, TgUser } from './updates.ts'

/** In a topic every message "replies" to the topic's opening; that one is no quote. Another chat's message is `<chat>/<message>`. */
export function toReply(one: TgMessage, bot: BotIdentity): MessageEvent['replyTo'] {
  const quoted = findReplied(one)
  if (!quoted) return undefined
  const isForward = quoted.forward_origin !== undefined
  const content = toContent(quoted)
  const text = isForward ? '' : (one.quote?.text ?? findPart(one, quoted) ?? toWords(content))
  const media = isForward ? [] : content.media
  const person = quoted.sender_chat === undefined ? quoted.from : undefined
  const author = person ? toName(person) : quoted.sender_chat?.title
  return {
    messageId: quoted.chat.id === one.chat.id ? String(quoted.message_id) : `${quoted.chat.id}/${quoted.message_id}`,
    fromBot: person?.id === bot.id,
    ...(text === '' ? {} : { text }),
    ...(person ? { principal: toPrincipal(person.id) } : {}),
    ...(author ? { author: short(author) } : {}),
    ...(media.length > 0 ? { media: [...media] } : {}),
  }
}

const pointed = z.object({
  reply_to_checklist_task_id: z.number().optional(),
  reply_to_poll_option_id: z.string().optional(),
})
const pointedAt = z.object({
  checklist: z.object({ tasks: z.array(z.looseObject({ id: z.number(), text: z.string() })) }).optional(),
  poll: z.object({ options: z.array(z.looseObject({ persistent_id: z.string(), text: z.string() })) }).optional(),
})

/** The task or the option that is replied to, where it is one. https://core.telegram.org/bots/api#replyparameters */
function findPart(one: TgMessage, quoted: unknown): string | undefined {
  const { reply_to_checklist_task_id: task, reply_to_poll_option_id: option } = pointed.safeParse(one).data ?? {}
  if (task === undefined && option === undefined) return undefined
  const { checklist, poll } = pointedAt.safeParse(quoted).data ?? {}
  const found =
    checklist?.tasks.find(({ id }) => id === task) ?? poll?.options.find(({ persistent_id: id }) => id === option)
  return found?.text
}

/** All that it says, whoever chose the words. */
export const toWords = ({ text, others }: Content): string => [text, ...others].filter((one) => one !== '').join('\n')

/** A forward's own words, those of a forward that is replied to, and those of another chat. */
export function toQuoted(one: TgMessage, bot: BotIdentity): Quotation[] {
  const quoted: Quotation[] = []
  const replied = findReplied(one)
  if (replied?.forward_origin) {
    const content = toContent(replied)
    const text = one.quote?.text ?? toWords(content)
    quoted.push(toQuotation('forward', replied.forward_origin, { text, media: content.media, bot }))
  }
  if (!replied && one.external_reply) {
    const content = toContent(one.external_reply)
    // Of a text of another chat only what the person picked there is told.
    const text = [one.quote?.text ?? '', ...content.others].filter((part) => part !== '').join('\n')
    const media = text === '' ? content.media : content.media.filter(({ kind }) => kind !== unknownKind)
    quoted.push(toQuotation('reply', one.external_reply.origin, { text, media, bot }))
  }
  if (!replied && one['reply_to_story'] !== undefined)
    quoted.push({ how: 'reply', text: '', media: [{ kind: 'story' }] })
  // Its files stay the event's own, so that people hear what becomes of them.
  const own = toContent(one)
  const text = toWords(own)
  if (one.forward_origin) quoted.push(toQuotation('forward', one.forward_origin, { text, media: [], bot }))
  else for (const words of own.others) quoted.push({ how: 'forward', text: words })
  return quoted.filter((quote) => quote.text !== '' || quote.media !== undefined)
}

/** Words that point at something, or name nothing but what is to be done with it. */
const pointing = new RegExp(
  [
    /\b(?:this|these|following|below)\b|[这這]|以下|下面/,
    /^\W*(?:(?:please|pls|can you|could you) )?(?:summari[sz]e|translate|explain|tl;?dr|fact.?check|proofread|thoughts)(?: (?:it|please|for me|(?:in)?to \w+))*\W*$/,
    /^(?:请|请你|帮我|帮忙)?(?:总结|概括|归纳|翻译|解释|分析|润色|校对|看看|怎么看).{0,6}$/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
)
const mostCommentChars = 200

/** Whether a message may be the comment on a forward, which the client sends as the next message. */
export function mayComment(one: TgMessage): boolean {
  if (one.text === undefined || one.text.length > mostCommentChars || one.forward_origin) return false
  return !one.reply_to_message && !one.external_reply && !one.text.includes('\n') && pointing.test(one.text)
}

export function toName(from: TgUser): string {
  return short([from.first_name, from.last_name].filter(Boolean).join(' '))
}

function findReplied(one: TgMessage): TgMessage['reply_to_message'] {
  const quoted = one.reply_to_message
  if (!quoted || quoted.forum_topic_created !== undefined) return undefined
  return one.is_topic_message && quoted.message_id === one.message_thread_id ? undefined : quoted
}

function toQuotation(
  how: Quotation['how'],
  origin: TgOrigin,
  { text, media, bot }: { readonly text: string; readonly media: readonly Media[]; readonly bot: BotIdentity },
): Quotation {
  const { sender_user: person, sender_user_name: hidden, sender_chat: group, chat: channel } = origin
  const author = person ? toName(person) : (hidden ?? group?.title ?? channel?.title)
  return {
    how,
    text,
    ...(author ? { author: short(author) } : {}),
    ...(person ? { principal: toPrincipal(person.id) } : {}),
    ...(media.length > 0 ? { media: [...media] } : {}),
    ...(person?.id === bot.id ? { fromBot: true } : {}),
  }
}

const short = (name: string): string => name.slice(0, 64)
