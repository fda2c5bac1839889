// The chat page: one open conversation, named by the address after #, kept in step with the server and with other tabs.
import { keepBehind, readAddress, readBehind } from './address.js'
import { sendDeed } from './api.js'
import { createComposer } from './composer.js'
import { find } from './element.js'
import { followConversation } from './feed.js'
import { createForgetting } from './forgetting.js'
import { createLine } from './line.js'
import { createManage } from './manage.js'
import { startCountdowns } from './countdown.js'
import { createMore } from './more.js'
import { createNotify } from './notify.js'
import { createOutbox } from './outbox.js'
import { createPages } from './pages.js'
import { createQuestions } from './questions.js'
import { markRead } from './read-marks.js'
import { createReplies } from './replies.js'
import { createScroll } from './scroll.js'
import { createSide } from './side.js'
import { showState } from './state.js'
import { createThread } from './thread.js'
import { createTitle } from './title.js'
import { renameDays } from './clock.js'
import { isOfInputMethod } from './keys.js'
import { applyWords, switchLanguage } from './words.js'

/** @import { Deeds } from './bubble.js' */
/** @import { FeedListener } from './feed.js' */

const stop = find('stop', HTMLButtonElement)
const welcome = find('welcome', HTMLElement)
const tickEveryMs = 5000

const title = createTitle()
const pages = createPages({ title })
const line = createLine()
const scroll = createScroll(() => void readEarlier())
const outbox = createOutbox({
  onChange: () => show(),
  onDone: ({ conversation: id, eventId, deed }) => {
    if (id === conversation && deed && ['again', 'why', 'show', 'ask'].includes(deed.deed)) thread?.expect(eventId)
    show()
  },
})
const forgetting = createForgetting({
  tell: ({ conversation: id, of, key }) => outbox.act(id, { deed: 'forget', of }, key),
  tellAtOnce: ({ conversation: id, of, key }) => void sendDeed(id, key, { deed: 'forget', of }, true),
  onChange: () => thread?.hide(forgetting.list(conversation)),
})
const composer = createComposer((text, replyTo) => {
  // Of the bot it would be what that keeps of its session.
  if (/^\/export\s*$/i.test(text)) return menu.save()
  outbox.send(conversation, text, replyTo)
  scroll.toEnd()
})
const openNew = () => (location.hash = crypto.randomUUID().slice(0, 8))
const notify = createNotify()
const replies = createReplies({
  notify,
  isAsking: (id) => questions.isAsking(id),
  onCount: (unread) => title.note({ unread }),
})
const questions = createQuestions({
  line,
  notify,
  titleOf: (id) => side.titleOf(id),
  onCount: (asked) => title.note({ asked }),
  onAsk() {
    // The card comes into the conversation, and is to be seen.
    if (pages.isOpen()) location.hash = conversation
    outbox.act(conversation, { deed: 'ask' })
    scroll.toEnd()
  },
})
const side = createSide({
  line,
  onNew: openNew,
  onList: (current, listed) => {
    replies.look(listed, pages.isOpen() ? '' : conversation)
    manage.offer(current !== undefined)
    title.note({ name: current?.title ?? '' })
    questions.show()
  },
})

const manage = createManage({
  current: () => ({ id: conversation, title: title.name() }),
  onRenamed: () => side.refresh(),
  onRemoved(id) {
    outbox.forget(id)
    if (id === conversation) openNew()
    side.refresh()
  },
})

const menu = createMore({ onShow: (what) => outbox.act(conversation, { deed: 'show', what }) })

let conversation = ''
/** @type {ReturnType<typeof createThread> | undefined} */
let thread
/** @type {ReturnType<typeof followConversation> | undefined} */
let feed
let ready = false
let newestAt = 0

/** Goes where the address leads. The conversation behind a page stays as it was. */
function go() {
  const address = readAddress()
  const wasPage = pages.isOpen()
  if (address.kind === 'page' && pages.has(address.name)) {
    if (!thread) open(readBehind())
    keepBehind(conversation)
    pages.open(address.name, conversation)
  } else {
    const { id, position } = address.kind === 'page' ? { id: conversation || 'main' } : address
    pages.close()
    if (!wasPage || id !== conversation || position) open(id, position)
    look()
  }
  side.select(conversation, pages.isOpen())
  focus()
}

/** To where the reader goes on. */
const focus = () => (pages.isOpen() ? pages.focus() : composer.focus())

/** @param {string} id @param {string} [position] where to go in it */
function open(id, position) {
  if (conversation !== id) composer.endReply()
  conversation = id
  newestAt = 0
  feed?.close()
  ready = false
  const opened = createThread({ conversation, ...deeds })
  thread = opened
  menu.select(conversation)
  show()
  scroll.toEnd()
  feed = followConversation(line, conversation, toListener(opened, position))
}

