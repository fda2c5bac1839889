// References in a text, as people see them: a channel, a role, a time, a command, an emoji. What is not known by its name stays told apart
// by its id. https://docs.discord.com/developers/reference#message-formatting

/** What channels and roles are called where a message stands. */
export type Names = {
  channel(id: string): string | undefined
  role(id: string): string | undefined
  /** It is the role that Discord made for the bot, which is called like it. */
  isOwnRole(id: string): boolean
}

export const noNames: Names = { channel: () => undefined, role: () => undefined, isOwnRole: () => false }

/** Places that every server has. */
const places: Readonly<Record<string, string>> = {
  customize: 'Channels & Roles',
  browse: 'Browse Channels',
  guide: 'Server Guide',
  'linked-roles': 'Linked Roles',
}

export function withReferences(text: string, names: Names): string {
  return text
    .replaceAll(/<@&(\d{1,20})>/g, (_, id: string) => `@${toWord(names.role(id)) ?? `role-${id}`}`)
    .replaceAll(/<#(\d{1,20})>/g, (_, id: string) => `#${toWord(names.channel(id)) ?? `channel-${id}`}`)
    .replaceAll(/<t:(-?\d{1,13})(?::[A-Za-z])?>/g, (whole, seconds: string) => toTime(Number(seconds)) ?? whole)
    .replaceAll(/<(\/[^\n<>:]{1,110}):\d{1,20}>/g, '$1')
    .replaceAll(/<id:([a-z-]{1,20})(?::\d{1,20})?>/g, (whole, place: string) => places[place] ?? whole)
    .replaceAll(/<a?(:\w{1,40}:)\d{1,20}>/g, '$1')
}

/** `2026-09-21 13:33 UTC`: each person’s own clock is not told. */
function toTime(seconds: number): string | undefined {
  const time = new Date(seconds * 1000)
  return Number.isFinite(time.getTime()) ? `${time.toISOString().slice(0, -8).replace('T', ' ')} UTC` : undefined
}

const toWord = (name: string | undefined): string | undefined =>
  name?.toWellFormed().replaceAll(/\s+/g, ' ').slice(0, 64)
