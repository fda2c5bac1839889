// What it means when Redis fails: whether it is away or full for now, which passes, or what is stored there cannot be used.
import { BotError } from '#shared/errors.ts'

/** `what` was called, such as `the unit "begin"`. A BotError `store-unavailable`, `store-corrupt` or `internal`. */
export function toStoreFailure(error: unknown, what: string): BotError {
  const text = error instanceof Error ? error.message : String(error)
  // The client's error carries the command with all its arguments, people's texts among them: only its words go on.
  const cause = new Error(text)
  if (text.includes('CORRUPT') || text.includes('WRONGTYPE')) {
    const reason = text.slice(Math.max(text.indexOf('CORRUPT'), 0)).slice(0, 200)
    return new BotError('store-corrupt', reason, { cause })
  }
  // What this process cannot even send, as a call with too many arguments.
  if (error instanceof RangeError)
    return new BotError('internal', `There is too much of ${what}: ${text.slice(0, 200)}`, { cause })
  if (text.startsWith('MOVED')) {
    const advice = 'Write REDIS_URL as cluster://host:port,host:port.'
    return new BotError('internal', `Redis did not do ${what}: it is a node of a cluster (MOVED). ${advice}`, { cause })
  }
  const passing = /^(OOM|MISCONF|LOADING|READONLY|TRYAGAIN|CLUSTERDOWN|MASTERDOWN|BUSY)/.test(text)
  if (!passing && /^(ERR|NOAUTH|NOPERM|WRONGPASS)|user_script/.test(text)) {
    return new BotError('internal', `Redis refused ${what}: ${text.slice(0, 200)}`, { cause })
  }
  return new BotError(
    'store-unavailable',
    `Redis did not answer ${what}: ${text.slice(0, 200)}. Is it running, and is there memory and disk left?`,
    { retry: { afterMs: 200 }, cause },
  )
}

/** What comes of a command that is no unit. Its errors say, as those of a unit do, whether to try again. */
export async function fromStore<T>(result: Promise<T>): Promise<T> {
  try {
    return await result
  } catch (error) {
    throw toStoreFailure(error, 'a command')
  }
}
