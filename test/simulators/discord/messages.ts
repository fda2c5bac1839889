// The routes for messages: create, edit, get, list, delete, reactions, typing. A message is shown at once to everybody in the
// channel; `nonce` with `enforce_nonce` gives the earlier message back instead of a second one.
import { demand, findChannel, findPublicMessage, findWritableChannel, isAllowed } from './access.ts'
import { invalidField, refusals } from './api-error.ts'
import { messageFlags } from './bits.ts'
import { reopen } from './channels.ts'
import { toPings, type AllowedMentions } from './mentions.ts'
import { checkCreate, checkEdit, storeFiles, toRows, type CreateBody, type EditBody } from './message-body.ts'
import { toMessageWire } from './payloads.ts'
import {
  idIn,
  nothing,
  restViewer,
  writableMessage,
  type RouteCall,
  type RouteDeps,
  type RouteResult,
} from './route.ts'
import { compareIds } from './snowflake.ts'
import { messageTypes } from './types.ts'
import {
  findMessage,
  storeMessage,
  unfurl,
  type Channel,
  type NewMessage,
  type StoredMessage,
  type World,
} from './world.ts'

const settableFlags = messageFlags.SuppressEmbeds | messageFlags.SuppressNotifications

export function createMessage({ world, events, options }: RouteDeps, call: RouteCall): RouteResult {
  const body = checkCreate(call)
  const channel = findWritableChannel(world, idIn(call, 'channel'))
  if (call.files.size > 0) demand(channel, 'AttachFiles')
  const twin = findTwin(world, channel, body, options.nonceWindowMs)
  if (twin !== undefined) return shown(world, twin)
  const target = findReference(world, channel, body)
  const isForward = body.message_reference?.type === 1
  const stored = storeMessage(world, channel, {
    ...toContent(world, channel, { body, repliedTo: isForward ? undefined : target?.author.id }),
    attachments: storeFiles(world, channel, call),
    type: target === undefined || isForward ? messageTypes.ordinary : messageTypes.reply,
    replyTo: isForward ? undefined : target,
    forwardOf: isForward ? target : undefined,
    nonce: body.nonce,
  })
  reopen(events, channel)
  events.messageCreated(stored)
  return shown(world, stored)
}

type ContentRequest = {
  readonly body: CreateBody
  readonly repliedTo?: string | undefined
  /** For `allowed_mentions` left out. */
  readonly allowed?: AllowedMentions
}

/** The fields of a new message of the bot's that its body gives. */
export function toContent(world: World, channel: Channel, { body, repliedTo, allowed }: ContentRequest): NewMessage {
  const text = body.content ?? ''
  const pings = toPings({
    text,
    allowed: body.allowed_mentions ?? allowed,
    repliedTo,
    mayPingEveryone: isAllowed(channel, 'MentionEveryone'),
  })
  const maySilence = ((body.flags ?? 0) & messageFlags.SuppressNotifications) === 0
  return {
    author: world.bot,
    content: text,
    embeds: body.embeds ?? [],
    rows: toRows(body.components),
    flags: (body.flags ?? 0) & settableFlags,
    mentions: pings,
    pings: maySilence ? pings : { everyone: false, users: [], roles: [] },
  }
}

export function editMessage({ world, events }: RouteDeps, call: RouteCall): RouteResult {
  const body = checkEdit(call)
  const channel = findChannel(world, idIn(call, 'channel'))
  const stored = findPublicMessage(channel, idIn(call, 'message'))
  if (stored.author.id !== world.bot.id || (stored.webhookId !== undefined && stored.interaction === undefined)) {
    throw refusals.notYours()
  }
  if (channel.isArchived) throw refusals.archivedThread()
  applyEdit({ world, events }, stored, { ...call, body })
  return shown(world, stored)
}

/** Changes a message as an edit's body says, and tells the gateway. Throws 50006 when nothing would be left of it. */
export function applyEdit(
  { world, events }: Pick<RouteDeps, 'world' | 'events'>,
  stored: StoredMessage,
  call: Pick<RouteCall, 'files'> & { readonly body: EditBody },
): void {
  const { body } = call
  const { channel } = stored
  const text = body.content === undefined ? stored.content : (body.content ?? '')
  const embeds = body.embeds === undefined ? stored.embeds : (body.embeds ?? [])
  const rows = body.components === undefined ? stored.rows : toRows(body.components)
  const kept = body.attachments ?? undefined
  const old =
    kept === undefined ? stored.attachments : stored.attachments.filter(({ id }) => kept.some((one) => one.id === id))
  if (text.trim() === '' && embeds.length === 0 && rows.length === 0 && old.length + call.files.size === 0) {
    throw refusals.emptyMessage()
  }
  const added = storeFiles(world, channel, call)
  const pings = toPings({
    text,
    allowed: body.allowed_mentions ?? undefined,
    repliedTo: undefined,
    mayPingEveryone: true,
  })
  if (body.content !== undefined) {
    stored.mentions = pings
    stored.texts.push(text)
  }
  const flags = body.flags === undefined || body.flags === null ? stored.flags : (stored.flags & ~4) | (body.flags & 4)
  Object.assign(stored, { content: text, embeds, rows, attachments: [...old, ...added], flags, editedAt: Date.now() })
  unfurl(world, stored)
  events.messageUpdated(stored)
}

