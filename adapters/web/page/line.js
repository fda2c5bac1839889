// This tab's line to the server. All tabs of a browser share one stream, which one of them holds: the leader, by a lock of the browser. When
// it closes, crashes or is put to sleep, the lock passes to another tab; one that holds the lock and does not answer is robbed of it. Whether the
// server can be heard each tab judges by itself, by the beats that the leader passes on.
import { isDraft, isMessage, read } from './api.js'
import { hubName, leave, toChannelName } from './hub.js'
import { createLeadership } from './leadership.js'
import { isAfter } from './position.js'
import { silentMs } from './server-stream.js'

/** @import { ApiDraft, ApiMessage } from './api-types.d.ts' */
/**
 * `position`: of the last message that this tab has, once it has read what there is. `onBehind`: others had a later one passed on.
 *
 * @typedef {{
 *   position(): string | undefined,
 *   onMessage(message: ApiMessage): void,
 *   onDraft(draft: ApiDraft): void,
 *   onBehind(): void,
 *   onState(state: State): void,
 * }} Follower
 * @typedef {'connected' | 'connecting' | 'offline'} State
 * @typedef {'conversations' | 'questions'} Asked
 * @typedef {ReturnType<typeof createLine>} Line
 */

const lookEveryMs = 250
/** A leader that is asked and says nothing for so long is gone, whatever it holds. */
const robAfterMs = 1500
/** A tab says again and again that it is there. */
const wantEveryMs = 20_000

export function createLine() {
  const hub = new BroadcastChannel(hubName)
  const tab = crypto.randomUUID()
  const view = createView((id, after) => hub.postMessage({ kind: 'want', tab, id, after, visible: !document.hidden }))
  const silence = watchSilence(hub, view)
  /** @type {Record<Asked, ((value: unknown) => void)[]>} */
  const hearers = { conversations: [], questions: [] }

  hub.addEventListener('message', ({ data }) => {
    const kind = read(data, 'kind')
    if (kind === 'beat') {
      silence.heard()
      view.takeBeat(data)
    } else if (kind === 'who') view.want()
    else if (kind === 'gone') leave()
    else if (kind === 'news') {
      const what = read(data, 'what') === 'questions' ? 'questions' : 'conversations'
      for (const hearer of hearers[what]) hearer(read(data, 'value'))
    }
  })
  document.addEventListener('visibilitychange', view.want)
  window.addEventListener('pagehide', () => hub.postMessage({ kind: 'leave', tab }))
  return {
    /** From now on this tab shows this conversation, and hears of it until it shows another. @param {string} id @param {Follower} follower */
    follow: view.follow,
    /** Tells the leader what this tab shows: then it hears of it, and what of a growing reply it lacks. */
    want: view.want,
    /** Has the list and the questions asked for anew, for all tabs. */
    refresh: () => hub.postMessage({ kind: 'refresh' }),
    /** @param {Asked} what @param {(value: unknown) => void} hearer */
    hear(what, hearer) {
      hearers[what].push(hearer)
    },
  }
}

/** The conversation that this tab shows, and what is told of it. @param {(id: string, after: string) => void} say tells the leader */
function createView(say) {
  /** @type {{ id: string, follower: Follower, channel: BroadcastChannel, isBehind: boolean } | undefined} */
  let current
  /** What is told of the conversation. @type {State} */
  let told = 'connecting'
  let wantedAtMs = -Infinity

  function want() {
    const after = current?.follower.position()
    if (!current || after === undefined) return
    wantedAtMs = performance.now()
    say(current.id, after)
  }

  /** @param {State} state */
  function tell(state) {
    if (told === state) return
    told = state
    current?.follower.onState(state)
  }

  return {
    want,
    tell,
    told: () => told,
    /** @param {unknown} data */
    takeBeat(data) {
      if (!current) return
      const state = read(data, 'state')
      const at = read(read(data, 'at'), current.id)
      if (typeof at !== 'string' || performance.now() - wantedAtMs > wantEveryMs) want()
      if (state === 'offline') return tell('offline')
      if (state !== 'connected' || typeof at !== 'string') return tell('connecting')
      // The message itself may still be on its way.
      const wasBehind = current.isBehind
      const position = current.follower.position()
      current.isBehind = position !== undefined && isAfter(at, position)
      if (wasBehind && current.isBehind) current.follower.onBehind()
      tell('connected')
    },
    /** @param {string} id @param {Follower} follower */
    follow(id, follower) {
      current?.channel.close()
      const channel = new BroadcastChannel(toChannelName(id))
      current = { id, follower, channel, isBehind: false }
      channel.addEventListener('message', ({ data }) => {
        const it = read(data, 'it')
        if (read(data, 'kind') === 'message' && isMessage(it)) follower.onMessage(it)
        else if (isDraft(it)) follower.onDraft(it)
      })
      told = 'connecting'
      follower.onState(told)
      want()
    },
  }
}

/**
 * Asks a leader that is silent, and takes its place when it does not answer.
 *
 * @param {BroadcastChannel} hub @param {ReturnType<typeof createView>} view
 */
function watchSilence(hub, view) {
  const compete = createLeadership()
  let heardAtMs = performance.now()
  /** When the leader first failed to answer. @type {number | undefined} */
  let silentSinceMs

  function look() {
    if (performance.now() - heardAtMs <= silentMs) return void (silentSinceMs = undefined)
    if (silentSinceMs === undefined) {
      // What was heard may wait behind a long piece of work of this tab.
      silentSinceMs = performance.now()
      return
    }
    view.tell(view.told() === 'connecting' ? 'connecting' : 'offline')
    hub.postMessage({ kind: 'ask' })
    if (document.hidden || performance.now() - silentSinceMs < robAfterMs + Math.random() * 500) return
    silentSinceMs = undefined
    heardAtMs = performance.now()
    void compete(true)
  }

  void compete()
  setInterval(look, lookEveryMs)
  return {
    heard() {
      heardAtMs = performance.now()
      silentSinceMs = undefined
    },
  }
}
