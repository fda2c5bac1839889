// One conversation as it happens: first the newest of what there is, then what the line tells, and what was before on request. What comes while
// something is read waits for that, so nothing is missed and nothing comes twice.
import { loadEarlier, loadMessages } from './api.js'
import { createPace } from './pace.js'
import { isAfter } from './position.js'

/** @import { ApiDraft, ApiMessage } from './api-types.d.ts' */
/** @import { Line, State } from './line.js' */
/**
 * `onDraft` gives false where it lacks what came before. `isAll`: there is nothing before these; `isCut`: there was.
 *
 * @typedef {{
 *   onMessage(message: ApiMessage): void,
 *   onEarlier(messages: readonly ApiMessage[], how: { isAll: boolean, isCut: boolean }): void,
 *   onDraft(draft: ApiDraft): boolean,
 *   onReady(): void,
 *   onState(state: State): void,
 * }} FeedListener
 */

const retryMs = [500, 1000, 2000]
const wantApartMs = 1000

/** Follows a conversation until `close`. @param {Line} line @param {string} id @param {FeedListener} listener */
export function followConversation(line, id, listener) {
  /** The newest message that is known; undefined before the first answer. @type {string | undefined} */
  let last
  /** Where to go on reading towards the beginning; undefined at the beginning. @type {string | undefined} */
  let earliest
  /** @type {Promise<boolean> | undefined} */
  let reading
  /** What came while messages were read; undefined while none are. @type {(() => void)[] | undefined} */
  let waiting = []
  /** @type {State} */
  let state = 'connecting'
  let tries = 0
  let wantedAtMs = -Infinity
  let closed = false
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer

  /** @param {ApiMessage} message */
  const take = (message) => {
    if (last !== undefined && !isAfter(message.id, last)) return
    last = message.id
    try {
      listener.onMessage(message)
    } catch (failure) {
      // One message that cannot be shown must not stop the others, nor look like a lost connection.
      reportError(failure)
    }
  }

  const pace = createPace({
    show: (draft) => listener.onDraft(draft),
    onLack() {
      if (performance.now() - wantedAtMs < wantApartMs) return
      wantedAtMs = performance.now()
      line.want()
    },
  })

  /** @param {() => void} act */
  const inTurn = (act) => (waiting ? void waiting.push(act) : act())

  function showState() {
    if (!closed) listener.onState(last !== undefined ? state : tries > 0 ? 'offline' : 'connecting')
  }

  /** Reads what there is, then shows what came meanwhile. */
  async function readNew() {
    waiting ??= []
    clearTimeout(timer)
    try {
      const isFirst = last === undefined
      await (last === undefined ? begin() : catchUp(last))
      if (closed) return
      tries = 0
      const came = waiting
      waiting = undefined
      for (const act of came) act()
      if (isFirst) listener.onReady()
      line.want()
      showState()
    } catch {
      if (closed) return
      timer = setTimeout(() => void readNew(), retryMs[Math.min(tries, retryMs.length - 1)])
      tries += 1
      showState()
    }
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

  line.follow(id, {
    position: () => last,
    onMessage: (message) => inTurn(() => take(message)),
    onDraft: (draft) => inTurn(() => pace.take(draft)),
    onBehind() {
      if (!waiting) void readNew()
    },
    onState(now) {
      state = now
      showState()
    },
  })
  void readNew()
  return {
    /** Reads what was said before; one reading at a time. Resolves to whether there is more; rejects when the server cannot be reached. */
    earlier() {
      reading ??= readEarlier().finally(() => (reading = undefined))
      return reading
    },
    close() {
      closed = true
      clearTimeout(timer)
      pace.close()
    },
  }
}
