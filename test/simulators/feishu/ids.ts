// Ids as Feishu writes them: a prefix that tells the kind, and 32 hexadecimal digits.
import { randomBytes } from 'node:crypto'

const hex = (bytes: number): string => randomBytes(bytes).toString('hex')

export const newId = {
  message: () => `om_${hex(16)}`,
  chat: () => `oc_${hex(16)}`,
  user: () => `ou_${hex(16)}`,
  union: () => `on_${hex(16)}`,
  userId: () => hex(4),
  thread: () => `omt_${hex(8)}`,
  event: () => hex(16),
  reaction: () => hex(24),
  /** The credential of a press for `interactive/v1/card/update`. */
  press: () => `c-${hex(20)}`,
  token: () => `t-${hex(20)}`,
  file: () => `file_v3_${hex(16)}`,
  image: () => `img_v3_${hex(16)}`,
  log: () => `${new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14)}${hex(9).toUpperCase()}`,
  /** Card entities have numbers of 19 digits. */
  card: () =>
    `7${BigInt(`0x${hex(8)}`)
      .toString()
      .padStart(20, '0')
      .slice(-18)}`,
} as const
