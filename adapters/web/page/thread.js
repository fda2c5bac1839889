// Shows a conversation: messages as they are, what is still unsent, and the reply that is being written.
import { element, find } from './element.js'
import { showButtons } from './buttons.js'
import { renderMarkdown } from './markdown.js'
import { toClock, toDay } from './clock.js'
import { applyWords } from './words.js'

/** @import { ApiDraft, ApiMessage } from './api-types.d.ts' */
/** @import { Unsent } from './outbox.js' */

/** A draft that stays silent this long belongs to a worker that died; its successor writes a new one. */
const draftLivesMs = 60_000
/** A reply that takes longer than this is no longer promised by the three dots. */
const expectedWithinMs = 10 * 60_000

/** @param {string} conversation @param {(text: string) => void} onEdit */
export function createThread(conversation, onEdit) {
  const messages = find('messages', HTMLDivElement)
  const unsentBox = find('unsent', HTMLDivElement)
  const drafts = find('drafts', HTMLDivElement)
  messages.setAttribute('aria-live', 'off')
  for (const box of [messages, unsentBox, drafts]) box.replaceChildren()
  let day = ''
  /** Events of people that no reply has named yet, with their time. @type {Map<string, number>} */
  const open = new Map()
  /** @type {Set<string>} */
  const finished = new Set()
  /** @type {{ draft: ApiDraft, atMs: number, box: HTMLElement } | undefined} */
  let current

  const working = () => current !== undefined || [...open.values()].some((at) => Date.now() - at < expectedWithinMs)

  function showWorking() {
    const dots = drafts.querySelector('.dots')
    const wanted = working() && !current?.draft.text
    if (dots && !wanted) dots.remove()
    if (!dots && wanted) drafts.append(waitingDots())
  }

  function endDraft() {
    if (!current) return
    finished.add(current.draft.turn)
    current.box.remove()
    current = undefined
  }

  /** @param {ApiMessage} message */
  function track(message) {
    if (message.role === 'user' && message.eventId) open.set(message.eventId, message.at)
    for (const answered of message.answers ?? []) open.delete(answered)
    if (message.role === 'bot' && message.answers?.length) endDraft()
  }

  return {
    working,
    /** @param {ApiMessage} message */
    add(message) {
      const replaced = message.replaces === undefined ? undefined : findRow(messages, message.replaces)
      if (message.role === 'change') return replaced?.querySelector('.choices')?.remove()
      if (replaced) {
        track(message)
        const made = bubble(message, conversation)
        const wasPressed = replaced.querySelector('[aria-pressed=true]') !== null
        replaced.replaceWith(made)
        // Whoever pressed by keyboard goes on from here, unless they went elsewhere.
        if (wasPressed && document.activeElement === document.body) made.querySelector('button')?.focus()
        return showWorking()
      }
      const its = toDay(message.at)
      if (its !== day) messages.append(element('p', { class: 'day', 'data-day': String(message.at) }, its))
      day = its
      track(message)
      messages.append(bubble(message, conversation))
      showWorking()
    },
    /** @param {ApiDraft} draft */
    draft(draft) {
      if (finished.has(draft.turn) || (draft.resumed && open.size === 0)) return
      if (current && current.draft.turn !== draft.turn) endDraft()
      const box = current?.box ?? element('article', { class: 'bot draft', 'aria-busy': 'true' })
      if (!current) drafts.prepend(box)
      current = { draft, atMs: Date.now(), box }
      box.replaceChildren(renderMarkdown(draft.text))
      box.hidden = draft.text === ''
      showWorking()
    },
    /** Forgets a draft that nobody continues. */
    tick() {
      if (current && Date.now() - current.atMs > draftLivesMs) endDraft()
      showWorking()
    },
    /** @param {Unsent[]} list @param {(item: Unsent) => void} discard */
    unsent(list, discard) {
      unsentBox.replaceChildren(...list.map((item) => unsentBubble(item, discard, onEdit)))
    },
    isEmpty: () => messages.childElementCount === 0 && unsentBox.childElementCount === 0,
    /** From now on screen readers hear what comes. */
    announce: () => messages.setAttribute('aria-live', 'polite'),
  }
}

/** @param {Element} within @param {string} row */
function findRow(within, row) {
  return within.querySelector(`article[data-row="${CSS.escape(row)}"]`)
}

/** @param {ApiMessage} message @param {string} conversation */
function bubble(message, conversation) {
  const { role } = message
  const body = renderMarkdown(message.text)
  const who = element('span', { class: 'unseen', 'data-t': role === 'user' ? 'you' : 'bot' })
  const at = new Date(message.at)
  const time = element('time', { datetime: at.toISOString() }, toClock(message.at))
  const made = element('article', { class: role, 'data-id': message.id }, who, element('div', { class: 'body' }, body))
  if (message.row) made.dataset['row'] = message.row
  if (message.buttons) made.append(showButtons(conversation, message.buttons))
  made.append(time)
  applyWords(made)
  return made
}

/** @param {Unsent} item @param {(item: Unsent) => void} discard @param {(text: string) => void} onEdit */
function unsentBubble(item, discard, onEdit) {
  const made = element(
    'article',
    { class: `user unsent ${item.state}` },
    element('div', { class: 'body' }, renderMarkdown(item.text)),
  )
  const note = element('p', { class: 'note' }, element('span', { 'data-t': item.state }), item.reason ?? '')
  if (item.state === 'refused') {
    const edit = element('button', { type: 'button', class: 'quiet', 'data-t': 'edit' })
    edit.addEventListener('click', () => {
      discard(item)
      onEdit(item.text)
    })
    const drop = element('button', { type: 'button', class: 'quiet', 'data-t': 'discard' })
    drop.addEventListener('click', () => discard(item))
    note.append(edit, drop)
  }
  made.append(note)
  applyWords(made)
  return made
}

function waitingDots() {
  const label = element('span', { class: 'unseen', 'data-t': 'working' })
  const made = element('p', { class: 'dots', role: 'status' }, element('i'), element('i'), element('i'), label)
  applyWords(made)
  return made
}
