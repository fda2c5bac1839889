// A copy of a hash of the whole fleet that seldom changes, so that who asks for a field of it asks no slot of all processes. Whoever changes the
// hash changes its field `version`; that is looked at again when it was looked at a second ago, or another process says that there is news.
import type { RedisClient } from '#queues/connection.ts'
import { fromStore } from '#queues/store-failure.ts'

const versionField = 'version'

export type HashCopy = {
  /** All fields, as they were a second ago at most; undefined where there are too many to be copied, or where they change too fast. Throws BotError `store-unavailable`. */
  read(): Promise<ReadonlyMap<string, string> | undefined>
  /** It has changed. */
  forget(): void
}

const knownForMs = 1000
const mostFields = 5000
/** So long after it was read it is not read again, however often it changes: its fields are asked for one by one. */
const restMs = 250

/** `elapsed`: ms of a clock that nobody sets. */
export function createHashCopy(
  redis: RedisClient,
  key: string,
  elapsed: () => number = () => performance.now(),
): HashCopy {
  let copy:
    | { readonly version: string; readonly loadedAtMs: number; readonly fields: Map<string, string> | undefined }
    | undefined
  let checkedAtMs = -Infinity
  let checking: Promise<void> | undefined
  let changes = 0

  async function check(): Promise<void> {
    const [atMs, before] = [elapsed(), changes]
    const [version, count] = await Promise.all([fromStore(redis.hget(key, versionField)), fromStore(redis.hlen(key))])
    const isSame = copy?.version === (version ?? '')
    if (!isSame && copy && atMs - copy.loadedAtMs < restMs) {
      copy = { version: '?', loadedAtMs: copy.loadedAtMs, fields: undefined }
    } else if (!isSame) {
      // Read after its version: what changes in between is read again.
      const fields = count > mostFields ? undefined : new Map(Object.entries(await fromStore(redis.hgetall(key))))
      copy = { version: version ?? '', loadedAtMs: atMs, fields }
    }
    if (before === changes) checkedAtMs = atMs
  }

  return {
    async read() {
      // A look that is under way may have begun before the last change; the next one begins after this was asked, however much changes meanwhile.
      for (let looks = 0; looks < 2 && elapsed() - checkedAtMs >= knownForMs; looks++) {
        checking ??= check().finally(() => (checking = undefined))
        await checking
      }
      return copy?.fields
    },
    forget() {
      changes += 1
      checkedAtMs = -Infinity
    },
  }
}
