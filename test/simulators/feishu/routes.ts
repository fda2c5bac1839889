// The table of routes under /open-apis, and finding the one that a request names.
import { refusals } from './api-error.ts'
import * as auth from './auth.ts'
import { updateByPress } from './card-update.ts'
import * as cardkit from './cardkit.ts'
import * as chats from './chats.ts'
import * as files from './files.ts'
import * as messages from './messages.ts'
import * as reactions from './reactions.ts'
import type { Run } from './route.ts'

/** `open` routes are called without a token, and do not count towards the month's calls. */
export type Route = {
  readonly name: string
  readonly method: string
  readonly parts: readonly string[]
  readonly isOpen: boolean
  readonly run: Run
}

const message = '/im/v1/messages/:message'
const card = '/cardkit/v1/cards/:card'
const app = '/application/v6/applications/:app'

const table: Readonly<Record<string, readonly [method: string, pattern: string, run: Run]>> = {
  getTenantToken: ['POST', '/auth/v3/tenant_access_token/internal', auth.getTenantToken],
  getBot: ['GET', '/bot/v3/info', auth.getBot],
  listScopes: ['GET', '/application/v6/scopes', auth.listScopes],
  getApplication: ['GET', app, auth.getApplication],
  listVersions: ['GET', `${app}/app_versions`, auth.listVersions],
  getVersion: ['GET', `${app}/app_versions/:version`, auth.getVersion],
  createMessage: ['POST', '/im/v1/messages', messages.createMessage],
  listMessages: ['GET', '/im/v1/messages', messages.listMessages],
  replyMessage: ['POST', `${message}/reply`, messages.replyMessage],
  patchMessage: ['PATCH', message, messages.patchMessage],
  editMessage: ['PUT', message, messages.editMessage],
  getMessage: ['GET', message, messages.getMessage],
  deleteMessage: ['DELETE', message, messages.deleteMessage],
  addReaction: ['POST', `${message}/reactions`, reactions.addReaction],
  listReactions: ['GET', `${message}/reactions`, reactions.listReactions],
  removeReaction: ['DELETE', `${message}/reactions/:reaction`, reactions.removeReaction],
  getResource: ['GET', `${message}/resources/:file`, files.getResource],
  uploadFile: ['POST', '/im/v1/files', files.uploadFile],
  uploadImage: ['POST', '/im/v1/images', files.uploadImage],
  getChat: ['GET', '/im/v1/chats/:chat', chats.getChat],
  listMembers: ['GET', '/im/v1/chats/:chat/members', chats.listMembers],
  isInChat: ['GET', '/im/v1/chats/:chat/members/is_in_chat', chats.isInChat],
  getUser: ['GET', '/contact/v3/users/:user', chats.getUser],
  createCard: ['POST', '/cardkit/v1/cards', cardkit.createCard],
  convertCardId: ['POST', '/cardkit/v1/cards/id_convert', cardkit.convertCardId],
  updateCard: ['PUT', card, cardkit.updateCard],
  updateCardSettings: ['PATCH', `${card}/settings`, cardkit.updateCardSettings],
  updateCardContent: ['PUT', `${card}/elements/:element/content`, cardkit.updateCardContent],
  addCardElements: ['POST', `${card}/elements`, cardkit.addCardElements],
  updateCardElement: ['PUT', `${card}/elements/:element`, cardkit.updateCardElement],
  patchCardElement: ['PATCH', `${card}/elements/:element`, cardkit.patchCardElement],
  deleteCardElement: ['DELETE', `${card}/elements/:element`, cardkit.deleteCardElement],
  updateByPress: ['POST', '/interactive/v1/card/update', updateByPress],
}

const open = new Set(['getTenantToken', 'getConnectUrl'])

const routes: readonly Route[] = Object.entries(table).map(([name, [method, pattern, run]]) => ({
  name,
  method,
  run,
  parts: pattern.split('/').slice(1),
  isOpen: open.has(name),
}))

const connecting: Route = {
  name: 'getConnectUrl',
  method: 'POST',
  parts: ['callback', 'ws', 'endpoint'],
  isOpen: true,
  run: auth.getConnectUrl,
}

export type FoundRoute = { readonly route: Route; readonly path: Readonly<Record<string, string>> }

/** The route of a path. Throws 404. */
export function findRoute(method: string, pathname: string): FoundRoute {
  const prefix = '/open-apis/'
  if (pathname === '/callback/ws/endpoint' && method === 'POST') return { route: connecting, path: {} }
  const segments = pathname.startsWith(prefix) ? pathname.slice(prefix.length).split('/').map(decodeURIComponent) : []
  const route = routes.find((one) => one.method === method && fits(one.parts, segments))
  if (route === undefined) throw refusals.notFound()
  const path = Object.fromEntries(
    route.parts.flatMap((part, at) => (part.startsWith(':') ? [[part.slice(1), segments[at] ?? '']] : [])),
  )
  return { route, path }
}

function fits(parts: readonly string[], segments: readonly string[]): boolean {
  return (
    parts.length === segments.length &&
    parts.every((part, at) => (part.startsWith(':') ? segments[at] !== '' : part === segments[at]))
  )
}
