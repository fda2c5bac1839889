// Receives updates that Telegram pushes. The secret is compared before anything is read, 200 is said only when the update is in
// Redis, and 5xx makes Telegram push it again. Any number of receivers may run.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { BotIdentity } from './addressing.ts'
import { createLanes, toLane, type Lanes } from './lanes.ts'
import { takeIncoming, type TakeDeps } from './take-update.ts'
import { toEvent } from './to-event.ts'
import { anyUpdate } from './updates.ts'
import { parseJson } from '#shared/json.ts'

/** The bot, what takes its updates in, and those that are being taken, answered late or not: the channel ends after them. */
export type Receiver = { readonly me: BotIdentity; readonly take: TakeDeps; readonly inHand: Set<Promise<void>> }

export type WebhookDeps = {
  readonly secret: string
  /** Known once Telegram has told who the bot is, until the channel stops. */
  readonly receiver: () => Receiver | undefined
  /** After this long the push is answered 503; what is stored later is known by its id when it comes again. */
  readonly respondWithinMs: number
}

const secretHeader = 'x-telegram-bot-api-secret-token'
/** How long an update waits for the one before it. */
const predecessorMs = 100
const maxBodyBytes = 1_000_000

/** Takes a request of any method; answers, and never throws. */
export function createWebhookHandler(deps: WebhookDeps): (request: Request) => Promise<Response> {
  const wanted = digest(deps.secret)
  const lanes = createLanes(predecessorMs)
  return async (request) => {
    if (request.method !== 'POST') return respond(405, { allow: 'POST' })
    if (!timingSafeEqual(digest(request.headers.get(secretHeader) ?? ''), wanted)) return respond(401)
    const body = await readBody(request).catch(() => '')
    if (body === undefined) return respond(413)
    const receiver = deps.receiver()
    if (!receiver) return respond(503)
    const update = parseJson(body)
    return update === undefined
      ? respond(400)
      : respond(await takeIn(receiver, { lanes, update }, deps.respondWithinMs))
  }
}

type Pushed = { readonly lanes: Lanes; readonly update: unknown }

async function takeIn(
  { take, me, inHand }: Receiver,
  { lanes, update }: Pushed,
  respondWithinMs: number,
): Promise<200 | 503> {
  const late = Promise.withResolvers<503>()
  const timer = setTimeout(() => late.resolve(503), respondWithinMs)
  const incoming = toEvent(update, me)
  // What has no number is counted as malformed, and waits for nobody.
  const id = anyUpdate.safeParse(update).data?.update_id
  const store = (): Promise<void> => takeIncoming(take, incoming)
  const stored = id === undefined ? store() : lanes.run(id, toLane(incoming), store)
  const taking = stored.then(() => take.ingest.synced())
  inHand.add(taking)
  taking.catch(() => {}).finally(() => inHand.delete(taking))
  try {
    return await Promise.race([taking.then(() => 200 as const), late.promise])
  } catch {
    return 503
  } finally {
    clearTimeout(timer)
  }
}

/** Both sides have the length of a digest, so that a comparison tells nothing of the secret's. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

const respond = (status: number, headers: Record<string, string> = {}): Response =>
  new Response(null, { status, headers })

/** The body's text; undefined when it is too long. Rejects when the client leaves half way. */
async function readBody(request: Request): Promise<string | undefined> {
  if (Number(request.headers.get('content-length') ?? '0') > maxBodyBytes) return undefined
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of request.body ?? []) {
    const part: unknown = chunk
    if (!(part instanceof Uint8Array)) continue
    bytes += part.byteLength
    if (bytes > maxBodyBytes) return undefined
    chunks.push(part)
  }
  return Buffer.concat(chunks).toString('utf8')
}
