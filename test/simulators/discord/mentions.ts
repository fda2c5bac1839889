// Who a text names, and whom Discord really pings for it: `allowed_mentions` may forbid, code never pings.
// https://discord.com/developers/docs/resources/message#allowed-mentions-object
import { z } from 'zod'
import type { Pings } from './world.ts'

const idList = z.array(z.string()).max(100).optional()

export const allowedMentions = z
  .looseObject({
    parse: z.array(z.enum(['roles', 'users', 'everyone'])).optional(),
    users: idList,
    roles: idList,
    replied_user: z.boolean().optional(),
  })
  .superRefine((given, context) => {
    for (const kind of ['users', 'roles'] as const) {
      if (given.parse?.includes(kind) === true && (given[kind]?.length ?? 0) > 0) {
        const params = { discord: 'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE' }
        const message = `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`
        context.addIssue({ code: 'custom', message, params, path: ['parse'] })
      }
    }
  })
export type AllowedMentions = z.infer<typeof allowedMentions>

/** Everyone the text names, in order and once. */
export function findMentions(text: string): Pings {
  const plain = text.replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, '')
  const ids = (pattern: RegExp) => [...new Set([...plain.matchAll(pattern)].map((match) => match[1] ?? ''))]
  return {
    everyone: /@(?:everyone|here)/.test(plain),
    users: ids(/<@!?(\d{1,20})>/g),
    roles: ids(/<@&(\d{1,20})>/g),
  }
}

type PingRequest = {
  readonly text: string
  /** Left out, everything the text names is pinged. */
  readonly allowed: AllowedMentions | undefined
  /** The author of the message replied to. */
  readonly repliedTo: string | undefined
  readonly mayPingEveryone: boolean
}

export function toPings({ text, allowed, repliedTo, mayPingEveryone }: PingRequest): Pings {
  const named = findMentions(text)
  const pick = (kind: 'users' | 'roles', all: readonly string[]) => {
    if (allowed === undefined || allowed.parse?.includes(kind) === true) return all
    return all.filter((id) => allowed[kind]?.includes(id) === true)
  }
  const users = new Set(pick('users', named.users))
  if (repliedTo !== undefined && (allowed === undefined || allowed.replied_user === true)) users.add(repliedTo)
  const everyone =
    named.everyone && mayPingEveryone && (allowed === undefined || allowed.parse?.includes('everyone') === true)
  return { everyone, users: [...users], roles: pick('roles', named.roles) }
}
