// A message too long for a platform, as the messages to send instead.
import type { OutBody } from '#shared/run/out-row.ts'
import { inTurns } from './in-turns.ts'
import { splitInSteps, type SplitLimit } from './split.ts'

/** Cutting takes a millisecond a part, of what nobody would write twenty, and a process cuts for all of its chats. */
const mostAtOnce = 8
const cutWithinMs = 10

/**
 * What is far too long, or takes long, is not cut to its end at once: the last part is then the rest, which is split when its turn comes.
 * The first part carries what is answered, replied to and replaced, the last one the buttons. One part means it fits as it is.
 */
export async function splitBody(
  body: OutBody,
  limit: SplitLimit,
  now = () => performance.now(),
): Promise<readonly OutBody[]> {
  if (body.kind !== 'send') return [body]
  const texts = await splitSome(body.text, limit, now)
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

async function splitSome(text: string, limit: SplitLimit, now: () => number): Promise<string[]> {
  let tookMs = 0
  const onStep = (ms: number): void => {
    tookMs += ms
  }
  const parts: string[] = []
  for (let rest: string | undefined = text; rest !== undefined;) {
    const isEnough = parts.length >= mostAtOnce || (parts.length > 0 && tookMs >= cutWithinMs)
    const [part = '', more]: string[] = isEnough
      ? [rest]
      : await inTurns(rest.length, splitInSteps(rest, limit, 1), onStep, now)
    parts.push(part)
    rest = more
  }
  return parts
}

/** As channels show it that take no file here. */
export function withoutFile(body: Extract<OutBody, { kind: 'send' }>): OutBody {
  const { file: _, ...rest } = body
  return rest
}
