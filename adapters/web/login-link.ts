// A link that logs one browser in, once, for whoever starts the server and sees its terminal: nobody has to fetch the token. The secret stands after
// the #, which browsers send to no server and name to no other page; the login page posts it and takes it out of the address.
//   made -> used, once and for all | -> expired after ten minutes. A new one ends the one before.
// Only its hash is kept, and only in this process. The session it opens is like any other: another token ends it.
import { createHash, randomBytes } from 'node:crypto'
import { isSameSecret } from './session.ts'

const livesMs = 10 * 60_000

export type LoginLink = {
  /** The path with the secret. */
  make(): string
  /** Whether the secret opens; then it does no more. */
  use(secret: string): boolean
}

export function createLoginLink(now: () => number): LoginLink {
  let open: { readonly hash: string; readonly untilMs: number } | undefined
  return {
    make() {
      const secret = randomBytes(24).toString('base64url')
      open = { hash: toHash(secret), untilMs: now() + livesMs }
      return `/login#once=${secret}`
    },
    use(secret) {
      if (!open || now() >= open.untilMs || !isSameSecret(toHash(secret), open.hash)) return false
      open = undefined
      return true
    },
  }
}

const toHash = (secret: string): string => createHash('sha256').update(secret).digest('base64url')