/** What the reader sees is read. */
function look() {
  if (!document.hidden && !pages.isOpen()) markRead(conversation, newestAt)
}

/** What is done for a message of the open conversation. @type {Omit<Deeds, 'conversation'>} */
const deeds = {
  onAgain: () => outbox.act(conversation, { deed: 'again' }),
  onWhy: (row) => outbox.act(conversation, { deed: 'why', of: row }),
  onForget: ({ eventId }) => (eventId ? forgetting.begin(conversation, eventId) : undefined),
  onUndo: (eventId) => forgetting.undo(eventId),
  onWithdraw({ eventId, text }) {
    if (eventId) outbox.act(conversation, { deed: 'withdraw', of: eventId })
    composer.fill(text)
  },
  onEdit: (text) => composer.fill(text),
  onReply: (card) => composer.replyTo(card),
  onAnswered() {
    show()
    questions.refresh()
  },
}

/**
 * What the open conversation's feed tells.
 *
 * @param {ReturnType<typeof createThread>} opened @param {string | undefined} position where to go once there is something
 * @returns {FeedListener}
 */
function toListener(opened, position) {
  return {
    onMessage(message) {
      scroll.keep(() => {
        opened.add(message)
        hide()
      })
      newestAt = message.at
      look()
      if (message.eventId) outbox.seen(message.eventId)
      if (ready) side.refresh()
      if (ready && message.forgets !== undefined) void side.lookAgain()
      show()
    },
    onEarlier(messages, how) {
      scroll.above(() => {
        opened.addEarlier(messages, how)
        hide()
      })
    },
    onDraft(draft) {
      let isShown = false
      scroll.keep(() => (isShown = opened.draft(draft)))
      show()
      return isShown
    },
    onReady() {
      if (!ready) scroll.toEnd()
      ready = true
      opened.announce()
      show()
      if (position) void goTo(position)
      else scroll.look()
    },
    onState(now) {
      showState(now)
      if (now === 'connected') outbox.wake()
    },
  }
}

/** Reads towards the beginning until a message is there, and shows it. @param {string} position */
async function goTo(position) {
  const opened = thread
  let message = opened?.find(position)
  let more = true
  while (!message && more) {
    more = (await feed?.earlier().catch(() => false)) ?? false
    if (opened !== thread) return
    message = opened?.find(position)
  }
  if (!message || pages.isOpen()) return
  message.classList.add('wanted')
  scroll.toMessage(message)
  // Whoever came by keyboard goes on from here, however far from the end; the message itself has nothing to press.
  if (message instanceof HTMLElement) {
    message.tabIndex = -1
    message.focus({ preventScroll: true })
  }
  // The same position can be asked for again.
  history.replaceState(null, '', `#${conversation}`)
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

/** What is being forgotten. */
function hide() {
  const items = forgetting.list(conversation)
  if (items.length > 0) thread?.hide(items)
}

function show() {
  if (!thread) return
  const opened = thread
  scroll.keep(() => opened.unsent(outbox.list(conversation), (item) => outbox.discard(item)))
  composer.lookAtCard(opened.isAsking)
  welcome.hidden = !ready || !opened.isEmpty()
  stop.hidden = !opened.working()
  if (stop.hidden) stop.disabled = false
}

applyWords(document)
find('language', HTMLButtonElement).addEventListener('click', switchLanguage)
document.addEventListener('languagechange', () => renameDays(document))
find('skip', HTMLAnchorElement).addEventListener('click', (event) => {
  event.preventDefault()
  focus()
})
function endReply() {
  // Asking twice would stop what comes next.
  if (stop.disabled) return
  stop.disabled = true
  outbox.act(conversation, { deed: 'stop', spares: thread?.nextInTurn() ?? outbox.list(conversation)[0]?.eventId })
}
stop.addEventListener('click', () => {
  endReply()
  composer.focus()
})
for (const example of welcome.querySelectorAll('button')) {
  example.addEventListener('click', () => composer.fill(example.textContent))
}
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || isOfInputMethod(event)) return
  if (document.querySelector('dialog[open], :popover-open')) return
  if (pages.isOpen()) return side.close() ? pages.focus() : undefined
  if (composer.endReply()) return composer.focus()
  const wasOpen = side.close()
  if (!wasOpen && thread?.working()) endReply()
  composer.focus()
})
startCountdowns()
window.addEventListener('hashchange', go)
document.addEventListener('visibilitychange', look)
setInterval(() => {
  thread?.tick()
  show()
}, tickEveryMs)
go()
