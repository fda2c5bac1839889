// Discord's ids: 64 bits as a decimal string, the upper 42 are milliseconds since 2015. Ids of one source only grow.
// https://discord.com/developers/docs/reference#snowflakes

/** The first millisecond of 2015. */
const discordEpochMs = 1_420_070_400_000n

export type Snowflakes = () => string

export function createSnowflakes(): Snowflakes {
  let last = 0n
  return () => {
    const now = (BigInt(Date.now()) - discordEpochMs) << 22n
    last = now > last ? now : last + 1n
    return String(last)
  }
}

/** The moment an id encodes, in ms since 1970. */
export function toTimeMs(id: string): number {
  return Number((BigInt(id) >> 22n) + discordEpochMs)
}

export function isSnowflake(value: string): boolean {
  return /^\d{1,20}$/.test(value)
}

/** Orders ids by age: numerically, since they are too long for a number. */
export function compareIds(left: string, right: string): number {
  return left.length - right.length || (left < right ? -1 : left > right ? 1 : 0)
}

/** A time as Discord writes it, such as `2026-11-22T04:20:29.123000+00:00`. */
export function toTimestamp(timeMs: number): string {
  return new Date(timeMs).toISOString().replace('Z', '000+00:00')
}
