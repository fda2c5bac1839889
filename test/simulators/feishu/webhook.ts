// Pushes events to the bot's address: plain, or encrypted and signed. The address is taken only if it echoes a challenge within a second.
// An event is acknowledged by HTTP 200 within three seconds, whatever the body; a press is answered by its body.
// https://open.feishu.cn/document/ukTMukTMukTM/uYDNxYjL2QTM24iN0EjN/event-subscription-configure-/encrypt-key-encryption-configuration-case
import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import type { Answer, Transport } from './delivery.ts'

export type WebhookInput = {
  readonly url: string
  /** With it, bodies are encrypted and signed. */
  readonly encryptKey?: string | undefined
  /** Writes the body otherwise than a client would when it wrote it anew: only the bytes that came bear the signature. */
  readonly isSpaced?: boolean | undefined
}

export type Webhook = Transport & {
  /** Throws when the address does not echo the challenge. */
  verify(): Promise<void>
}

const challengeTimeoutMs = 1000

type Deps = { readonly verificationToken: string; readonly answerTimeoutMs: number }

export function createWebhook(input: WebhookInput, { verificationToken, answerTimeoutMs }: Deps): Webhook {
  const push = async (body: string, headers: Readonly<Record<string, string>>, timeoutMs: number): Promise<Answer> => {
    try {
      const signal = AbortSignal.timeout(timeoutMs)
      const reply = await fetch(input.url, { method: 'POST', headers, body, signal, redirect: 'manual' })
      const text = await reply.text()
      if (reply.status !== 200) return { kind: 'refused', code: reply.status }
      if (text === '') return { kind: 'ok', body: undefined, isJson: true }
      const read = toJson(text)
      return { kind: 'ok', body: read, isJson: read !== undefined }
    } catch (error) {
      return { kind: error instanceof Error && error.name === 'TimeoutError' ? 'silent' : 'absent' }
    }
  }
  const post = (value: unknown, timeoutMs: number): Promise<Answer> => {
    const { body, headers } = toRequest(JSON.stringify(value), input)
    return push(body, headers, timeoutMs)
  }
  return {
    name: 'webhook',
    url: input.url,
    send: async (envelope) => ({ answer: await post(envelope, answerTimeoutMs) }),
    verify: async () => {
      const challenge = randomBytes(16).toString('hex')
      const answer = await post({ challenge, token: verificationToken, type: 'url_verification' }, challengeTimeoutMs)
      const echoed = answer.kind === 'ok' && JSON.stringify(answer.body) === JSON.stringify({ challenge })
      if (!echoed) throw new Error(`${input.url} did not echo the challenge but answered ${JSON.stringify(answer)}`)
    },
  }
}

function toRequest(plain: string, { encryptKey, isSpaced = false }: WebhookInput) {
  const type = { 'content-type': 'application/json; charset=utf-8' }
  const space = (text: string) => (isSpaced ? `${text}\n` : text).replace(/^\{/, isSpaced ? '{ ' : '{')
  if (encryptKey === undefined || encryptKey === '') return { body: space(plain), headers: type }
  const body = space(JSON.stringify({ encrypt: encrypt(plain, encryptKey) }))
  const timestamp = String(Math.floor(Date.now() / 1000))
  const nonce = randomBytes(8).toString('hex')
  const signature = createHash('sha256').update(`${timestamp}${nonce}${encryptKey}${body}`).digest('hex')
  const headers = {
    ...type,
    'x-lark-request-timestamp': timestamp,
    'x-lark-request-nonce': nonce,
    'x-lark-signature': signature,
  }
  return { body, headers }
}

/** AES-256-CBC under the key's SHA-256, behind its initial vector, in base 64. */
function encrypt(plain: string, encryptKey: string): string {
  const iv = randomBytes(16)
  const cipher = createCipheriv('aes-256-cbc', createHash('sha256').update(encryptKey).digest(), iv)
  return Buffer.concat([iv, cipher.update(plain, 'utf8'), cipher.final()]).toString('base64')
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
