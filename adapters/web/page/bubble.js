// One message on the page: what it says, its buttons, when it came, and what can be done with it.
import { askLine } from './asking.js'
import { renderBlocks } from './blocks.js'
import { showButtons } from './buttons.js'
import { toClock } from './clock.js'
import { answerCopyButton } from './copy.js'
import { markDeck } from './deck.js'
import { element } from './element.js'
import { foldCode, foldTyped } from './fold.js'
import { applyWords } from './words.js'

/** @import { ApiMessage } from './api-types.d.ts' */
/** @import { Card } from './composer.js' */
/** @import { Unsent } from './outbox.js' */
/** @import { Word } from './words.js' */

/**
 * What the page does for a message: `again` repeats the last question, `why` asks how an answer came about, `forget` makes the bot forget one,
 * `undo` keeps it after all, `withdraw` takes one back that waits, `reply` answers a card in words, and `answered` is told when a button has won.
 *
 * @typedef {{
 *   conversation: string,
 *   onAgain(): void,
 *   onWhy(row: string): void,
 *   onForget(message: ApiMessage): void,
 *   onUndo(eventId: string): void,
 *   onWithdraw(message: Pick<ApiMessage, 'eventId' | 'text'>): void,
 *   onEdit(text: string): void,
 *   onReply(card: Card): void,
 *   onAnswered(): void,
 * }} Deeds
 */

/** Directions and invisible marks that could make a line read differently from what it says. */
const deceptive = /[\u202a-\u202e\u2066-\u2069\ufeff]/g

/** What a person wrote, as they wrote it. @param {string} text */
function asTyped(text) {
  const shown = text.replaceAll(deceptive, '')
  const body = element('div', { class: 'body typed', dir: 'auto' }, shown)
  return foldTyped(body, shown)
}

/** @param {ApiMessage} message @param {Deeds} deeds */
export function bubble(message, deeds) {
  const { role } = message
  const body =
    role === 'user' ? asTyped(message.text) : element('div', { class: 'body' }, ...renderBlocks(message.blocks))
  const made = element('article', {}, whose(role === 'user' ? 'you' : 'bot'), body)
  finish(made, message, deeds)
  return made
}

/** An article whose body is shown becomes this message. @param {HTMLElement} made @param {ApiMessage} message @param {Deeds} deeds */
export function finish(made, message, deeds) {
  made.className = message.role
  made.dataset['id'] = message.id
  if (message.row) made.dataset['row'] = message.row
  if (message.replaces) made.dataset['first'] = message.replaces
  if (message.endsTurn) made.dataset['turnEnd'] = ''
  made.dataset['about'] = message.eventId ?? message.about?.join(' ') ?? ''
  if (message.file) made.append(fileLink(message, message.file, deeds.conversation))
  if (message.buttons) made.append(choices(made, message, message.buttons, deeds))
  made.append(foot(message, deeds))
  markDeck(made, message)
  applyWords(made)
}

/** @param {HTMLElement} made @param {ApiMessage} message @param {NonNullable<ApiMessage['buttons']>} buttons @param {Deeds} deeds */
function choices(made, message, buttons, deeds) {
  const { asks, row, words } = message
  const box = showButtons(deeds.conversation, buttons, deeds.onAnswered)
  const body = made.querySelector('.body')
  if ((!asks && !words) || row === undefined || !body) return box
  if (asks) foldCode(body)
  box.append(
    askLine(message, asks, () => deeds.onReply({ row, line: toFirstLine(body), denies: asks?.denies === true })),
  )
  return box
}

/** @param {Element} body */
function toFirstLine(body) {
  const first = [...body.children].find((block) => block.textContent?.trim() && !block.matches('.step'))
  const [line = ''] = (first?.textContent ?? '').trim().split('\n', 1)
  return line.slice(0, 200)
}

/** Saves the file, with the session that reads the message. @param {ApiMessage} message @param {string} name @param {string} conversation */
function fileLink({ id }, name, conversation) {
  const href = `/api/conversations/${encodeURIComponent(conversation)}/messages/${encodeURIComponent(id)}/file`
  const link = element('a', { href, download: name, 'data-t': 'download' })
  return element('p', { class: 'file' }, link)
}

