// The bit fields of Discord that the simulator knows: gateway intents, permissions, message flags, application flags.
// https://discord.com/developers/docs/events/gateway#gateway-intents, …/topics/permissions, …/resources/message

export const intents = {
  Guilds: 1 << 0,
  GuildMembers: 1 << 1,
  GuildPresences: 1 << 8,
  GuildMessages: 1 << 9,
  GuildMessageReactions: 1 << 10,
  DirectMessages: 1 << 12,
  DirectMessageReactions: 1 << 13,
  MessageContent: 1 << 15,
} as const

/** Intents that the owner of the application must switch on in the developer portal. */
export const privilegedIntents = ['MessageContent', 'GuildMembers', 'GuildPresences'] as const
export type PrivilegedIntent = (typeof privilegedIntents)[number]

/** What GET /applications/@me tells about a privileged intent of a bot in fewer than 100 guilds. */
const intentFlags: Readonly<Record<PrivilegedIntent, number>> = {
  GuildPresences: 1 << 13,
  GuildMembers: 1 << 15,
  MessageContent: 1 << 19,
}

export const permissions = {
  AddReactions: 1n << 6n,
  ViewAuditLog: 1n << 7n,
  ViewChannel: 1n << 10n,
  SendMessages: 1n << 11n,
  ManageMessages: 1n << 13n,
  EmbedLinks: 1n << 14n,
  AttachFiles: 1n << 15n,
  ReadMessageHistory: 1n << 16n,
  MentionEveryone: 1n << 17n,
  UseApplicationCommands: 1n << 31n,
  ManageThreads: 1n << 34n,
  CreatePublicThreads: 1n << 35n,
  SendMessagesInThreads: 1n << 38n,
} as const
export type Permission = keyof typeof permissions
export const permissionNames = [
  ...(['AddReactions', 'ViewChannel', 'SendMessages', 'ManageMessages', 'EmbedLinks', 'AttachFiles'] as const),
  ...(['ReadMessageHistory', 'MentionEveryone', 'UseApplicationCommands', 'ManageThreads'] as const),
  ...(['CreatePublicThreads', 'SendMessagesInThreads', 'ViewAuditLog'] as const),
] as const satisfies readonly Permission[]

export const administrator = 1n << 3n

export const messageFlags = {
  SuppressEmbeds: 1 << 2,
  HasThread: 1 << 5,
  Ephemeral: 1 << 6,
  Loading: 1 << 7,
  SuppressNotifications: 1 << 12,
  ComponentsV2: 1 << 15,
} as const

/** The permission bits of these names, as the decimal string of the API. */
export function toPermissionBits(names: Iterable<Permission>): string {
  let bits = 0n
  for (const name of names) bits |= permissions[name]
  return String(bits)
}

/** The application's public flags: that it has commands, and which privileged intents are on. */
export function toApplicationFlags(granted: Iterable<PrivilegedIntent>): number {
  let flags = 1 << 23
  for (const intent of granted) flags |= intentFlags[intent]
  return flags
}
