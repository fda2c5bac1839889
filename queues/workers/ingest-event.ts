// The one way in: clean the text, recognise a stop, append to the mailbox once, then hint the router.
import { cleanName, cleanText } from '#shared/chat/clean-text.ts'
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import { chatEvent, type ChatEvent, type MessageEvent } from '#shared/chat/event.ts'
import { isLiteralStop } from '#shared/chat/stop.ts'
import { BotError } from '#shared/errors.ts'
import type { Hints } from '#queues/jobs/hints.ts'
import type { IngestResult, Kernel } from '#queues/kernel/kernel.ts'

/** Twice what Telegram allows in one message. */
const maxQuoteChars = 8192

export type IngestDeps = {
  readonly kernel: Pick<Kernel, 'ingest'>
  readonly hints: Pick<Hints, 'inbound'>
  /** Whether a person owns the bot: their stop in a group ends everybody's turns, like an administrator's. */
  readonly isOwner?: (principal: PrincipalId, conversation: ConversationId) => Promise<boolean>
  /** An event was dropped, because far too many wait in its conversation. */
  readonly onFull?: (conversation: ConversationId) => void
}

/** All that storing an event takes: done again, in the order of before, it needs to ask nothing more. */
export type StorableEvent = Parameters<Kernel['ingest']>[0]

/**
 * With `echo` a person's message also shows in the conversation's own stream (web, console). Throws what `isOwner` throws, and BotError
 * `bad-input` for what nobody could read back: stored, it would park the conversation.
 */
export async function prepareEvent(
  deps: Pick<IngestDeps, 'isOwner'>,
  event: ChatEvent,
  { dedupeKey, echo = false }: { readonly dedupeKey: string; readonly echo?: boolean },
): Promise<StorableEvent> {
  const clean = cleanEvent(event)
  const issue = chatEvent.safeParse(clean).error?.issues[0]
  if (issue)
    throw new BotError('bad-input', `An event of kind ${event.kind} has an unknown shape at "${issue.path.join('.')}".`)
  const stops = clean.kind === 'message' && !isSaidToAnother(clean) && isLiteralStop(clean.text, clean.command)
  const stop = stops ? ((await mayStopAll(deps, clean)) ? 'all' : 'own') : 'none'
  return { event: clean, dedupeKey, stop, echo }
}

/**
 * Stores an event once per `dedupeKey`; resolves only when Redis has it, so an adapter acknowledges to its platform afterwards.
 * Throws BotError `store-unavailable` when it could not be stored: then the platform must redeliver.
 */
export async function storeEvent(deps: IngestDeps, storable: StorableEvent): Promise<IngestResult> {
  const { conversation } = storable.event
  const result = await deps.kernel.ingest(storable)
  if (result.kind === 'FULL') {
    deps.onFull?.(conversation)
    return result
  }
  // The event is safe; without its hint the sweeper finds it.
  deps.hints.inbound(conversation, result.wakes).catch(() => {})
  return result
}

async function mayStopAll({ isOwner }: Pick<IngestDeps, 'isOwner'>, event: MessageEvent): Promise<boolean> {
  if (event.senderIsAdmin) return true
  return event.group && isOwner !== undefined && (await isOwner(event.principal, event.conversation))
}

/** A word that answers another's message is no order, unless the bot is named. */
function isSaidToAnother({ command, addressed, replyTo }: MessageEvent): boolean {
  return command === undefined && !addressed && replyTo !== undefined
}

function cleanEvent(event: ChatEvent): ChatEvent {
  const named = event.name === undefined ? event : { ...event, name: cleanName(event.name) }
  if (named.kind === 'edit') return { ...named, text: cleanText(named.text).text }
  if (named.kind !== 'message') return named
  const { text, truncated } = cleanText(named.text)
  const { replyTo, quoted, command } = named
  return {
    ...named,
    text,
    ...(command ? { command: { ...command, args: cleanText(command.args).text } } : {}),
    ...(replyTo ? { replyTo: { ...replyTo, ...cleanQuote(replyTo) } } : {}),
    ...(quoted
      ? { quoted: quoted.map((quote) => ({ ...quote, ...cleanQuote(quote), text: cleanQuoted(quote.text) })) }
      : {}),
    ...(truncated ? { truncated } : {}),
  }
}

type Quote = { readonly text?: string | undefined; readonly author?: string | undefined }

function cleanQuote({ text, author }: Quote): { text?: string; author?: string } {
  return {
    ...(text === undefined ? {} : { text: cleanQuoted(text) }),
    ...(author === undefined ? {} : { author: cleanName(author) }),
  }
}

const cleanQuoted = (text: string): string => cleanText(text).text.slice(0, maxQuoteChars).toWellFormed()
