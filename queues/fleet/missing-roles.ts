// Which roles a fleet lacks, and what waits for them: said the same by doctor and by /health. A role counts as missing at once, and not
// only after something has waited for it.
import type { Work } from '#queues/jobs/queue-names.ts'
import { homeOf, type Address } from '#shared/chat/address.ts'
import { parseConversation, type Channel } from '#shared/chat/conversation.ts'
import type { ProcessFacts } from './process-key.ts'

export type MissingRole = {
  readonly role: string
  /** What does not happen without it, as a sentence. */
  readonly found: string
}

const needed = [
  ['router', 'nothing that people write is looked at'],
  ['executor', 'nothing is answered'],
  ['reflection', 'nothing is made of ended turns'],
] as const

/** Channels of which rows are delivered by a process of their own; the page and the terminal read theirs. */
const delivered: readonly Channel[] = ['telegram', 'discord', 'feishu']

export type Fleet = {
  readonly living: readonly Pick<ProcessFacts, 'does'>[]
  /** Channels that the settings connect. */
  readonly channels: readonly Channel[]
  /** What waits and nobody has taken. */
  readonly due: readonly { readonly what: Work; readonly conversation: Address }[]
}

export function findMissingRoles({ living, channels, due }: Fleet): readonly MissingRole[] {
  const running = new Set(living.flatMap(({ does }) => does))
  const works = { route: 'router', run: 'executor' } as const
  const waiting = Map.groupBy<string, Fleet['due'][number]>(due, ({ what, conversation }) =>
    what === 'out' ? parseConversation(homeOf(conversation)).channel : works[what],
  )
  // One that these settings do not connect, but for which something waits, was left out by mistake.
  const wanted = delivered.filter((channel) => channels.includes(channel) || waiting.has(channel))
  const all: readonly (readonly [string, string])[] = [
    ...needed,
    ...wanted.map((channel) => [channel, `nothing is received or sent on ${channel}`] as const),
  ]
  return all
    .filter(([role]) => !running.has(role))
    .map(([role, without]) => {
      const count = waiting.get(role)?.length ?? 0
      const waits = count === 0 ? '' : `, and ${count === 1 ? 'one conversation waits' : `${count} conversations wait`}`
      return { role, found: `no ${role} process runs, so ${without}${waits}` }
    })
}
