// Sends what is unsent, one after the other. What fails for now is tried again under the same key; what is refused says why.
import { Failure, sendDeed, sendMessage } from './api.js'

/** @import { Unsent } from './outbox.js' */

const retryMs = [500, 1000, 2000, 4000, 8000]

/** @param {{ next(): Unsent | undefined, onSent(item: Unsent): void, changed(): void }} listener */
export function createSender({ next, onSent, changed }) {
  let busy = false
  let wake = () => {}

  /** Until the time is over, or the server can be heard again. @param {number | undefined} ms */
  function pause(ms) {
    return new Promise((resolve) => {
      setTimeout(resolve, ms)
      wake = () => resolve(undefined)
    })
  }

  async function work() {
    if (busy) return
    busy = true
    let tries = 0
    for (let item = next(); item; item = next()) {
      try {
        const { conversation, key, deed } = item
        await (deed ? sendDeed(conversation, key, deed) : sendMessage(conversation, key, item))
        tries = 0
        onSent(item)
      } catch (failure) {
        const temporary = !(failure instanceof Failure) || failure.temporary
        item.state = temporary ? 'waiting' : 'refused'
        if (!temporary && failure instanceof Error) item.reason = failure.message
        changed()
        if (temporary) await pause(retryMs[Math.min(tries, retryMs.length - 1)])
        tries += 1
      }
      changed()
    }
    busy = false
  }

  return { work, wake: () => wake() }
}
