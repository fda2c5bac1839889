// The server's interface as functions. A lost session leads to the login; everything else is a value or a thrown Failure.

import { leaveAll } from './hub.js'
import { language } from './words.js'

/**
 * What a button does: not a message of the person.
 *
 * @typedef {{ deed: 'again' | 'ask' } | { deed: 'show', what: 'help' | 'config' | 'model' | 'reminders' } | { deed: 'why' | 'forget' | 'withdraw', of: string } | { deed: 'stop', spares: string | undefined }} Deed
 */
/** @import { ApiAccepted, ApiConversations, ApiDraft, ApiMessage, ApiMessages, ApiPress, ApiQuestions, ApiSearch } from './api-types.d.ts' */

/** `temporary`: trying again can help. */
export class Failure extends Error {
  /** @param {string} message @param {boolean} temporary */
  constructor(message, temporary) {
    super(message)
    this.temporary = temporary
  }
}

/** What this page speaks, and by which clock its browser goes: the bot goes by them where nobody chose anything else. */
const toProgram = () => ({ language: language(), zone: Intl.DateTimeFormat().resolvedOptions().timeZone })

/** The body as the server counts it. @param {string} text @param {string} [replyTo] */
export function toBody(text, replyTo) {
  return JSON.stringify({ text: text.toWellFormed(), replyTo, ...toProgram() })
}

/** @param {string} id @param {string} key @param {{ text: string, replyTo?: string | undefined }} message @returns {Promise<ApiAccepted>} */
export async function sendMessage(id, key, { text, replyTo }) {
  const value = await call(`/api/conversations/${id}/messages`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
    body: toBody(text, replyTo),
  })
  return check(value, isAccepted)
}

/** @param {string} id @param {string} key @param {Deed} deed @param {boolean} [isLast] the page is going @returns {Promise<ApiAccepted>} */
export async function sendDeed(id, key, deed, isLast = false) {
  const program = deed.deed === 'stop' || deed.deed === 'withdraw' ? {} : toProgram()
  const value = await call(`/api/conversations/${id}/deeds`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
    body: JSON.stringify({ ...deed, ...program }),
    keepalive: isLast,
  })
  return check(value, isAccepted)
}

/** @param {string} id @param {string} after @returns {Promise<ApiMessages>} */
export async function loadMessages(id, after) {
  return check(await call(`/api/conversations/${id}/messages?after=${after}`, {}), isMessages)
}

/** The messages before a position, the newest for `0`. @param {string} id @param {string} before @returns {Promise<ApiMessages>} */
export async function loadEarlier(id, before) {
  return check(await call(`/api/conversations/${id}/messages?before=${before}`, {}), isMessages)
}

/** @returns {Promise<ApiConversations>} */
export async function loadConversations() {
  return check(await call('/api/conversations', {}), isConversations)
}

/** @param {string} id @param {string} buttonId @returns {Promise<ApiPress>} */
export async function press(id, buttonId) {
  const value = await call(`/api/conversations/${id}/presses`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ buttonId }),
  })
  return check(value, isPress)
}

/** @param {string} query @returns {Promise<ApiSearch>} */
export async function search(query) {
  return check(await call(`/api/search?q=${encodeURIComponent(query)}`, {}), isSearch)
}

/** All that wait for an answer, in all conversations. @returns {Promise<ApiQuestions>} */
export async function loadQuestions() {
  return check(await call('/api/questions', {}), isQuestions)
}

/** An empty title takes the name away. @param {string} id @param {string} title */
export async function renameConversation(id, title) {
  await call(`/api/conversations/${id}/title`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ title }),
  })
}

/** With everything that is kept of it. @param {string} id */
export async function removeConversation(id) {
  await call(`/api/conversations/${id}`, { method: 'DELETE' })
}

/** As the server, which gives up first. */
const pageWithinMs = 12_000

/** Asks a route of a feature's page. @param {string} path @param {Record<string, string>} query @param {AbortSignal} signal @returns {Promise<unknown>} */
export async function getOfPage(path, query, signal) {
  const asked = new URLSearchParams(query).toString()
  return await call(asked ? `${path}?${asked}` : path, { signal }, pageWithinMs)
}

/** @param {string} path @param {Record<string, unknown>} body @param {AbortSignal} signal @returns {Promise<unknown>} */
export async function postOfPage(path, body, signal) {
  const headers = { 'Content-Type': 'application/json' }
  return await call(path, { method: 'POST', headers, body: JSON.stringify(body), signal }, pageWithinMs)
}

/** The id that the server gives a message sent under this key. @param {string} id @param {string} key */
export async function toEventId(id, key) {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`web:${id}\n${key}`))
  const bytes = [...new Uint8Array(digest)].slice(0, 20)
  return `web-${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** @param {string} path @param {RequestInit} init @param {number} [withinMs] @returns {Promise<unknown>} */
async function call(path, init, withinMs = 10_000) {
  const limit = AbortSignal.timeout(withinMs)
  /** @type {Response} */
  let response
  try {
    response = await fetch(path, { ...init, signal: init.signal ? AbortSignal.any([init.signal, limit]) : limit })
  } catch (cause) {
    throw new Failure(String(cause), true)
  }
  if (response.status === 401) leaveAll()
  /** @type {unknown} */
  const value = await response.json().catch(() => undefined)
  // A press that lost is an answer too.
  if (response.ok || isPress(value)) return value
  const temporary = response.status >= 500 || response.status === 429 || response.status === 401
  throw new Failure(findMessage(value) ?? `HTTP ${response.status}`, temporary)
}

/** @template T @param {unknown} value @param {(value: unknown) => value is T} fits @returns {T} */
function check(value, fits) {
  if (fits(value)) return value
  throw new Failure('The server answered something else than expected.', true)
}

/** A property of something unknown. @param {unknown} value @param {string} name @returns {unknown} */
export function read(value, name) {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

/** @param {unknown} value */
function findMessage(value) {
  const message = read(read(value, 'error'), 'message')
  return typeof message === 'string' ? message : undefined
}

/** A message of the stream. @param {unknown} value @returns {value is ApiMessage} */
export const isMessage = (value) => typeof read(value, 'id') === 'string' && typeof read(value, 'text') === 'string'
/** @param {unknown} value @returns {value is ApiDraft} */
export const isDraft = (value) =>
  ['turn', 'text'].every((name) => typeof read(value, name) === 'string') &&
  Number.isInteger(read(value, 'from')) &&
  Array.isArray(read(value, 'blocks'))
/** @param {unknown} value @returns {value is ApiAccepted} */
const isAccepted = (value) => typeof read(value, 'eventId') === 'string'
/** @param {unknown} value @returns {value is ApiMessages} */
const isMessages = (value) => Array.isArray(read(value, 'messages'))
/** @param {unknown} value @returns {value is ApiConversations} */
export const isConversations = (value) => Array.isArray(read(value, 'conversations'))
/** @param {unknown} value @returns {value is ApiSearch} */
const isSearch = (value) => Array.isArray(read(value, 'found'))
/** @param {unknown} value @returns {value is ApiQuestions} */
export const isQuestions = (value) =>
  ['now', 'desk'].every((name) => typeof read(value, name) === 'number') &&
  typeof read(value, 'isStopped') === 'boolean' &&
  ['questions', 'waiting'].every((name) => Array.isArray(read(value, name)))
/** @param {unknown} value @returns {value is ApiPress} */
const isPress = (value) => typeof read(value, 'outcome') === 'string'