/** @param {ApiMessage} message @param {Deeds} deeds */
function foot(message, deeds) {
  const at = new Date(message.at)
  const time = element('time', { datetime: at.toISOString() }, toClock(message.at))
  const made = element('div', { class: 'foot-line' }, time)
  if (message.role === 'bot') {
    made.append(answerCopyButton(message.text))
    // A failure names the command that this button sends, in its last line.
    const lastLine = message.text.slice(message.text.lastIndexOf('\n') + 1)
    const word = /\/retry\b/.test(lastLine) ? 'retry' : 'again'
    const { row } = message
    const isAnswer = message.endsTurn && !message.waits
    if (isAnswer) made.append(act(word, `again ${word}`, () => deeds.onAgain()))
    if (isAnswer && row) made.append(act('why', 'why', () => deeds.onWhy(row)))
  } else if (message.eventId && !message.text.startsWith('/')) {
    made.append(act('forget', 'forget', () => deeds.onForget(message)))
  }
  return made
}

/** @param {Word} word @param {string} name @param {() => void} run */
function act(word, name, run) {
  const button = element('button', { type: 'button', class: `quiet act ${name}`, 'data-t': word })
  button.addEventListener('click', (event) => {
    // Once is meant: by the second click of two, another message's button may stand there.
    if (event.detail <= 1) run()
  })
  return button
}

/** What waits below a reply that is being written can be taken back. @param {HTMLElement} made @param {Pick<ApiMessage, 'eventId' | 'text'>} message @param {Deeds} deeds */
export function offerWithdrawal(made, message, deeds) {
  const button = element('button', { type: 'button', class: 'icon withdraw', 'data-t-label': 'withdraw' }, '×')
  button.addEventListener('click', () => deeds.onWithdraw(message), { once: true })
  const note = element('p', { class: 'waits' }, element('span', { 'data-t': 'waitsItsTurn' }), button)
  applyWords(note)
  made.append(note)
}

/** Stands where the beginning was. */
export function cutLine() {
  const made = element('p', { class: 'cut', 'data-t': 'cut' })
  applyWords(element('div', {}, made))
  return made
}

/** Stands for a message that is being forgotten, for as long as that can be undone. @param {string} eventId @param {Deeds} deeds */
export function forgottenLine(eventId, deeds) {
  const undo = act('undo', 'undo', () => deeds.onUndo(eventId))
  const made = element('p', { class: 'forgotten', role: 'status' }, element('span', { 'data-t': 'forgotten' }), undo)
  applyWords(made)
  return made
}

/** The reply that is being written, without text yet. */
export function draftBubble() {
  const made = element('article', { class: 'bot draft', 'aria-busy': 'true', 'aria-live': 'off' })
  made.append(whose('bot'), element('div', { class: 'body' }))
  applyWords(made)
  return made
}

/** @param {Unsent} item @param {(item: Unsent) => void} discard @param {Deeds} deeds */
export function unsentBubble(item, discard, deeds) {
  const made = element('article', { class: `user unsent ${item.state}` }, asTyped(item.text))
  const note = element('p', { class: 'note' }, element('span', { 'data-t': item.state }), item.reason ?? '')
  if (item.state === 'refused' && item.deed) {
    note.append(act('discard', 'discard', () => discard(item)))
  } else if (item.state === 'refused') {
    const edit = () => {
      discard(item)
      deeds.onEdit(item.text)
    }
    note.append(
      act('edit', 'edit', edit),
      act('discard', 'discard', () => discard(item)),
    )
  }
  made.append(note)
  applyWords(made)
  return made
}

export function waitingDots() {
  const label = element('span', { class: 'unseen', 'data-t': 'working' })
  const made = element('p', { class: 'dots', role: 'status' }, element('i'), element('i'), element('i'), label)
  applyWords(made)
  return made
}

/** @param {Word} word */
const whose = (word) => element('span', { class: 'unseen', 'data-t': word })
