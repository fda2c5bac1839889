// The part of one tab that works for all tabs of a browser: it holds the only stream, asks for the list and the questions, and passes all of it
// on. Each beat says how far every conversation was passed on, so that a tab sees by itself that it missed something, or that nobody follows
// its conversation.
import { loadConversations, loadQuestions, read } from './api.js'
import { createFollowed } from './followed.js'
import { hubName } from './hub.js'
import { createStream } from './server-stream.js'

const everyMs = 20_000
/** While a reply is being written somewhere. */
const soonMs = 3000
const apartMs = 300

/** Leads until `close`. */
export function startLeader() {
  const hub = new BroadcastChannel(hubName)
  const followed = createFollowed()
  const asking = createAsking(hub)
  const beat = () => hub.postMessage({ kind: 'beat', state: stream.state(), at: followed.positions() })
  const stream = createStream({
    query: followed.choose,
    onBeat(isBack) {
      if (isBack) asking.now()
      asking.whenDue()
      beat()
    },
    onLost() {
      beat()
      // A lost session looks like a lost server until something is asked.
      asking.now()
    },
    onMessage: followed.passMessage,
    onDraft: followed.passDraft,
  })

  /** @param {unknown} data */
  function hear(data) {
    const kind = read(data, 'kind')
    if (kind === 'leave') return followed.leave(String(read(data, 'tab')))
    if (kind === 'refresh') return asking.now()
    if (kind === 'ask') {
      // The timers of a hidden tab may sleep: a tab that is looked at keeps time for it.
      stream.connectIfDue()
      return beat()
    }
    if (kind !== 'want') return
    const [tab, id, after] = [read(data, 'tab'), read(data, 'id'), read(data, 'after')].map(String)
    if (tab === undefined || id === undefined || after === undefined) return
    followed.want(tab, { id, after, visible: read(data, 'visible') === true, heardAtMs: performance.now() })
    if (followed.has(id)) return beat()
    stream.connectSoon()
  }

  hub.addEventListener('message', ({ data }) => hear(data))
  hub.postMessage({ kind: 'who' })
  stream.connectSoon()
  return {
    close() {
      stream.close()
      hub.close()
      followed.close()
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
