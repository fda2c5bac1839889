// The chat page: one open conversation, named by the address after #, kept in step with the server and with other tabs.
import { createComposer } from './composer.js'
import { find } from './element.js'
import { followConversation } from './feed.js'
import { createOutbox } from './outbox.js'
import { createScroll } from './scroll.js'
import { createSide } from './side.js'
import { createThread } from './thread.js'
import { renameDays } from './clock.js'
import { applyWords, say, switchLanguage } from './words.js'

const title = find('title', HTMLHeadingElement)
const state = find('state', HTMLParagraphElement)
const stop = find('stop', HTMLButtonElement)
const welcome = find('welcome', HTMLElement)
const tickEveryMs = 5000

const scroll = createScroll(() => void readEarlier())
const outbox = createOutbox(() => show())
const composer = createComposer((text) => {
  outbox.send(conversation, text)
  scroll.toEnd()
})
const side = createSide({
  onNew: () => (location.hash = crypto.randomUUID().slice(0, 8)),
  onList: (current) => {
    title.textContent = current?.title || say('newChat')
    document.title = current?.title ? `${current.title} · Flotilla` : 'Flotilla'
  },
})

let conversation = ''
/** @type {ReturnType<typeof createThread> | undefined} */
let thread
/** @type {ReturnType<typeof followConversation> | undefined} */
let feed
let ready = false

function open() {
  const named = decodeURIComponent(location.hash.slice(1))
  conversation = /^[\w@.-]{1,64}$/.test(named) ? named : 'main'
  feed?.close()
  ready = false
  const opened = createThread({
    conversation,
    onAgain: () => outbox.send(conversation, '/retry'),
    onForget: (message) => outbox.send(conversation, '/forget', message.eventId),
    onEdit: (text) => composer.fill(text),
  })
  thread = opened
  side.select(conversation)
  show()
  scroll.toEnd()
  feed = followConversation(conversation, {
    onMessage(message) {
      scroll.keep(() => opened.add(message))
      if (message.eventId) outbox.seen(message.eventId)
      if (ready) void side.refresh()
      show()
    },
    onEarlier(messages, isAll) {
      scroll.above(() => opened.addEarlier(messages, isAll))
    },
    onDraft(draft) {
      scroll.keep(() => opened.draft(draft))
      show()
    },
    onReady() {
      if (!ready) scroll.toEnd()
      ready = true
      opened.announce()
      show()
      scroll.look()
    },
    onState: showState,
  })
  composer.focus()
}

/** Until enough is above what is seen, or all there is. */
async function readEarlier() {
  if (!ready) return
  const its = feed
  try {
    if (await its?.earlier()) if (its === feed) scroll.look()
  } catch {
    // Scrolling asks again; the connection's state is shown beside the title.
  }
}

function show() {
  if (!thread) return
  const opened = thread
  scroll.keep(() => opened.unsent(outbox.list(conversation), (item) => outbox.discard(item)))
  welcome.hidden = !ready || !opened.isEmpty()
  stop.hidden = !opened.working()
  if (stop.hidden) stop.disabled = false
}

/** @param {'connected' | 'connecting' | 'offline'} now */
function showState(now) {
  state.dataset['state'] = now
  const text = find('state-text', HTMLSpanElement)
  text.setAttribute('data-t', now)
  text.textContent = say(now)
}

applyWords(document)
find('language', HTMLButtonElement).addEventListener('click', switchLanguage)
document.addEventListener('languagechange', () => renameDays(document))
find('skip', HTMLAnchorElement).addEventListener('click', (event) => {
  event.preventDefault()
  composer.focus()
})
function endReply() {
  // Asking twice would stop what comes next.
  if (stop.disabled) return
  stop.disabled = true
  outbox.send(conversation, '/stop')
}
stop.addEventListener('click', () => {
  endReply()
  composer.focus()
})
for (const example of welcome.querySelectorAll('button')) {
  example.addEventListener('click', () => composer.fill(example.textContent))
}
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || event.isComposing) return
  const wasOpen = side.close()
  if (!wasOpen && thread?.working()) endReply()
  composer.focus()
})
window.addEventListener('hashchange', open)
setInterval(() => {
  thread?.tick()
  show()
}, tickEveryMs)
open()
