// Shows a conversation: messages as they are, what is still unsent, and the reply that is being written. The newest come first; what was
// before them is put above when it is read.
import { renderBlocks } from './blocks.js'
import {
  bubble,
  cutLine,
  draftBubble,
  finish,
  forgottenLine,
  offerWithdrawal,
  unsentBubble,
  waitingDots,
} from './bubble.js'
import { toDay } from './clock.js'
import { element, find } from './element.js'
import { createOpenMessages } from './open-messages.js'
import { patchChildren } from './patch.js'
import { createReplacements } from './replacements.js'

/** @import { ApiDraft, ApiMessage } from './api-types.d.ts' */
/** @import { Deeds } from './bubble.js' */
/** @import { Unsent } from './outbox.js' */

/** A draft that stays silent this long belongs to a worker that died; its successor writes a new one. */
const draftLivesMs = 60_000

/** @param {Deeds} deeds */
export function createThread(deeds) {
  const messages = find('messages', HTMLDivElement)
  const unsentBox = find('unsent', HTMLDivElement)
  const waiting = find('waiting', HTMLDivElement)
  const said = find('said', HTMLDivElement)
  let announcing = false
  /** Whether nothing was said before what is shown. */
  let complete = false
  messages.setAttribute('aria-live', 'off')
  for (const box of [messages, unsentBox, waiting, said]) box.replaceChildren()
  const open = createOpenMessages(messages)
  /** @type {Set<string>} */
  const finished = new Set()
  const replacements = createReplacements()
  /** @type {{ turn: string, atMs: number, box: HTMLElement, text: string } | undefined} */
  let current

  const working = () => current !== undefined || open.isExpected()

  function showWorking() {
    const dots = waiting.querySelector('.dots')
    const wanted = working() && !current?.text
    if (dots && !wanted) dots.remove()
    if (!dots && wanted) waiting.append(waitingDots())
  }

  function endDraft() {
    if (!current) return
    finished.add(current.turn)
    current.box.remove()
    current = undefined
  }

  /** At the end, but above what waits until it is finished. @param {HTMLElement} box @param {string | undefined} asked the message above it */
  function placeDraft(box, asked) {
    messages.append(box)
    if (asked === undefined) return
    for (const { made, message } of open.after(asked)) {
      messages.append(made)
      if (!made.querySelector('.waits')) offerWithdrawal(made, message, deeds)
    }
  }

  /** @param {NonNullable<ApiDraft['plan']>} plan */
  function showPlan({ row, blocks }) {
    const body = messages.querySelector(`article[data-row="${CSS.escape(row)}"] .body`)
    if (body) patchChildren(body, 0, renderBlocks(blocks))
  }

  /** Only the last question can be answered again, and not while it waits for a person. */
  function keepOneAgain() {
    const last = [...messages.querySelectorAll('[data-turn-end]')].at(-1)
    for (const button of messages.querySelectorAll('.again')) if (!last?.contains(button)) button.remove()
  }

  /** The draft becomes the reply it was: what is selected in it stays so. @param {ApiMessage} message */
  function takeDraft(message) {
    if (!current?.text || (message.turn !== undefined && message.turn !== current.turn)) {
      endDraft()
      return bubble(message, deeds)
    }
    const { box } = current
    current = undefined
    const body = box.querySelector('.body')
    if (body) patchChildren(body, 0, renderBlocks(message.blocks))
    box.removeAttribute('aria-busy')
    box.removeAttribute('aria-live')
    finish(box, message, deeds)
    if (announcing) said.textContent = body?.textContent ?? ''
    return box
  }

  /** @param {ApiMessage} message @returns {boolean} whether it stands for one that is shown */
  function replace(message) {
    const row = message.replaces
    const shown = row === undefined ? null : messages.querySelector(`article[data-row="${CSS.escape(row)}"]`)
    if (!shown) {
      if (row === undefined) return false
      // What it stood for may be further up, or kept no more.
      if (!complete) replacements.keep(row, message)
      return !complete || message.role === 'change'
    }
    const wasPressed = shown.querySelector('[aria-pressed=true]') !== null
    let card = shown
    if (message.role === 'change') shown.querySelector('.choices')?.remove()
    else {
      const made = bubble(message, deeds)
      // On which day it stands.
      if (shown instanceof HTMLElement && shown.dataset['its']) made.dataset['its'] = shown.dataset['its']
      shown.replaceWith(made)
      card = made
    }
    // Whoever pressed by keyboard goes on from here, unless they went elsewhere.
    if (wasPressed && document.activeElement === document.body) focusCard(card)
    return true
  }

  /** @param {string} id of a user's message @param {number} at */
  function forget(id, at) {
    open.endWaiting(at)
    replacements.forget(id)
    // It may be the answer to it.
    said.textContent = ''
    for (const made of messages.querySelectorAll(`article[data-about~="${CSS.escape(id)}"]`)) {
      const day = made.previousElementSibling
      const isLastOfDay = day?.matches('.day') && !made.nextElementSibling?.matches('article')
      made.remove()
      if (isLastOfDay) day?.remove()
    }
    showWorking()
  }

  return {
    working,
    /** @param {ApiMessage} message */
    add(message) {
      if (message.forgets !== undefined) return forget(message.forgets, message.at)
      open.track(message)
      if (message.turn !== undefined) finished.add(message.turn)
      if (replace(message)) {
        if (message.endsTurn) endDraft()
        return showWorking()
      }
      const made = message.endsTurn ? takeDraft(message) : bubble(message, deeds)
      const waits = message.role === 'user' && current !== undefined && !open.isAnswered(message.eventId)
      if (waits) offerWithdrawal(made, message, deeds)
      const before = waits ? null : message.endsTurn ? open.findWaiting() : (current?.box ?? null)
      if (made.parentElement !== messages) messages.insertBefore(made, before)
      addDay(made, message.at)
      if (message.endsTurn) for (const note of messages.querySelectorAll('.waits')) note.remove()
      keepOneAgain()
      showWorking()
    },
    /** What was said before everything that is shown. @param {readonly ApiMessage[]} earlier @param {{ isAll: boolean, isCut: boolean }} how */
    addEarlier(earlier, { isAll, isCut }) {
      complete = isAll
      const first = messages.querySelector('article[data-id]')
      const shown = earlier.filter((message) => message.role !== 'change' && message.replaces === undefined)
      for (const message of earlier.toReversed()) if (message.replaces !== undefined) replacements.keepOlder(message)
      const orphans = isAll ? replacements.takeOrphans(shown) : []
      /** @type {{ at: number, made: HTMLElement }[]} */
      const mades = [...shown, ...orphans].map((message) => {
        open.track(message)
        return { at: message.at, made: bubble(replacements.resolve(message), deeds) }
      })
      for (const message of earlier) if (message.forgets !== undefined) open.endWaiting(message.at)
      for (const { at, made } of mades.toSorted((one, other) => one.at - other.at)) {
        messages.insertBefore(
          made,
          first?.previousElementSibling?.matches('.day') ? first.previousElementSibling : first,
        )
        addDay(made, at)
      }
      if (first) dropDoubleDay(first)
      if (isCut) messages.prepend(cutLine())
      keepOneAgain()
      showWorking()
    },
    /** @param {ApiDraft} draft @returns {boolean} whether it could be shown, or need not be: false where what came before it is missing */
    draft(draft) {
      if (finished.has(draft.turn)) return true
      if (draft.plan) showPlan(draft.plan)
      if (current && current.turn !== draft.turn) endDraft()
      const box = current?.box ?? draftBubble()
      const body = box.querySelector('.body')
      if (!body || draft.from > body.childNodes.length) return false
      box.dataset['its'] ??= new Date().toDateString()
      if (!current) placeDraft(box, draft.follows)
      current = { turn: draft.turn, text: draft.text, atMs: Date.now(), box }
      patchChildren(body, draft.from, renderBlocks(draft.blocks))
      box.hidden = draft.text === ''
      showWorking()
      return true
    },
    /** A deed was done of which something comes. @param {string} eventId */
    expect(eventId) {
      open.expect(eventId)
      showWorking()
    },
    /** The first message that waits until what is worked on now is answered. @returns {string | undefined} its event */
    nextInTurn() {
      if (!current?.text) return open.second()
      const after = [...messages.querySelectorAll('.draft ~ .user')]
      return after.flatMap((made) => (made instanceof HTMLElement ? [made.dataset['about'] ?? ''] : []))[0]
    },
    /** Hides what is being forgotten, and shows the rest. @param {readonly { of: string, told?: boolean }[]} items */
    hide(items) {
      const events = items.map(({ of }) => of)
      for (const line of messages.querySelectorAll('.forgotten')) line.remove()
      for (const made of messages.querySelectorAll('article')) {
        const about = (made.dataset['about'] ?? '').split(' ')
        made.hidden = events.some((event) => about.includes(event)) || (made.matches('.draft') && !current?.text)
      }
      for (const { of, told } of items) {
        const made = messages.querySelector(`article.user[data-about="${CSS.escape(of)}"]`)
        if (!told) made?.before(forgottenLine(of, deeds))
      }
    },
    /** Forgets a draft that nobody continues. While nobody looks none is shown. */
    tick() {
      if (current && !document.hidden && Date.now() - current.atMs > draftLivesMs) endDraft()
      showWorking()
    },
    /** @param {Unsent[]} list @param {(item: Unsent) => void} discard */
    unsent(list, discard) {
      unsentBox.replaceChildren(...list.map((item) => unsentBubble(item, discard, deeds)))
    },
    isEmpty: () => messages.childElementCount === 0 && unsentBox.childElementCount === 0,
    /** @param {string} id @returns {Element | null} */
    find: (id) => messages.querySelector(`article[data-id="${CSS.escape(id)}"]`),
    /** Whether a card still asks. @param {string} row */
    isAsking: (row) => messages.querySelector(`article[data-row="${CSS.escape(row)}"] .asks`) !== null,
    /** From now on screen readers hear what comes. */
    announce() {
      announcing = true
      messages.setAttribute('aria-live', 'polite')
    },
  }
}

/** Tells the day above a message where it is another one than that of the message before. @param {HTMLElement} made @param {number} at */
function addDay(made, at) {
  const day = new Date(at).toDateString()
  made.dataset['its'] = day
  const before = made.previousElementSibling
  if (before instanceof HTMLElement && before.dataset['its'] === day) return
  made.before(element('p', { class: 'day', 'data-day': String(at), 'data-its': day }, toDay(at)))
}

/** After messages were put above this one, its day may be told there already. @param {Element} first */
function dropDoubleDay(first) {
  const day = first.previousElementSibling
  const before = day?.previousElementSibling
  if (!(first instanceof HTMLElement && before instanceof HTMLElement && day?.matches('.day'))) return
  if (before.dataset['its'] === first.dataset['its']) day.remove()
}

/** Its first choice, or itself where nothing is asked any more. @param {Element} card */
function focusCard(card) {
  const choice = card.querySelector('.choices button')
  if (choice instanceof HTMLElement) choice.focus()
  else if (card instanceof HTMLElement) {
    card.tabIndex = -1
    card.focus({ preventScroll: true })
  }
}
