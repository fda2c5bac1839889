// The reply that is being written: shown as it grows, and the reply itself when that comes.
import { renderBlocks } from './blocks.js'
import { draftBubble, finish, offerWithdrawal } from './bubble.js'
import { patchChildren } from './patch.js'

/** @import { ApiDraft, ApiMessage } from './api-types.d.ts' */
/** @import { Deeds } from './bubble.js' */
/** @import { OpenMessages } from './open-messages.js' */
/** @typedef {ReturnType<typeof createGrowing>} Growing */

/** A draft that stays silent this long belongs to a worker that died; its successor writes a new one. */
const draftLivesMs = 60_000

/** @param {{ messages: HTMLElement, open: OpenMessages, deeds: Deeds }} shown */
export function createGrowing(shown) {
  /** @type {Set<string>} */
  const finished = new Set()
  /** @type {{ turn: string, atMs: number, box: HTMLElement, text: string } | undefined} */
  let current

  function end() {
    if (!current) return
    finished.add(current.turn)
    current.box.remove()
    current = undefined
  }

  return {
    end,
    /** Nothing more of this turn is shown. @param {string} turn */
    finish: (turn) => void finished.add(turn),
    box: () => current?.box,
    hasText: () => Boolean(current?.text),
    /** The draft becomes the reply it was: what is selected in it stays so. Undefined where it is another's. @param {ApiMessage} message */
    become(message) {
      if (!current?.text || (message.turn !== undefined && message.turn !== current.turn)) {
        end()
        return undefined
      }
      const { box } = current
      current = undefined
      const body = box.querySelector('.body')
      if (body) patchChildren(body, 0, renderBlocks(message.blocks))
      box.removeAttribute('aria-busy')
      box.removeAttribute('aria-live')
      finish(box, message, shown.deeds)
      return box
    },
    /** @param {ApiDraft} draft @returns {boolean} whether it could be shown, or need not be: false where what came before it is missing */
    show(draft) {
      if (finished.has(draft.turn)) return true
      if (draft.plan) showPlan(shown.messages, draft.plan)
      if (current && current.turn !== draft.turn) end()
      const box = current?.box ?? draftBubble()
      const body = box.querySelector('.body')
      if (!body || draft.from > body.childNodes.length) return false
      box.dataset['its'] ??= new Date().toDateString()
      if (!current) place(shown, box, draft.follows)
      current = { turn: draft.turn, text: draft.text, atMs: Date.now(), box }
      patchChildren(body, draft.from, renderBlocks(draft.blocks))
      box.hidden = draft.text === ''
      return true
    },
    /** Forgets a draft that nobody continues. While nobody looks none is shown. */
    tick() {
      if (current && !document.hidden && Date.now() - current.atMs > draftLivesMs) end()
    },
  }
}

/**
 * At the end, but above what waits until it is finished.
 *
 * @param {{ messages: HTMLElement, open: OpenMessages, deeds: Deeds }} shown @param {HTMLElement} box @param {string | undefined} asked the message above it
 */
function place({ messages, open, deeds }, box, asked) {
  messages.append(box)
  if (asked === undefined) return
  for (const { made, message } of open.after(asked)) {
    messages.append(made)
    if (!made.querySelector('.waits')) offerWithdrawal(made, message, deeds)
  }
}

/** @param {HTMLElement} messages @param {NonNullable<ApiDraft['plan']>} plan */
function showPlan(messages, { row, blocks }) {
  const body = messages.querySelector(`article[data-row="${CSS.escape(row)}"] .body`)
  if (body) patchChildren(body, 0, renderBlocks(blocks))
}
