// What was read of one conversation: from where on there is more before it, and which message is the newest.
import { loadEarlier, loadMessages } from './api.js'
import { isAfter } from './position.js'

/** @import { ApiMessage } from './api-types.d.ts' */
/** @import { FeedListener } from './feed.js' */

/** @param {string} id @param {Pick<FeedListener, 'onMessage' | 'onEarlier'>} listener */
export function createReading(id, listener) {
  /** The newest message that is known; undefined before the first answer. @type {string | undefined} */
  let last
  /** Where to go on reading towards the beginning; undefined at the beginning. @type {string | undefined} */
  let earliest
  /** @type {Promise<boolean> | undefined} */
  let reading
  let closed = false

  /** @param {ApiMessage} message */
  function take(message) {
    if (last !== undefined && !isAfter(message.id, last)) return
    last = message.id
    show(listener, message)
  }

  async function begin() {
    const { messages, earlier, cut } = await loadEarlier(id, '0')
    if (closed) return
    messages.forEach(take)
    last ??= '0'
    earliest = earlier
    listener.onEarlier([], { isAll: earlier === undefined, isCut: cut === true })
  }

  /** @param {string} from */
  async function catchUp(from) {
    for (let after = from; ; after = last ?? after) {
      const { messages } = await loadMessages(id, after)
      if (closed || messages.length === 0) return
      messages.forEach(take)
    }
  }

  async function readEarlier() {
    if (earliest === undefined || closed) return false
    const { messages, earlier, cut } = await loadEarlier(id, earliest)
    if (closed) return false
    earliest = earlier
    listener.onEarlier(messages, { isAll: earlier === undefined, isCut: cut === true })
    return earlier !== undefined
  }

  return {
    last: () => last,
    take,
    /** The newest of what there is, or what came after that. */
    readOn: () => (last === undefined ? begin() : catchUp(last)),
    /** Reads what was said before; one reading at a time. Resolves to whether there is more; rejects when the server cannot be reached. */
    earlier() {
      reading ??= readEarlier().finally(() => (reading = undefined))
      return reading
    },
    close() {
      closed = true
    },
  }
}

/** @param {Pick<FeedListener, 'onMessage'>} listener @param {ApiMessage} message */
function show(listener, message) {
  try {
    listener.onMessage(message)
  } catch (failure) {
    // One message that cannot be shown must not stop the others, nor look like a lost connection.
    reportError(failure)
  }
}
