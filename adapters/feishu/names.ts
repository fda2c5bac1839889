// How people are called, asked for once a day each. Feishu tells no name without its permission, and none of people outside of the app's range of
// contacts: that is remembered too. New people who come all at once are asked for one after the other, within what Feishu takes.
// https://open.feishu.cn/document/server-docs/contact-v3/user/get
import { setTimeout as sleep } from 'node:timers/promises'
import type { Limit } from '#adapters/calls/call-result.ts'
import { user } from './payloads.ts'
import { remember } from './remember.ts'
import type { RestApi } from './rest-api.ts'

/** By open id. */
export type Names = {
  /** Undefined when there is none, or it cannot be told in time; then it may be known for the next event. */
  find(id: string): Promise<string | undefined>
  /** The known name; it asks Feishu nothing. */
  peek(id: string): string | undefined
}

export type NamesDeps = {
  readonly api: Pick<RestApi, 'call'>
  /** ms, from any beginning. */
  readonly now: () => number
  /** Of one request. */
  readonly limit: () => Limit
}

const dayMs = 86_400_000
const failedForMs = 600_000
const most = 10_000
/** Feishu takes fifty a second and a thousand a minute, of all processes together. */
const everyMs = 65
const mostAtOnce = 15
const mostWaiting = 1000
const mostTries = 3
/** The person is outside of the app's range of contacts. */
const outOfRange = 41_050
/** The remembered name of a person whom Feishu names to us by none. */
const nameless = ''

export function createNames({ api, now, limit }: NamesDeps): Names {
  const outside = new Set<string>()
  const turn = createTurns()

  async function ask(id: string): Promise<string | undefined> {
    if (outside.has(id)) return nameless
    for (let tries = 1; tries <= mostTries; tries++) {
      if (!(await turn())) return undefined
      const query = { user_id_type: 'open_id' }
      const asked = await api.call({ method: 'GET', path: `/contact/v3/users/${id}`, query, shape: user }, limit())
      if (asked.kind === 'ok') return asked.value.user.name.toWellFormed().slice(0, 64)
      if (asked.kind === 'refused') {
        if (asked.code === outOfRange) add(outside, id)
        return nameless
      }
      if (asked.kind !== 'slow-down') return undefined
      await sleep(asked.retryAfterMs, undefined, { ref: false })
    }
    return undefined
  }

  const names = remember<string>({ ask, keepMs: dayMs, keepFailureMs: failedForMs, most, now })
  return {
    async find(id) {
      const over = new AbortController()
      const late = sleep(limit().timeoutMs, undefined, { signal: over.signal }).catch(() => undefined)
      const name = await Promise.race([names.find(id), late])
      over.abort()
      return name || undefined
    },
    peek: (id) => names.peek(id) || undefined,
  }
}

function add(all: Set<string>, id: string): void {
  all.add(id)
  const [oldest] = all
  if (all.size > most && oldest !== undefined) all.delete(oldest)
}

/** Resolves when one more may be asked for; false where far too many wait. A process that was held up does not make up for it all at once. */
function createTurns(): () => Promise<boolean> {
  let waiting = 0
  let before = Promise.resolve()
  let usedAtMs: number[] = []
  async function wait(): Promise<void> {
    const first = usedAtMs.at(-mostAtOnce)
    const freeAtMs = Math.max((first ?? -Infinity) + mostAtOnce * everyMs, 0)
    const waitMs = freeAtMs - performance.now()
    if (waitMs > 0) await sleep(waitMs, undefined, { ref: false })
    usedAtMs = [...usedAtMs, performance.now()].slice(-mostAtOnce)
  }
  return async () => {
    if (waiting >= mostWaiting) return false
    waiting += 1
    before = before.then(wait)
    await before
    waiting -= 1
    return true
  }
}
