// Answers to presses and commands. An interaction waits 3 s for its one callback (types 4, 5, 6, 7); with it, its token opens the
// webhook routes (@original, follow-ups) for 15 minutes. None of these needs the bot's token or counts towards the global limit.
// https://discord.com/developers/docs/interactions/receiving-and-responding
import { z } from 'zod'
import { invalidField, refusals } from './api-error.ts'
import { messageFlags } from './bits.ts'
import { check } from './form-body.ts'
import { checkCreate, checkEdit, storeFiles } from './message-body.ts'
import { applyEdit, shown, toContent } from './messages.ts'
import { toMessageWire, type Wire } from './payloads.ts'
import { idIn, nothing, type RouteCall, type RouteDeps, type RouteResult } from './route.ts'
import { messageTypes } from './types.ts'
import { findMessage, storeMessage, type Interaction, type StoredMessage } from './world.ts'

const callbackBody = z.looseObject({
  type: z.union([z.literal(1), z.literal(4), z.literal(5), z.literal(6), z.literal(7)]),
  data: z.unknown().optional(),
})
const flagged = z.looseObject({ flags: z.number().int().optional() })
/** In answers to interactions, only people are pinged unless the bot says otherwise. */
const answersPing = { parse: ['users' as const] }

export function answerInteraction(deps: RouteDeps, call: RouteCall): RouteResult {
  const { world, events, options } = deps
  const interaction = world.interactions.get(idIn(call, 'interaction'))
  if (interaction === undefined || interaction.token !== call.path['token']) throw refusals.unknownInteraction()
  if (interaction.ack !== undefined) throw refusals.alreadyAcknowledged()
  if (Date.now() - interaction.at > options.interactionTimeoutMs) throw refusals.unknownInteraction()
  const { type, data } = check(callbackBody, call.body)
  const isAboutMessage = type === 6 || type === 7
  if (type === 1 || (isAboutMessage && interaction.kind !== 'press')) {
    throw invalidField(['type'], 'BASE_TYPE_CHOICES', 'Value must be one of (4, 5).')
  }
  const made = perform(deps, interaction, { ...call, body: data ?? {}, type })
  interaction.ack = { type, at: Date.now() }
  interaction.original = isAboutMessage ? interaction.message : made
  if (made !== undefined && !isAboutMessage) events.messageCreated(made)
  const message = made === undefined ? {} : { message: made.id }
  if (call.query.get('with_response') !== 'true') return { ...nothing, ...message }
  return { status: 200, body: toCallbackResponse(deps, interaction, { type, made }), ...message }
}

type Callback = RouteCall & { readonly type: 4 | 5 | 6 | 7 }

/** What the callback makes or changes; undefined for type 6. */
function perform(deps: RouteDeps, interaction: Interaction, call: Callback): StoredMessage | undefined {
  const { world } = deps
  const { channel, message } = interaction
  switch (call.type) {
    case 4:
      return storeAnswer(deps, interaction, call)
    case 5: {
      const isEphemeral = ((check(flagged, call.body).flags ?? 0) & messageFlags.Ephemeral) !== 0
      return storeMessage(world, channel, {
        author: world.bot,
        webhookId: world.applicationId,
        type: interaction.kind === 'press' ? messageTypes.reply : messageTypes.command,
        replyTo: message,
        flags: messageFlags.Loading | (isEphemeral ? messageFlags.Ephemeral : 0),
        onlyFor: isEphemeral ? interaction.user.id : undefined,
        interaction,
      })
    }
    case 6:
      return undefined
    case 7:
      if (message === undefined || message.isDeleted) throw refusals.unknownMessage()
      applyEdit(deps, message, { ...call, body: checkEdit(call) })
      return message
  }
}

