// What a call comes to where a conversation's stored state cannot be read: it is parked by then.
import { BotError } from '#shared/errors.ts'

export function isCorrupt(error: unknown): error is BotError {
  return error instanceof BotError && error.code === 'store-corrupt'
}

/** For reads that a worker repeats: answers instead of throwing, since the conversation is parked by now. */
export function orWhenCorrupt<T>(otherwise: (reason: string) => T): (error: unknown) => T {
  return (error) => {
    if (!isCorrupt(error)) throw error
    return otherwise(error.message)
  }
}
