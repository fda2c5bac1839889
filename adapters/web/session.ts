// The browser's session: a signed, stateless cookie value. Its key is derived from the web token, so a new token ends every session.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

export const sessionSeconds = 30 * 24 * 3600

/** `<expiry, s>.<nonce>.<signature>`, each URL-safe. */
export function createSession(token: string, nowMs: number): string {
  const body = `${Math.floor(nowMs / 1000) + sessionSeconds}.${randomBytes(12).toString('base64url')}`
  return `${body}.${sign(token, body)}`
}

/** Whether the value was signed with this token and has not expired. */
export function isSession(token: string, value: string, nowMs: number): boolean {
  const [, body, expiry, signature] = /^((\d{1,12})\.[\w-]{16})\.([\w-]{43})$/.exec(value) ?? []
  if (body === undefined || expiry === undefined || signature === undefined) return false
  return isSameSecret(signature, sign(token, body)) && Number(expiry) * 1000 > nowMs
}

/** Compares in a time that depends on neither value. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(createHash('sha256').update(given).digest(), createHash('sha256').update(expected).digest())
}

function sign(token: string, body: string): string {
  const key = createHmac('sha256', token).update('flotilla web session v1').digest()
  return createHmac('sha256', key).update(body).digest('base64url')
}