export function getMessage({ world }: RouteDeps, call: RouteCall): RouteResult {
  const channel = findChannel(world, idIn(call, 'channel'))
  demand(channel, 'ReadMessageHistory')
  return shown(world, findPublicMessage(channel, idIn(call, 'message')))
}

/** Newest first, also with `after`. Without the permission to read the history there are none. */
export function listMessages({ world }: RouteDeps, call: RouteCall): RouteResult {
  const channel = findChannel(world, idIn(call, 'channel'))
  const limit = Number(call.query.get('limit') ?? 50)
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
    throw invalidField(['limit'], 'NUMBER_TYPE_MAX', 'int value should be less than or equal to 100.')
  }
  if (!isAllowed(channel, 'ReadMessageHistory')) return { status: 200, body: [] }
  const after = call.query.get('after')
  const before = call.query.get('before')
  const all = [...channel.messages.values()]
    .filter((one) => !one.isDeleted && one.onlyFor === undefined)
    .filter(({ id }) => after === null || compareIds(id, after) > 0)
    .filter(({ id }) => before === null || compareIds(id, before) < 0)
    .toSorted((left, right) => compareIds(left.id, right.id))
  const page = after === null ? all.slice(-limit) : all.slice(0, limit)
  return { status: 200, body: page.toReversed().map((one) => toMessageWire(world, one, restViewer(world))) }
}

export function deleteMessage({ world, events }: RouteDeps, call: RouteCall): RouteResult {
  const channel = findChannel(world, idIn(call, 'channel'))
  const stored = findPublicMessage(channel, idIn(call, 'message'))
  if (stored.author.id !== world.bot.id) demand(channel, 'ManageMessages')
  stored.isDeleted = true
  events.messageDeleted(stored)
  return { ...nothing, message: stored.id }
}

export function triggerTyping({ world }: RouteDeps, call: RouteCall): RouteResult {
  findWritableChannel(world, idIn(call, 'channel')).typingAt = Date.now()
  return nothing
}

export function addReaction({ world, events }: RouteDeps, call: RouteCall): RouteResult {
  const channel = findChannel(world, idIn(call, 'channel'))
  const stored = findPublicMessage(channel, idIn(call, 'message'))
  const emoji = call.path['emoji'] ?? ''
  if (!/\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20E3/u.test(emoji)) throw refusals.unknownEmoji()
  demand(channel, 'ReadMessageHistory')
  if (!stored.reactions.has(emoji)) demand(channel, 'AddReactions')
  const users = stored.reactions.get(emoji) ?? new Set()
  stored.reactions.set(emoji, users.add(world.bot.id))
  events.reaction('ADD', stored, { user: world.bot, emoji })
  return { ...nothing, message: stored.id }
}

export function removeReaction({ world, events }: RouteDeps, call: RouteCall): RouteResult {
  const { stored } = writableMessage(world, call)
  const emoji = call.path['emoji'] ?? ''
  dropReaction(stored, emoji, world.bot.id)
  events.reaction('REMOVE', stored, { user: world.bot, emoji })
  return { ...nothing, message: stored.id }
}

export function dropReaction(stored: StoredMessage, emoji: string, user: string): void {
  const users = stored.reactions.get(emoji)
  users?.delete(user)
  if (users?.size === 0) stored.reactions.delete(emoji)
}

export function shown(world: World, stored: StoredMessage): RouteResult {
  return { status: 200, body: toMessageWire(world, stored, restViewer(world)), message: stored.id }
}

function findTwin(
  world: World,
  channel: Channel,
  { nonce, enforce_nonce }: CreateBody,
  windowMs: number,
): StoredMessage | undefined {
  if (nonce === undefined || enforce_nonce !== true) return undefined
  return [...channel.messages.values()].find(
    (one) =>
      one.author.id === world.bot.id && String(one.nonce) === String(nonce) && Date.now() - one.createdAt < windowMs,
  )
}

/** The message replied to or forwarded; undefined when there is none or a missing one is allowed. */
function findReference(
  world: World,
  channel: Channel,
  { message_reference: given }: CreateBody,
): StoredMessage | undefined {
  if (given?.message_id === undefined) return undefined
  const isForward = given.type === 1
  const source = isForward ? findChannel(world, given.channel_id ?? channel.id) : channel
  if (!isAllowed(source, 'ReadMessageHistory')) throw refusals.noHistoryForReply()
  const found = findMessage(source, given.message_id)
  if (found !== undefined && found.onlyFor === undefined) return found
  if (!isForward && given.fail_if_not_exists === false) return undefined
  throw invalidField(['message_reference'], 'REPLIES_UNKNOWN_MESSAGE', 'Unknown message')
}
