// A refusal as Discord's REST API words it. Thrown by routes, answered as `{message, code, errors?}`.
// https://discord.com/developers/docs/topics/opcodes-and-status-codes#json

/** A tree by field, whose leaves are `{_errors: [{code, message}]}`. */
export type FormErrors = { readonly [field: string]: FormErrors | readonly FormError[] }
export type FormError = { readonly code: string; readonly message: string }

export class DiscordError extends Error {
  readonly status: number
  /** Discord's JSON error code; 0 for the general ones. */
  readonly code: number
  readonly errors: FormErrors | undefined

  constructor(status: number, code: number, message: string, errors?: FormErrors) {
    super(message)
    this.name = 'DiscordError'
    this.status = status
    this.code = code
    this.errors = errors
  }
}

/** The general refusals. */
export const refusals = {
  badRequest: () => new DiscordError(400, 0, '400: Bad Request'),
  unauthorized: () => new DiscordError(401, 0, '401: Unauthorized'),
  notFound: () => new DiscordError(404, 0, '404: Not Found'),
  methodNotAllowed: () => new DiscordError(405, 0, '405: Method Not Allowed'),
  unsupportedMedia: () => new DiscordError(415, 50_035, 'Expected "Content-Type" header to be one of application/json'),
  notJson: () => new DiscordError(400, 50_109, 'The request body contains invalid JSON.'),
  tooLarge: () => new DiscordError(413, 40_005, 'Request entity too large'),
  unknownChannel: () => new DiscordError(404, 10_003, 'Unknown Channel'),
  unknownGuild: () => new DiscordError(404, 10_004, 'Unknown Guild'),
  unknownMember: () => new DiscordError(404, 10_007, 'Unknown Member'),
  unknownMessage: () => new DiscordError(404, 10_008, 'Unknown Message'),
  unknownUser: () => new DiscordError(404, 10_013, 'Unknown User'),
  unknownWebhook: () => new DiscordError(404, 10_015, 'Unknown Webhook'),
  unknownApplication: () => new DiscordError(404, 10_002, 'Unknown Application'),
  unknownEmoji: () => new DiscordError(400, 10_014, 'Unknown Emoji'),
  unknownInteraction: () => new DiscordError(404, 10_062, 'Unknown interaction'),
  alreadyAcknowledged: () => new DiscordError(400, 40_060, 'Interaction has already been acknowledged.'),
  missingAccess: () => new DiscordError(403, 50_001, 'Missing Access'),
  notYours: () => new DiscordError(403, 50_005, 'Cannot edit a message authored by another user'),
  emptyMessage: () => new DiscordError(400, 50_006, 'Cannot send an empty message'),
  cannotSendToUser: () => new DiscordError(403, 50_007, 'Cannot send messages to this user'),
  missingPermissions: () => new DiscordError(403, 50_013, 'Missing Permissions'),
  systemMessage: () => new DiscordError(403, 50_021, 'Cannot execute action on a system message'),
  wrongChannelType: () => new DiscordError(400, 50_024, 'Cannot execute action on this channel type'),
  invalidWebhookToken: () => new DiscordError(401, 50_027, 'Invalid Webhook Token'),
  archivedThread: () => new DiscordError(400, 50_083, 'Thread is archived'),
  noHistoryForReply: () => new DiscordError(400, 160_002, 'Cannot reply without permission to read message history'),
  threadExists: () => new DiscordError(400, 160_004, 'A thread has already been created for this message'),
} as const

/** 50035 with the errors of these fields. */
export function invalidForm(errors: FormErrors): DiscordError {
  return new DiscordError(400, 50_035, 'Invalid Form Body', errors)
}

/** 50035 about one field, named by its path from the top of the body. */
export function invalidField(path: readonly string[], code: string, message: string): DiscordError {
  const leaf: FormErrors = { _errors: [{ code, message }] }
  return invalidForm(path.reduceRight<FormErrors>((inner, field) => ({ [field]: inner }), leaf))
}
