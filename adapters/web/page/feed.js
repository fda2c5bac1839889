// One conversation as it happens: first the newest of what there is, then what the line tells, and what was before on request. What comes while
// something is read waits for that, so nothing is missed and nothing comes twice.
import { createPace } from './pace.js'
import { createReading } from './reading.js'

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
  const reading = createReading(id, listener)
  const pace = createFeedPace(line, listener)
  const turns = createTurns()
  /** @type {State} */
  let state = 'connecting'
  let tries = 0
  let closed = false
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer

  function showState() {
    if (!closed) listener.onState(reading.last() !== undefined ? state : tries > 0 ? 'offline' : 'connecting')
  }

  /** Reads what there is, then shows what came meanwhile. */
  async function readNew() {
    turns.hold()
    clearTimeout(timer)
    try {
      const isFirst = reading.last() === undefined
      await reading.readOn()
      if (closed) return
      tries = 0
      turns.goOn()
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

  line.follow(id, {
    position: reading.last,
    onMessage: (message) => turns.take(() => reading.take(message)),
    onDraft: (draft) => turns.take(() => pace.take(draft)),
    onBehind() {
      if (!turns.areHeld()) void readNew()
    },
    onState(now) {
      state = now
      showState()
    },
  })
  void readNew()
  return {
    earlier: reading.earlier,
    close() {
      closed = true
      clearTimeout(timer)
      pace.close()
      reading.close()
    },
  }
}

/** Asks for what a growing reply lacks, not too often. @param {Line} line @param {FeedListener} listener */
function createFeedPace(line, listener) {
  let wantedAtMs = -Infinity
  return createPace({
    show: (draft) => listener.onDraft(draft),
    onLack() {
      if (performance.now() - wantedAtMs < wantApartMs) return
      wantedAtMs = performance.now()
      line.want()
    },
  })
}

/** What comes while messages are read waits for that. */
function createTurns() {
  /** Undefined while none are read. @type {(() => void)[] | undefined} */
  let waiting = []
  return {
    areHeld: () => waiting !== undefined,
    hold() {
      waiting ??= []
    },
    goOn() {
      const came = waiting ?? []
      waiting = undefined
      for (const act of came) act()
    },
    /** @param {() => void} act */
    take: (act) => (waiting ? void waiting.push(act) : act()),
  }
}