/** A new message in answer to the interaction, ephemeral when its flags say so. */
function storeAnswer({ world }: RouteDeps, interaction: Interaction, call: RouteCall): StoredMessage {
  const body = checkCreate(call)
  const { channel, message } = interaction
  const isEphemeral = ((body.flags ?? 0) & messageFlags.Ephemeral) !== 0
  const fields = toContent(world, channel, { body, allowed: answersPing })
  return storeMessage(world, channel, {
    ...fields,
    attachments: storeFiles(world, channel, call),
    webhookId: world.applicationId,
    type: interaction.kind === 'press' ? messageTypes.reply : messageTypes.command,
    replyTo: message,
    flags: (fields.flags ?? 0) | (isEphemeral ? messageFlags.Ephemeral : 0),
    onlyFor: isEphemeral ? interaction.user.id : undefined,
    interaction,
  })
}

type Outcome = { readonly type: number; readonly made: StoredMessage | undefined }

function toCallbackResponse({ world }: RouteDeps, interaction: Interaction, { type, made }: Outcome): Wire {
  const isEphemeral = made?.onlyFor !== undefined
  const isLoading = made !== undefined && (made.flags & messageFlags.Loading) !== 0
  return {
    interaction: {
      id: interaction.id,
      type: interaction.kind === 'press' ? 3 : 2,
      response_message_loading: isLoading,
      response_message_ephemeral: isEphemeral,
      ...(made === undefined ? {} : { response_message_id: made.id }),
    },
    resource: {
      type,
      ...(made === undefined ? {} : { message: toMessageWire(world, made, { seesContent: true }) }),
    },
  }
}

/** The interaction whose token a webhook route names. Throws 10015 before its first answer and 50027 after its time. */
function findAnswered({ world, options }: RouteDeps, call: RouteCall): Interaction {
  if (idIn(call, 'application') !== world.applicationId) throw refusals.unknownWebhook()
  const found = [...world.interactions.values()].find(({ token }) => token === call.path['token'])
  if (found === undefined) throw refusals.invalidWebhookToken()
  if (Date.now() - found.at > options.interactionTokenMs) throw refusals.invalidWebhookToken()
  if (found.ack === undefined) throw refusals.unknownWebhook()
  return found
}

function findAnswer(interaction: Interaction, id: string): StoredMessage {
  const isOwn = ({ id: own }: StoredMessage) => own === id
  const found =
    id === '@original'
      ? interaction.original
      : [interaction.original, ...interaction.followUps].find((one) => one !== undefined && isOwn(one))
  const message = findMessage(interaction.channel, found?.id)
  if (message === undefined) throw refusals.unknownMessage()
  return message
}

export function getAnswer(deps: RouteDeps, call: RouteCall): RouteResult {
  return shown(deps.world, findAnswer(findAnswered(deps, call), call.path['message'] ?? ''))
}

export function editAnswer(deps: RouteDeps, call: RouteCall): RouteResult {
  const stored = findAnswer(findAnswered(deps, call), call.path['message'] ?? '')
  edit(deps, stored, call)
  return shown(deps.world, stored)
}

function edit(deps: RouteDeps, stored: StoredMessage, call: RouteCall): void {
  const wasLoading = (stored.flags & messageFlags.Loading) !== 0
  const body = checkEdit(call)
  applyEdit(deps, stored, { ...call, body })
  if (!wasLoading) return
  // The text replaces "thinking…", which people do not see as an edit.
  stored.flags &= ~messageFlags.Loading
  stored.texts.shift()
  stored.editedAt = undefined
}

export function deleteAnswer(deps: RouteDeps, call: RouteCall): RouteResult {
  const stored = findAnswer(findAnswered(deps, call), call.path['message'] ?? '')
  stored.isDeleted = true
  deps.events.messageDeleted(stored)
  return { ...nothing, message: stored.id }
}

/** A follow-up; the first after a deferred answer takes its place. */
export function createFollowUp(deps: RouteDeps, call: RouteCall): RouteResult {
  const interaction = findAnswered(deps, call)
  const { original } = interaction
  if (original !== undefined && (original.flags & messageFlags.Loading) !== 0 && !original.isDeleted) {
    checkCreate(call)
    edit(deps, original, call)
    return shown(deps.world, original)
  }
  const stored = storeAnswer(deps, interaction, call)
  interaction.followUps.push(stored)
  deps.events.messageCreated(stored)
  return shown(deps.world, stored)
}
