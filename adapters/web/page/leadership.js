// Which tab of a browser leads: the one that holds a lock of the browser.
import { hubName } from './hub.js'
import { startLeader } from './leader.js'

const lockName = hubName

/** Returns what competes for the lock: in the queue, or by robbing who holds it. */
export function createLeadership() {
  let queued = new AbortController()
  /** @param {boolean} [rob] */
  return async function compete(rob = false) {
    queued.abort()
    queued = new AbortController()
    /** @type {ReturnType<typeof startLeader> | undefined} */
    let leader
    try {
      // With `steal` the browser takes no signal, and makes nobody wait.
      const how = rob ? { steal: true } : { signal: queued.signal }
      await navigator.locks.request(lockName, how, () => {
        leader = startLeader()
        return new Promise(() => {})
      })
    } catch {
      // Another tab took it over, or this one asks in another way.
      leader?.close()
      if (leader) void compete()
    }
  }
}
