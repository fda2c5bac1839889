// The HTTP interface of conversations: send and press. A message is accepted only once it is stored.
import { createHash, randomBytes } from 'node:crypto'
import type { Context, Hono } from 'hono'
import { z } from 'zod'
import { toPress } from '#adapters/press/to-press.ts'
import { cleanText } from '#shared/chat/clean-text.ts'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { ChatEvent, MessageEvent } from '#shared/chat/event.ts'
import { isZone } from '#shared/chat/is-zone.ts'
import { languages } from '#shared/chat/message.ts'
import { parseCommand } from '#shared/chat/parse-command.ts'
import { BotError } from '#shared/errors.ts'
import type { IngestResult } from '#queues/kernel/kernel.ts'
import type { Ingest } from '#queues/workers/ingest.ts'
import { refuse, refuseStore, within } from './answer.ts'
import type { ConversationList } from './conversation-list.ts'
import { readJson } from './request-body.ts'

/** The holder of the web token. */
export const webOwner = 'web:owner'
/** A store that takes longer is answered as unavailable, so that no caller waits more than three seconds. */
export const storeTimeoutMs = 2800

/** What the page speaks, and by which clock its browser goes. */
export const sendersProgram = {
  language: z.enum(languages).optional(),
  /** One that this machine does not know is left out. */
  zone: z
    .string()
    .max(64)
    .transform((zone) => (isZone(zone) ? zone : undefined))
    .optional(),
}
const messageBody = z
  .object({
    text: z.string(),
    /** The event id of a message of the same conversation, or the row of one of the bot's. */
    replyTo: z
      .string()
      .regex(/^(web-[0-9a-f]{40}|[\w.-]{1,64})$/)
      .optional(),
    ...sendersProgram,
  })
  .describe('{"text": "a message"}')
const pressBody = z
  .object({ buttonId: z.string().regex(/^[\w-]{1,40}\.[\w-]{1,32}$/) })
  .describe('{"buttonId": "<question id>.<choice>"}')

export type RouteDeps = {
  /** Undefined before the channel has started and after it was told to stop. */
  ingest(): Ingest | undefined
  readonly list: Pick<ConversationList, 'touch'>
  now(): number
}

export function addConversationRoutes(app: Hono, deps: RouteDeps): void {
  app.post('/api/conversations/:id/messages', (context) => acceptMessage(deps, context))
  app.post('/api/conversations/:id/presses', (context) => acceptPress(deps, context))
}

/** `{id}` of the path as `web:<id>`. Throws `bad-input`. */
export function toWebConversation(id: string): ConversationId {
  if (/^[\w@.-]{1,64}$/.test(id)) return `web:${id}`
  throw new BotError('bad-input', 'A conversation id has 1 to 64 characters of A-Z a-z 0-9 _ - @ and dot.')
}

/** What names a message to be the same when it is sent again. Throws `bad-input`. */
export function toKey(context: Context): string | undefined {
  const key = context.req.header('idempotency-key')
  if (key === undefined || /^[\x20-\x7e]{1,200}$/.test(key)) return key
  throw new BotError('bad-input', 'Idempotency-Key must be 1 to 200 ASCII characters.')
}

/** The same for the same key in the same conversation; the page computes it too, to know its own messages again. */
export function toEventId(conversation: ConversationId, key: string | undefined): string {
  const digest =
    key === undefined
      ? randomBytes(20)
      : createHash('sha256').update(`${conversation}\n${key}`).digest().subarray(0, 20)
  return `web-${digest.toString('hex')}`
}

async function acceptMessage(deps: RouteDeps, context: Context): Promise<Response> {
  const id = context.req.param('id') ?? ''
  const conversation = toWebConversation(id)
  const key = toKey(context)
  const body = await readJson(context.req.raw, messageBody)
  if (body.kind === 'refused') return refuse(context, body.problem.status, body.problem)
  const { text, replyTo, ...program } = body.value
  if (cleanText(text).text === '') return refuse(context, 400, { code: 'bad-input', message: 'The text is empty.' })
  const event = toMessage({ conversation, id: toEventId(conversation, key), at: deps.now(), text, replyTo, ...program })
  const answer = await store(deps, context, { event, echo: true })
  // The list is a convenience: the next message mends what is lost here.
  if (answer.status === 202) deps.list.touch(id, event.at).catch(() => {})
  return answer
}

type Said = Pick<MessageEvent, 'conversation' | 'id' | 'at' | 'text' | 'language' | 'zone'> & {
  readonly replyTo?: string | undefined
}

/** A message of the page's owner. */
export function toMessage({ replyTo, language, zone, ...said }: Said): MessageEvent {
  const command = parseCommand(said.text)
  return {
    ...said,
    v: 1,
    kind: 'message',
    principal: webOwner,
    messageId: said.id,
    addressed: true,
    group: false,
    ...(language === undefined ? {} : { language }),
    ...(zone === undefined ? {} : { zone }),
    ...(replyTo === undefined ? {} : { replyTo: { messageId: replyTo, fromBot: !replyTo.startsWith('web-') } }),
    ...(command ? { command } : {}),
  }
}

/** Answers 202 once it is stored. With `echo` it is shown as what its person said. */
export async function store(
  deps: Pick<RouteDeps, 'ingest'>,
  context: Context,
  { event, echo }: { readonly event: ChatEvent; readonly echo: boolean },
): Promise<Response> {
  const ingest = deps.ingest()
  if (!ingest) return refuseStore(context)
  const take = async (): Promise<IngestResult> => {
    const result = await ingest.take(event, { dedupeKey: event.id, echo })
    await ingest.synced()
    return result
  }
  const stored = await within(take(), storeTimeoutMs)
  if (!stored) return refuseStore(context)
  if (stored.kind === 'FULL') {
    const message = 'Too many messages wait in this conversation. Try again later.'
    return refuse(context, 429, { code: 'busy', message })
  }
  return context.json({ eventId: event.id, seq: stored.seq }, 202)
}

async function acceptPress(deps: RouteDeps, context: Context): Promise<Response> {
  const conversation = toWebConversation(context.req.param('id') ?? '')
  const body = await readJson(context.req.raw, pressBody)
  if (body.kind === 'refused') return refuse(context, body.problem.status, body.problem)
  const ingest = deps.ingest()
  if (!ingest) return refuseStore(context)
  const id = toEventId(conversation, undefined)
  const press = toPress({ id, conversation, principal: webOwner, at: deps.now(), data: body.value.buttonId })
  const result = await within(ingest.press(press), storeTimeoutMs)
  if (!result) return refuseStore(context)
  switch (result.kind) {
    case 'WON':
      return context.json({ outcome: 'won', by: webOwner, choice: press.choice })
    case 'ALREADY':
      return context.json({ outcome: 'already', by: result.by, choice: result.choice })
    case 'FORBIDDEN':
      return context.json({ outcome: 'forbidden' }, 403)
    case 'STALE':
      return context.json({ outcome: 'stale' }, 409)
    case 'UNKNOWN':
      return context.json({ outcome: 'unknown' }, 404)
    default:
      return result satisfies never
  }
}
