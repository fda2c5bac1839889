// The part of one tab that works for all tabs of a browser: it holds the only stream, asks for the list and the questions, and passes all of it
// on. It learns from the tabs what they show, and forgets a tab that is silent for long. Each beat says how far every conversation was
// passed on, so that a tab sees by itself that it missed something, or that nobody follows its conversation.
import { isDraft, isMessage, loadConversations, loadQuestions, read } from './api.js'
import { hubName, toChannelName } from './hub.js'
import { isAfter } from './position.js'

/** @import { ApiDraft } from './api-types.d.ts' */

/** Of the server, or of the leader: by then four beats should have come. */
export const silentMs = 1600

/** As the server. */
const mostFollowed = 40
const settleMs = 30
/** A server that is back is found within a second: the dot is to tell it within two. */
const retryMs = [300, 600, 1000]
/** A connection that stays silent for so long is given up. */
const deadMs = 6000
const tabLivesMs = 90_000
const everyMs = 20_000
/** While a reply is being written somewhere. */
const soonMs = 3000
const apartMs = 300

/**
 * @typedef {{ id: string, after: string, visible: boolean, heardAtMs: number }} Want
 * @typedef {{ last: string, draft: ApiDraft | undefined, channel: BroadcastChannel }} Followed
 */

/** Leads until `close`. */
export function startLeader() {
  const hub = new BroadcastChannel(hubName)
  /** By tab. @type {Map<string, Want>} */
  const wants = new Map()
  /** By conversation. @type {Map<string, Followed>} */
  const followed = new Map()
  /** @type {EventSource | undefined} */
  let source
  /** @type {'connecting' | 'connected' | 'offline'} */
  let state = 'connecting'
  let heardAtMs = performance.now()
  let tries = 0
  let retryAtMs = 0
  let closed = false
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer

  const asking = createAsking(hub)

  function beat() {
    const now = state === 'connected' && performance.now() - heardAtMs > silentMs ? 'offline' : state
    const at = Object.fromEntries([...followed].map(([id, { last }]) => [id, last]))
    hub.postMessage({ kind: 'beat', state: now, at })
  }

  /** Follows what the tabs show by now: the visible first, then who was heard last. */
  function choose() {
    const nowMs = performance.now()
    for (const [tab, want] of wants) if (nowMs - want.heardAtMs > tabLivesMs) wants.delete(tab)
    const ordered = [...wants.values()].toSorted(
      (one, other) => Number(other.visible) - Number(one.visible) || other.heardAtMs - one.heardAtMs,
    )
    /** @type {Map<string, string>} */
    const chosen = new Map()
    for (const { id, after } of ordered) {
      const known = chosen.get(id)
      if (known === undefined && chosen.size >= mostFollowed) continue
      if (known === undefined || isAfter(known, after)) chosen.set(id, after)
    }
    for (const [id, { channel }] of followed) {
      if (chosen.has(id)) continue
      channel.close()
      followed.delete(id)
    }
    for (const [id, after] of chosen) {
      if (followed.has(id)) continue
      followed.set(id, { last: after, draft: undefined, channel: new BroadcastChannel(toChannelName(id)) })
    }
  }

  function connect() {
    if (closed) return
    source?.close()
    clearTimeout(timer)
    choose()
    const follow = [...followed].map(([id, { last }]) => `follow=${encodeURIComponent(`${id}:${last}`)}`)
    const opened = new EventSource(`/api/stream?${follow.join('&')}`)
    source = opened
    retryAtMs = performance.now() + deadMs
    opened.addEventListener('beat', () => {
      heardAtMs = performance.now()
      retryAtMs = heardAtMs + deadMs
      tries = 0
      if (state !== 'connected') asking.now()
      state = 'connected'
      asking.whenDue()
      beat()
    })
    opened.addEventListener('message', (event) => pass(event, takeMessage))
    opened.addEventListener('draft', (event) => pass(event, takeDraft))
    opened.addEventListener('error', () => {
      if (opened === source) lose()
    })
  }

  function lose() {
    source?.close()
    source = undefined
    state = 'offline'
    beat()
    // A lost session looks like a lost server until something is asked.
    asking.now()
    const inMs = retryMs[Math.min(tries, retryMs.length - 1)] ?? 0
    tries += 1
    retryAtMs = performance.now() + inMs
    clearTimeout(timer)
    timer = setTimeout(connect, inMs)
  }

  /** @param {Event} event @param {(known: Followed, it: unknown) => void} take */
  function pass(event, take) {
    /** @type {unknown} */
    const value = event instanceof MessageEvent ? JSON.parse(String(event.data)) : undefined
    const known = followed.get(String(read(value, 'in')))
    if (known) take(known, read(value, 'it'))
  }

  /** @param {Followed} known @param {unknown} it */
  function takeMessage(known, it) {
    if (!isMessage(it) || !isAfter(it.id, known.last)) return
    known.last = it.id
    if (it.turn !== undefined && it.turn === known.draft?.turn) known.draft = undefined
    known.channel.postMessage({ kind: 'message', it })
  }

  /** @param {Followed} known @param {unknown} it */
  function takeDraft(known, it) {
    if (!isDraft(it)) return
    const before = known.draft?.turn === it.turn ? known.draft.blocks.slice(0, it.from) : []
    known.draft = { ...it, from: 0, blocks: [...before, ...it.blocks], resumed: true }
    known.channel.postMessage({ kind: 'draft', it })
  }

  /** @param {unknown} data */
  function hear(data) {
    const kind = read(data, 'kind')
    if (kind === 'leave') return void wants.delete(String(read(data, 'tab')))
    if (kind === 'refresh') return asking.now()
    if (kind === 'ask') {
      // The timers of a hidden tab may sleep: a tab that is looked at keeps time for it.
      if (performance.now() > retryAtMs) connect()
      return beat()
    }
    if (kind !== 'want') return
    const [tab, id, after] = [read(data, 'tab'), read(data, 'id'), read(data, 'after')].map(String)
    if (tab === undefined || id === undefined || after === undefined) return
    wants.set(tab, { id, after, visible: read(data, 'visible') === true, heardAtMs: performance.now() })
    const known = followed.get(id)
    if (known?.draft) known.channel.postMessage({ kind: 'draft', it: known.draft })
    if (known) return beat()
    // Several tabs may come at once. While the server is away its own timer connects.
    if (state === 'offline') return
    clearTimeout(timer)
    timer = setTimeout(connect, settleMs)
  }

  hub.addEventListener('message', ({ data }) => hear(data))
  hub.postMessage({ kind: 'who' })
  timer = setTimeout(connect, settleMs)
  return {
    close() {
      closed = true
      clearTimeout(timer)
      source?.close()
      hub.close()
      for (const { channel } of followed.values()) channel.close()
    },
  }
}

/** What is asked of the server for all tabs: one request at a time, as often as it may change, and when a tab wants it anew. @param {BroadcastChannel} hub */
function createAsking(hub) {
  let asking = false
  let again = false
  let askedAtMs = -Infinity
  let isSoon = false
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer

  async function ask() {
    asking = true
    again = false
    timer = undefined
    askedAtMs = performance.now()
    // The connection's state is shown beside the title; what was known stays.
    const [questions, listed] = await Promise.all([
      loadQuestions().catch(() => {}),
      loadConversations().catch(() => {}),
    ])
    // A conversation with a question waits for that, not for being read.
    if (questions) hub.postMessage({ kind: 'news', what: 'questions', value: questions })
    if (listed) hub.postMessage({ kind: 'news', what: 'conversations', value: listed })
    isSoon = listed?.conversations.some(({ working }) => working) ?? false
    asking = false
    if (again) now()
  }
  function now() {
    if (asking) again = true
    else timer ??= setTimeout(() => void ask(), Math.max(0, askedAtMs + apartMs - performance.now()))
  }
  return {
    now,
    whenDue() {
      if (performance.now() - askedAtMs >= (isSoon ? soonMs : everyMs)) now()
    },
  }
}
