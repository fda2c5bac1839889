// The one-time code by which the first owner says who they are.
import { randomInt } from 'node:crypto'

/** 12 letters and digits without look-alikes, 59 bits. */
export function newCode(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
  return Array.from({ length: 12 }, () => alphabet[randomInt(alphabet.length)]).join('')
}
