// The one stream of events from the server: opened anew when it is lost, and given up when it stays silent.

/** Of the server, or of the leader: by then four beats should have come. */
export const silentMs = 1600

const settleMs = 30
/** A server that is back is found within a second: the dot is to tell it within two. */
const retryMs = [300, 600, 1000]
/** A connection that stays silent for so long is given up. */
const deadMs = 6000

/**
 * `query`: what is followed. `onBeat` is told whether the server was away before it.
 *
 * @typedef {{
 *   query(): string,
 *   onBeat(isBack: boolean): void,
 *   onLost(): void,
 *   onMessage(value: unknown): void,
 *   onDraft(value: unknown): void,
 * }} StreamListener
 */

/** @param {StreamListener} listener */
export function createStream(listener) {
  const hearing = createHearing()
  /** @type {EventSource | undefined} */
  let source
  let tries = 0
  let closed = false
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer

  function connect() {
    if (closed) return
    source?.close()
    clearTimeout(timer)
    const opened = openSource(listener)
    source = opened
    hearing.expect(deadMs)
    opened.addEventListener('beat', () => {
      tries = 0
      listener.onBeat(hearing.beat())
    })
    opened.addEventListener('error', () => {
      if (opened === source) lose()
    })
  }

  function lose() {
    source?.close()
    source = undefined
    hearing.lose()
    listener.onLost()
    const inMs = retryMs[Math.min(tries, retryMs.length - 1)] ?? 0
    tries += 1
    hearing.expect(inMs)
    clearTimeout(timer)
    timer = setTimeout(connect, inMs)
  }

  return {
    state: hearing.state,
    connectIfDue() {
      if (hearing.isDue()) connect()
    },
    /** Several tabs may come at once. While the server is away its own timer connects. */
    connectSoon() {
      if (hearing.isLost()) return
      clearTimeout(timer)
      timer = setTimeout(connect, settleMs)
    },
    close() {
      closed = true
      clearTimeout(timer)
      source?.close()
    },
  }
}

/** When the server was heard, and until when something must come. */
function createHearing() {
  /** @type {'connecting' | 'connected' | 'offline'} */
  let state = 'connecting'
  let heardAtMs = performance.now()
  let dueAtMs = 0
  return {
    state: () => (state === 'connected' && performance.now() - heardAtMs > silentMs ? 'offline' : state),
    isLost: () => state === 'offline',
    isDue: () => performance.now() > dueAtMs,
    /** @param {number} inMs */
    expect(inMs) {
      dueAtMs = performance.now() + inMs
    },
    /** @returns {boolean} whether it was away before */
    beat() {
      heardAtMs = performance.now()
      dueAtMs = heardAtMs + deadMs
      const isBack = state !== 'connected'
      state = 'connected'
      return isBack
    },
    lose() {
      state = 'offline'
    },
  }
}

/** @param {StreamListener} listener */
function openSource(listener) {
  const opened = new EventSource(`/api/stream?${listener.query()}`)
  opened.addEventListener('message', (event) => listener.onMessage(toValue(event)))
  opened.addEventListener('draft', (event) => listener.onDraft(toValue(event)))
  return opened
}

/** @param {Event} event @returns {unknown} */
const toValue = (event) => (event instanceof MessageEvent ? JSON.parse(String(event.data)) : undefined)
