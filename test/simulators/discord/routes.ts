// The table of REST routes under /api/v10, and finding the one that a request names.
import { refusals } from './api-error.ts'
import * as application from './application.ts'
import * as channels from './channels.ts'
import * as interactions from './interactions.ts'
import * as messages from './messages.ts'
import type { RouteCall, RouteDeps, RouteResult } from './route.ts'

type Run = (deps: RouteDeps, call: RouteCall) => RouteResult

/** `open` routes are secured by the interaction's token instead of the bot's, and do not count towards the global limit. */
export type Route = {
  readonly name: string
  readonly method: string
  readonly parts: readonly string[]
  readonly isOpen: boolean
  readonly run: Run
}

const reaction = '/channels/:channel/messages/:message/reactions/:emoji/@me'
const hook = '/webhooks/:application/:token'

const table: Readonly<Record<string, readonly [method: string, pattern: string, run: Run]>> = {
  getGateway: ['GET', '/gateway', application.getGateway],
  getGatewayBot: ['GET', '/gateway/bot', application.getGatewayBot],
  getSelf: ['GET', '/users/@me', application.getSelf],
  getOwnGuilds: ['GET', '/users/@me/guilds', channels.getOwnGuilds],
  leaveGuild: ['DELETE', '/users/@me/guilds/:guild', channels.leaveGuild],
  createDm: ['POST', '/users/@me/channels', channels.createDm],
  getUser: ['GET', '/users/:user', application.getUser],
  getApplication: ['GET', '/applications/@me', application.getApplication],
  getOAuthApplication: ['GET', '/oauth2/applications/@me', application.getApplication],
  getCommands: ['GET', '/applications/:application/commands', application.getCommands],
  putCommands: ['PUT', '/applications/:application/commands', application.putCommands],
  getGuildCommands: ['GET', '/applications/:application/guilds/:guild/commands', application.getCommands],
  putGuildCommands: ['PUT', '/applications/:application/guilds/:guild/commands', application.putCommands],
  getGuild: ['GET', '/guilds/:guild', channels.getGuild],
  getAuditLog: ['GET', '/guilds/:guild/audit-logs', channels.getAuditLog],
  getGuildChannels: ['GET', '/guilds/:guild/channels', channels.getGuildChannels],
  getActiveThreads: ['GET', '/guilds/:guild/threads/active', channels.getActiveThreads],
  getGuildRoles: ['GET', '/guilds/:guild/roles', channels.getGuildRoles],
  getMember: ['GET', '/guilds/:guild/members/:user', channels.getMember],
  getChannel: ['GET', '/channels/:channel', channels.getChannel],
  startThread: ['POST', '/channels/:channel/threads', channels.startThread],
  startThreadFromMessage: ['POST', '/channels/:channel/messages/:message/threads', channels.startThreadFromMessage],
  joinThread: ['PUT', '/channels/:channel/thread-members/@me', channels.joinThread],
  triggerTyping: ['POST', '/channels/:channel/typing', messages.triggerTyping],
  listMessages: ['GET', '/channels/:channel/messages', messages.listMessages],
  createMessage: ['POST', '/channels/:channel/messages', messages.createMessage],
  getMessage: ['GET', '/channels/:channel/messages/:message', messages.getMessage],
  editMessage: ['PATCH', '/channels/:channel/messages/:message', messages.editMessage],
  deleteMessage: ['DELETE', '/channels/:channel/messages/:message', messages.deleteMessage],
  addReaction: ['PUT', reaction, messages.addReaction],
  removeReaction: ['DELETE', reaction, messages.removeReaction],
  answerInteraction: ['POST', '/interactions/:interaction/:token/callback', interactions.answerInteraction],
  createFollowUp: ['POST', hook, interactions.createFollowUp],
  getAnswer: ['GET', `${hook}/messages/:message`, interactions.getAnswer],
  editAnswer: ['PATCH', `${hook}/messages/:message`, interactions.editAnswer],
  deleteAnswer: ['DELETE', `${hook}/messages/:message`, interactions.deleteAnswer],
}

const routes: readonly Route[] = Object.entries(table).map(([name, [method, pattern, run]]) => {
  const parts = pattern.split('/').slice(1)
  return { name, method, parts, run, isOpen: ['interactions', 'webhooks'].includes(parts[0] ?? '') }
})

export type FoundRoute = { readonly route: Route; readonly path: Readonly<Record<string, string>> }

/** The route of a decoded path below /api/v10. Throws 404, or 405 when only the method is wrong. */
export function findRoute(method: string, segments: readonly string[]): FoundRoute {
  const fitting = routes.filter(({ parts }) => fits(parts, segments))
  // A literal part such as @me goes before a parameter: the table lists it first.
  const route = fitting.find((one) => one.method === method)
  if (route === undefined) throw fitting.length === 0 ? refusals.notFound() : refusals.methodNotAllowed()
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
