// A message too long for a platform, as the messages to send instead.
import type { OutBody } from '#shared/run/out-row.ts'
import { splitMarkdown, type SplitLimit } from './split.ts'

/** Cutting takes milliseconds a part, and a process cuts for all of its chats. */
const mostAtOnce = 8

/**
 * What is far too long is not cut to its end at once: the last part is then the rest, which is too long as well and is split when its turn
 * comes. The first part carries what is answered, replied to and replaced, the last one the buttons. One part means it fits as it is.
 */
export function splitBody(body: OutBody, limit: SplitLimit): readonly OutBody[] {
  if (body.kind !== 'send') return [body]
  const texts = splitMarkdown(body.text, limit, mostAtOnce)
  if (texts.length < 2) return [body]
  const { buttons, replyTo, replaces, answers, ...rest } = body
  return texts.map((text, i) => ({
    ...rest,
    text,
    answers: i === 0 ? answers : [],
    ...(i === 0 && replyTo !== undefined ? { replyTo } : {}),
    ...(i === 0 && replaces !== undefined ? { replaces } : {}),
    ...(i === texts.length - 1 && buttons ? { buttons } : {}),
  }))
}

/** As channels show it that take no file here. */
export function withoutFile(body: Extract<OutBody, { kind: 'send' }>): OutBody {
  const { file: _, ...rest } = body
  return rest
}
