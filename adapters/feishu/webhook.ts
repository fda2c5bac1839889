// Receives events that Feishu pushes. Signature, time and token are checked over the bytes as they came, before anything is read; 200 is said
// only when the event is in Redis, and 5xx makes Feishu push it again. Any number of receivers may run.
// https://open.feishu.cn/document/event-subscription-guide/event-subscriptions/event-subscription-configure-/encrypt-key-encryption-configuration-case
import { createDecipheriv, createHash, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { createBodyRoom } from './body-room.ts'
import { anyEvent } from './payloads.ts'
import { parseJson } from '#shared/json.ts'

export type WebhookDeps = {
  readonly encryptKey: string
  readonly verificationToken: string
  /** Takes an event and gives the body of the answer; undefined until the bot is known, and when the channel has stopped. */
  readonly receiver: () => ((data: unknown) => Promise<object>) | undefined
  /** ms since 1970 */
  readonly now: () => number
  readonly count: (reason: string) => void
  /** Told what the operator can mend, each time. */
  readonly say: (text: string) => void
}

/** A message's text has 150 KB at most, and what is pushed of it is far shorter as a rule. */
const mostSignedBytes = 200_000
/** What is not signed can be a challenge only, which is short. */
const mostUnsignedBytes = 10_000
/** The last redelivery comes seven hours after the event, whether it is signed anew or not. What is younger is known by its id. */
const oldestMs = 8 * 3_600_000
const mostAheadMs = 300_000

const sealed = z.object({ encrypt: z.string().min(1) })
const challenge = z.object({ type: z.literal('url_verification'), challenge: z.string().max(1000), token: z.string() })

const forged =
  'A push to FEISHU_WEBHOOK_URL was refused: it was not made with FEISHU_ENCRYPT_KEY and FEISHU_VERIFICATION_TOKEN. If it came from Feishu, copy both anew from the page Events & Callbacks (事件与回调), under Encryption Strategy (加密策略); else somebody tries to forge messages.'

/** Takes a request of any method; answers, and never throws. */
export function createWebhookHandler(deps: WebhookDeps): (request: Request) => Promise<Response> {
  const room = createBodyRoom()
  return async (request) => {
    if (request.method !== 'POST') return respond(405, { allow: 'POST' })
    const body = await room.read(request, toMostBytes(request)).catch(() => Buffer.alloc(0))
    if (typeof body === 'number') {
      deps.count('too-much')
      return respond(body)
    }
    const data = open(deps, request.headers, body)
    if (data === undefined) {
      deps.count('forged')
      deps.say(forged)
      return respond(401)
    }
    const asked = challenge.safeParse(data)
    if (asked.success) return Response.json({ challenge: asked.data.challenge })
    const receiver = deps.receiver()
    if (!receiver) return respond(503)
    try {
      return Response.json(await receiver(data))
    } catch {
      return respond(503)
    }
  }
}

const signs = ['x-lark-request-timestamp', 'x-lark-request-nonce', 'x-lark-signature'] as const
const toMostBytes = ({ headers }: Request): number =>
  signs.every((name) => headers.has(name)) ? mostSignedBytes : mostUnsignedBytes

/** What an authentic request says; undefined for any other. */
function open(deps: WebhookDeps, headers: Headers, body: Buffer): unknown {
  // Nothing that is long is read before it is known whose it is.
  const isProved = isSigned(deps, headers, body)
  if (!isProved && body.length > mostUnsignedBytes) return undefined
  const envelope = sealed.safeParse(parseJson(body.toString('utf8')))
  // Whoever may configure a key sends nothing in the open.
  if (!envelope.success) return undefined
  const data = parseJson(decrypt(envelope.data.encrypt, deps.encryptKey) ?? '')
  const token = challenge.safeParse(data).data?.token
  // A challenge is not signed: that it could be encrypted, and its token, prove it.
  if (token !== undefined) return isSame(token, deps.verificationToken) ? data : undefined
  if (!isProved) return undefined
  const event = anyEvent.safeParse(data).data
  return event?.header.token !== undefined && isSame(event.header.token, deps.verificationToken) ? data : undefined
}

function isSigned({ encryptKey, now }: WebhookDeps, headers: Headers, body: Buffer): boolean {
  const timestamp = headers.get('x-lark-request-timestamp') ?? ''
  const nonce = headers.get('x-lark-request-nonce') ?? ''
  const signature = headers.get('x-lark-signature') ?? ''
  const ageMs = now() - Number(timestamp) * 1000
  if (!/^\d{9,11}$/.test(timestamp) || ageMs > oldestMs || ageMs < -mostAheadMs) return false
  const wanted = createHash('sha256')
    .update(timestamp + nonce + encryptKey)
    .update(body)
    .digest('hex')
  return isSame(signature, wanted)
}

/** AES-256-CBC, the first block being the start; undefined for what was not encrypted with this key. */
function decrypt(text: string, key: string): string | undefined {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length < 32 || bytes.length % 16 !== 0) return undefined
  try {
    const decipher = createDecipheriv('aes-256-cbc', createHash('sha256').update(key).digest(), bytes.subarray(0, 16))
    return Buffer.concat([decipher.update(bytes.subarray(16)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

/** Both sides have the length of a digest, so that a comparison tells nothing of the secret's. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}

const respond = (status: number, headers: Record<string, string> = {}): Response =>
  new Response(null, { status, headers })
