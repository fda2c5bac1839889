// Where the reader is, as the address says it after #: `#/<page>` is a feature's page, anything else a conversation, with the message to go to.
import { read } from './api.js'

/** @typedef {{ kind: 'page', name: string } | { kind: 'conversation', id: string, position: string | undefined }} Address */

/** @returns {Address} the conversation `main` for what is no address */
export function readAddress() {
  // Of a link that logs in, followed by who was logged in already.
  if (location.hash.startsWith('#once=')) history.replaceState(null, '', location.pathname)
  const [, name] = /^#\/([a-z][a-z0-9-]{0,29})$/.exec(location.hash) ?? []
  if (name !== undefined) return { kind: 'page', name }
  const [, id = 'main', position] = /^#([\w@.-]{1,64})(?::(\d{1,15}-\d{1,15}))?$/.exec(location.hash) ?? []
  return { kind: 'conversation', id, position }
}

/** Notes in the browser's history from which conversation a page was opened, so that it is there again after a reload. @param {string} id */
export const keepBehind = (id) => history.replaceState({ behind: id }, '')

/** The conversation behind the page that the address names. @returns {string} `main` where it is not known */
export function readBehind() {
  const id = read(history.state, 'behind')
  return typeof id === 'string' && /^[\w@.-]{1,64}$/.test(id) ? id : 'main'
}
